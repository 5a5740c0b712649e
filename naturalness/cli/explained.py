"""Format an explanation for the terminal: score, marked text, findings, causes, edits."""

from __future__ import annotations

import math
from collections.abc import Iterator

from naturalness.cli.terminal import Mark, Paint, marked_lines, visible, wrapped
from naturalness.explaining import wording
from naturalness.explaining.explanation import Edit, Explanation, Repair
from naturalness.explaining.shown import SURE
from naturalness.judging.fields import LOG_ODDS
from naturalness.pages.formats import beginning, change

TITLE, NUMBER = 32, 8
"""Column widths in characters: the title of a cause, and its value."""
NO_EDIT = "No edit is likely enough to be suggested."
LITTLE_MEANING = "The score means little, as the text is unlike the training texts"


def explained_text(explained: Explanation, paint: Paint, width: int, *, edits_wanted: bool = False) -> str:
    """Return the explanation of one text in lines of at most ``width``.

    If ``edits_wanted`` is true and no edit raises the score, a line says so.
    """
    lines = [
        *score_lines(explained, paint, width),
        *marked_text(explained, paint, width),
        *unlike_lines(explained, paint, width),
        *repair_lines(explained.repair, paint, width),
        *finding_lines(explained, paint, width),
        *cause_lines(explained, paint, width),
        *edit_lines(explained.edits, paint, width),
    ]
    if edits_wanted and not explained.edits and explained.contributions:
        lines += ["", NO_EDIT]
    return "\n".join(lines) + "\n"


def score_lines(explained: Explanation, paint: Paint, width: int) -> list[str]:
    """Return the score with its interval and label, or the reason why there is none."""
    if math.isnan(explained.naturalness):
        return wrapped(f"–  no score: {explained.reason}", width, paint, "warning")
    interval = explained.interval
    score = f"{explained.naturalness:.3f}  {explained.verdict}".rstrip()
    style = "good" if explained.good else "bad"
    first = paint(score, style) + (f"  (95 %: {interval})" if interval else "")
    first += f"  voice {explained.voice:.2f}" if explained.voice == explained.voice else ""
    beside = wording.beside(explained.standing, explained.axes)
    lines = [first, *(line for said in beside for line in wrapped(said, width, paint, "soft"))]
    if explained.reason in explained.unlike:
        return lines  # the label line already says it
    return [*lines, *wrapped(explained.reason, width, paint, "warning")]


def marked_text(explained: Explanation, paint: Paint, width: int) -> list[str]:
    """Return the text with its findings marked; where findings overlap, the most certain one is shown, and one of the
    whole text is not.

    If the text has no score, return only its beginning, since it may be very long.
    """
    if math.isnan(explained.naturalness) and not explained.findings:
        return [visible(beginning(explained.text, width))]
    marks = [
        Mark(finding.start, finding.end, "sure" if finding.weight >= SURE else "doubtful")
        for finding in explained.findings
        if (finding.start, finding.end) != (0, len(explained.text))
    ]
    return marked_lines(explained.text, marks, width, paint)


def unlike_lines(explained: Explanation, paint: Paint, width: int) -> list[str]:
    """Return the lines of a warning if the score is unreliable, and no lines otherwise."""
    if not explained.unlike:
        return []
    return ["", *wrapped(f"{LITTLE_MEANING}: {'; '.join(explained.unlike)}.", width, paint, "warning")]


def finding_lines(
    explained: Explanation, paint: Paint, width: int, *, heading: str = "Findings", codes: bool = False
) -> Iterator[str]:
    """Yield the findings, the most certain first, each followed by its code if ``codes`` is true."""
    if explained.findings and heading:
        yield from ("", paint(heading, "bold"))
    for finding in explained.findings:
        line = wording.in_a_line(finding, explained.text) + (f" [{finding.code}]" if codes and finding.code else "")
        lines = wrapped(line, width, paint, start="  ", then="    ")
        quote = f"  {visible(wording.quotation(finding, explained.text))}"
        if lines[0].startswith(f"{quote}:"):
            style = "sure" if finding.weight >= SURE else "doubtful"
            lines[0] = f"  {paint(quote[2:], style)}{lines[0][len(quote) :]}"
        yield from lines


def cause_lines(explained: Explanation, paint: Paint, width: int) -> Iterator[str]:
    """Yield the base, the contribution of each cause, and their sum."""
    rows = wording.cause_rows(explained)
    if not rows:
        return
    digits = "in log-odds" if explained.unit == LOG_ODDS else f"in {explained.unit}"
    yield from ("", paint(f"Why ({digits})", "bold"))
    for title, value, remark in rows:
        yield f"  {title:<{TITLE}}{change(value, 2):>{NUMBER}}"
        yield from wrapped(remark, width, paint, "soft", start="    ", then="    ") if remark else ()
    yield f"  {'together':<{TITLE}}{change(explained.total, 2):>{NUMBER}}  that is {explained.naturalness:.3f}"


def repair_lines(repair: Repair | None, paint: Paint, width: int, *, heading: str = "Repair") -> Iterator[str]:
    """Yield the gain and the repaired text, followed by the edits; no lines if there is no repair."""
    if repair:
        yield from ("", paint(heading, "bold")) if heading else ()
        gain, probability = change(repair.gain), wording.accepted(repair.probability)
        yield f"  {gain}  to {repair.naturalness:.3f}{probability}"
        yield from (f"    {line}" for line in marked_lines(repair.text, (), width - 4, paint))
        for step in repair.steps:
            yield from wrapped(wording.edit_in_full(step), width, paint, start="    ", then="      ")


def edit_lines(edits: tuple[Edit, ...], paint: Paint, width: int, *, heading: str = "Small edits") -> Iterator[str]:
    """Yield edits, each with its gain, probability and reason, followed by the edited text."""
    if edits and heading:
        yield from ("", paint(heading, "bold"))
    for edit in edits:
        gain = change(edit.gain)
        line = f"{gain}  to {edit.naturalness:.3f}: {wording.edit_in_full(edit)}"
        first, *more = wrapped(line, width, paint, start="  ", then="      ")
        yield from (first.replace(gain, paint(gain, "good" if edit.gain > 0 else "bad"), 1), *more)
        marks = [Mark(edit.start, edit.start + len(edit.after), "good")]
        for line in marked_lines(edit.text, marks if paint.on else (), width - 4, paint):
            yield f"    {line}"
