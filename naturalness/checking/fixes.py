"""What could be put into the file: suggestions and edits, where no markup is in the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from naturalness.checking.check import Flaw
from naturalness.checking.places import Region
from naturalness.checking.sentences import Sentence
from naturalness.explaining import wording
from naturalness.explaining.explanation import Edit, Finding


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement of a part of a file."""

    told: str
    region: Region
    new: str


def fixes(flaw: Flaw) -> Iterator[Fix]:
    """Edits, the best first, then the suggestions of findings, the surest first."""
    for edit in flaw.explained.edits:
        change = of_edit(flaw.explained.text, edit)
        if change:
            told = f"naturalness {edit.naturalness:.3f} ({wording.signed(edit.gain, 3)})"
            yield from _fix(flaw.sentence, *change, told)
    for finding in flaw.explained.findings:
        for suggestion in finding.suggestions:
            start, end, new = of_suggestion(flaw.explained.text, finding, suggestion)
            yield from _fix(flaw.sentence, start, end, new, finding.message)


def of_edit(text: str, edit: Edit) -> tuple[int, int, str] | None:
    """What an edit puts where, told from the text that it makes; None where these disagree."""
    behind = len(text) - edit.end
    new = edit.text[edit.start : len(edit.text) - behind]
    made = text[: edit.start] + new + text[edit.end :]
    return (edit.start, edit.end, new) if made == edit.text else None


def of_suggestion(text: str, finding: Finding, suggestion: str) -> tuple[int, int, str]:
    """The same of a suggestion; what is left out takes a space along, what is put in brings one."""
    start, end = finding.start, finding.end
    if not suggestion:
        if text[end : end + 1] == " " and text[start - 1 : start] in ("", " "):
            end += 1
        elif text[start - 1 : start] == " ":
            start -= 1
        return start, end, ""
    if start == end and text[start : start + 1].strip():
        return start, end, f"{suggestion} "
    return start, end, suggestion


def _fix(sentence: Sentence, start: int, end: int, new: str, told: str) -> Iterator[Fix]:
    region = sentence.region(start, end)
    if sentence.source.text[region.start : region.end] == sentence.text[start:end]:
        yield Fix(told, region, new)
