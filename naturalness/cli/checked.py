"""Format the flaws of checked files as text for people."""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.checking.checker import CheckedFiles
from naturalness.checking.flaws import Flaw, score_text, sure_findings
from naturalness.cli.explained import edit_lines, finding_lines, marked_text, repair_lines, unlike_lines
from naturalness.cli.terminal import Paint, wrapped
from naturalness.errors import printable
from naturalness.explaining import wording


def checked_text(checked: CheckedFiles, paint: Paint, width: int) -> str:
    """Return a block of lines for each flaw: position, score, marked text, findings, causes, edits."""
    return "".join("\n".join([*_flaw_lines(flaw, paint, width), "", ""]) for flaw in checked.flaws)


def _flaw_lines(flaw: Flaw, paint: Paint, width: int) -> Iterator[str]:
    region = flaw.sentence.region()
    name = printable(f"{flaw.sentence.source.name}:{region.line}:{region.column}")
    title = wording.title_of(flaw.explained)
    title += "" if sure_findings(flaw) else f" [{flaw.code}]"  # a certain finding already shows its code
    yield f"{paint(name, 'bold')}  {paint(score_text(flaw), 'soft' if flaw.by_rule else 'bad')}  {title}"
    for said in wording.beside(flaw.explained.standing, flaw.explained.axes):
        yield from wrapped(said, width, paint, "soft", start="  ", then="  ")
    yield from marked_text(flaw.explained, paint, width)
    yield from finding_lines(flaw.explained, paint, width, heading="", codes=True)
    if not (flaw.by_rule or flaw.by_voice):
        causes = wording.why(flaw.explained, lowering=True)
        yield from wrapped(causes, width, paint, "soft", start="  ", then="  ")
    yield from repair_lines(flaw.explained.repair, paint, width, heading="")
    yield from edit_lines(flaw.explained.edits, paint, width, heading="")
    yield from unlike_lines(flaw.explained, paint, width)[1:]
