"""Sentences below a score on the terminal: place, score, marked text, findings, causes."""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.checking.check import Checked, Flaw, score_text
from naturalness.cli.colour import Paint
from naturalness.cli.explained import edit_lines, finding_lines, marked_text, unlike_lines, wrapped
from naturalness.explaining import wording
from naturalness.pages.trees import visible


def checked_text(checked: Checked, paint: Paint, width: int) -> str:
    """A block of lines for each sentence, with an empty line behind."""
    return "".join("\n".join([*_flaw_lines(flaw, paint, width), "", ""]) for flaw in checked.flaws)


def _flaw_lines(flaw: Flaw, paint: Paint, width: int) -> Iterator[str]:
    region = flaw.sentence.region()
    name = visible(f"{flaw.sentence.source.name}:{region.line}:{region.column}")
    title = wording.title_of(flaw.explained)
    yield f"{paint(name, 'bold')}  {paint(score_text(flaw), 'bad')}  {title}"
    yield from marked_text(flaw.explained, paint, width)
    yield from finding_lines(flaw.explained, paint, width, heading="")
    causes = wording.why(flaw.explained, lowering=True)
    yield from wrapped(causes, width, paint, "soft", start="  ", then="  ")
    yield from edit_lines(flaw.explained.edits, paint, width, heading="")
    yield from unlike_lines(flaw.explained, paint, width)[1:]
