"""Docs to findings of LanguageTool: the text as LanguageTool reads it, and the way back from its offsets.

Java counts UTF-16 units, of which characters beyond U+FFFF (emoji) take two. A paragraph that the normalised text runs
together with the next is separated again by an empty line; otherwise LanguageTool would take a headline and what
follows it for one sentence.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from naturalness.models.checkers.languagetool import sharing
from naturalness.models.checkers.languagetool.asking import Answer, ask_all
from naturalness.text.matches import Checked, Match, Severity
from naturalness.text.parsing import original_span, source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc


GAP = "\n\n"
LAST_OF_ONE_UNIT = "\uffff"


@dataclass(frozen=True, slots=True)
class Sent:
    """A text as it is sent."""

    text: str
    breaks: tuple[int, ...] = ()
    """Where paragraphs begin, in ``text``."""
    units: Sequence[int] | None = None
    """UTF-16 offset of each character and of the end; None where these are the characters'."""

    def span(self, offset: int, length: int) -> tuple[int, int]:
        """Return the characters of the Doc's text for units of what was sent."""
        return self._character(offset), self._character(offset + length)

    def _character(self, unit: int) -> int:
        at = bisect_left(self.units, unit) if self.units is not None else unit
        at = min(max(at, 0), len(self.text))
        return at - bisect_right(self.breaks, at)


def sent(doc: Doc) -> Sent:
    """Return what is sent of a Doc."""
    return prepare(doc.text, source_of(doc).breaks)


def prepare(text: str, paragraphs: Sequence[int] = ()) -> Sent:
    """Separate the paragraphs, which begin at these offsets behind a space, and count units."""
    pieces = [text[a:b] for a, b in zip((0, *paragraphs), (*paragraphs, len(text)), strict=True)]
    joined = GAP.join([*(piece[:-1] for piece in pieces[:-1]), pieces[-1]])
    breaks = tuple(start + i + 1 for i, start in enumerate(paragraphs))
    units = None
    if max(joined, default="") > LAST_OF_ONE_UNIT:
        units = tuple(accumulate((1 + (c > LAST_OF_ONE_UNIT) for c in joined), initial=0))
    return Sent(joined, breaks, units)


MAX_SUGGESTIONS = 5
ISSUE_TYPES: Mapping[str, Severity] = {
    "grammar": "error",
    "misspelling": "error",
    "duplication": "error",
    "typographical": "warning",
    "whitespace": "warning",
    "characters": "warning",
    "inconsistency": "warning",
    "non-conformance": "warning",
    "uncategorized": "warning",
    "style": "hint",
    "register": "hint",
    "locale-violation": "hint",
    "locale-specific-content": "hint",
    "terminology": "hint",
}
"""How bad a match is, by the issue type of its rule: the names of ITS 2.0, section 8.10."""
OTHER_TYPES: Severity = "warning"


@dataclass(frozen=True)
class LanguageToolChecker:
    """LanguageTool's findings, each Doc checked by itself."""

    language: str = sharing.LANGUAGE
    """LanguageTool's code of a variety of English: ``en-US``, ``en-GB``."""
    name: str = "languagetool"

    @property
    def signature(self) -> str:
        """Version of LanguageTool and variety of English; starts the server."""
        return f"{self.name}:{sharing.version()}|{self.language}"

    def check(self, docs: Sequence[Doc]) -> list[Checked]:
        """Return the findings of each Doc; equal texts are sent once."""
        ways = [sent(doc) for doc in docs]
        texts = [text for text in dict.fromkeys(way.text for way in ways) if text.strip()]
        answers = dict(zip(texts, ask_all(texts, language=self.language), strict=True))
        return [_checked(doc, way, answers.get(way.text, Answer())) for doc, way in zip(docs, ways, strict=True)]


def open_checker() -> LanguageToolChecker:
    """Return the checker of American English; the server starts with the first request."""
    return LanguageToolChecker()


def _checked(doc: Doc, way: Sent, answer: Answer) -> Checked:
    """Return an answer with offsets of the original text, in its order."""
    matches = sorted(_match(doc, way, match) for match in answer.matches)
    return Checked(tuple(matches), answer.problem)


def _match(doc: Doc, way: Sent, match: Mapping[str, Any]) -> Match:
    rule = match["rule"]
    start, end = original_span(doc, *way.span(match["offset"], match["length"]))
    suggestions = [str(new.get("value", "")) for new in match["replacements"][:MAX_SUGGESTIONS]]
    return Match(
        start=start,
        end=end,
        rule=str(rule["id"]),
        category=str(rule["category"]["id"]),
        message=str(match["message"]),
        suggestions=tuple(suggestions),
        severity=ISSUE_TYPES.get(str(rule.get("issueType", "")), OTHER_TYPES),
    )
