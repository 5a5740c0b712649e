"""Guidelines for raters in Markdown: the question, the ends of the scale, and instructions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from naturalness.errors import ProjectError

MAX_CHARACTERS = 50_000
"""Maximum number of characters in guidelines; nobody reads more before rating."""
USUAL_ENDS = ("worst", "best")
"""Default titles for the lowest and the highest value of a scale."""
_QUESTION = re.compile(r"\s*#[ \t]+(?P<question>\S[^\n]*)\n?(?P<rest>.*)", re.DOTALL)
_ENDS = re.compile(
    r"\s*[*_](?P<low>[^*_\n]+?)\s*(?:…|\.\.\.)\s*(?P<high>[^*_\n]+?)[*_][ \t]*(?:\n(?P<rest>.*))?$", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Guidelines:
    """Guidelines that raters read before rating."""

    markdown: str
    """The complete Markdown text."""
    question: str
    """The question asked about every text, from the first heading."""
    ends: tuple[str, str]
    """Meaning of the lowest and the highest rating."""
    instructions: str
    """The remaining text, in Markdown."""
    at: str = ""
    """Time from which they are in force, in UTC, ISO 8601; empty for a project's first guidelines."""


def read_guidelines(markdown: str, at: str = "") -> Guidelines:
    """Parse guidelines from Markdown: a heading with the question, optionally the scale's ends, and instructions."""
    if len(markdown) > MAX_CHARACTERS:
        raise ProjectError(f"the guidelines have {len(markdown):,} characters; expected at most {MAX_CHARACTERS:,}")
    match = _QUESTION.match(markdown)
    if match is None:
        raise ProjectError(
            "guidelines begin with a heading that asks the question, such as "
            f"'# {usual_guidelines().question}'; found {markdown.strip()[:40]!r}"
        )
    question, rest = match["question"].rstrip("# \t"), match["rest"]
    ends = _ENDS.match(rest)
    if ends is None:
        return Guidelines(markdown, question, USUAL_ENDS, rest.strip(), at)
    return Guidelines(markdown, question, (ends["low"].strip(), ends["high"].strip()), (ends["rest"] or "").strip(), at)


@cache
def usual_guidelines() -> Guidelines:
    """Return the shipped guidelines."""
    return read_guidelines((Path(__file__).parent / "guidelines.md").read_text(encoding="utf-8"))


def guidelines_in(name: str) -> str:
    """Return the Markdown of the guidelines in a file; raise if they are not valid."""
    try:
        markdown = Path(name).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ProjectError(f"{name!r} is not UTF-8 text; save the guidelines as UTF-8") from None
    except OSError as error:
        raise ProjectError(f"guidelines {name!r} cannot be read ({error.strerror}); check the path") from None
    read_guidelines(markdown)
    return markdown
