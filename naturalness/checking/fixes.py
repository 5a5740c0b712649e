"""Fixes: edits and suggestions as replacements for parts of a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from naturalness.checking.flaws import Flaw
from naturalness.checking.plain import Region
from naturalness.checking.sources import Sentence
from naturalness.explaining import wording
from naturalness.explaining.explanation import Edit, Finding


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement for a part of a file."""

    description: str
    region: Region
    new: str


def fixes(flaw: Flaw) -> Iterator[Fix]:
    """Yield the edits, best first, then the suggestions of the findings, surest first.

    A replacement that would touch markup or code is left out.
    """
    for edit in flaw.explained.edits:
        change = of_edit(flaw.explained.text, edit)
        if change:
            description = f"naturalness {edit.naturalness:.3f} ({wording.signed(edit.gain, 3)})"
            yield from _fix(flaw.sentence, *change, description)
    for finding in flaw.explained.findings:
        for suggestion in finding.suggestions:
            start, end, new = of_suggestion(flaw.explained.text, finding, suggestion)
            yield from _fix(flaw.sentence, start, end, new, finding.message)


def of_edit(text: str, edit: Edit) -> tuple[int, int, str] | None:
    """Return the span that an edit replaces and its replacement, or None if they do not produce the edit's text."""
    behind = len(text) - edit.end
    new = edit.text[edit.start : len(edit.text) - behind]
    edited = text[: edit.start] + new + text[edit.end :]
    return (edit.start, edit.end, new) if edited == edit.text else None


def of_suggestion(text: str, finding: Finding, suggestion: str) -> tuple[int, int, str]:
    """Return the span that a suggestion replaces and its replacement.

    A deletion also removes one adjacent space; an insertion adds one.
    """
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


def _fix(sentence: Sentence, start: int, end: int, new: str, description: str) -> Iterator[Fix]:
    region = sentence.region(start, end)
    as_written = sentence.source.text[region.start : region.end] == sentence.text[start:end]
    if as_written and not any(first < end and start < last for first, last in sentence.code):
        yield Fix(description, region, new)
