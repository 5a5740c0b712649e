"""An explanation on the terminal: score, marked text, findings, causes, edits."""

from __future__ import annotations

import math
import shutil
import sys
import textwrap
from collections.abc import Iterator

from naturalness.cli.colour import Paint
from naturalness.cli.marked import Mark, marked_lines
from naturalness.explaining import wording
from naturalness.explaining.explanation import LEAST, LOG_ODDS, SURE, Contribution, Edit, Explanation, index_of
from naturalness.pages.trees import visible

WIDTH, WIDEST, NARROWEST = 80, 100, 40
TITLE, NUMBER = 32, 6
"""Widths of the longest title of a cause, and of its value."""
NO_EDIT = "No small change was found that raises it."
LITTLE = "The score means little, for the text is unlike those of training"


def page_width() -> int:
    """Columns to write in: of a terminal as many as it has within reason."""
    if not sys.stdout.isatty():
        return WIDTH
    return max(NARROWEST, min(shutil.get_terminal_size().columns, WIDEST))


def explained_text(explained: Explanation, paint: Paint, width: int, *, asked: bool = False) -> str:
    """All there is to say of one text; lines of at most ``width``.

    ``asked`` is whether edits were looked for: where none was found, that is said.
    """
    lines = [
        *score_lines(explained, paint, width),
        *marked_text(explained, paint, width),
        *unlike_lines(explained, paint, width),
        *finding_lines(explained, paint, width),
        *cause_lines(explained, paint, width),
        *edit_lines(explained.edits, paint, width),
    ]
    if asked and not explained.edits and explained.contributions:
        lines += ["", NO_EDIT]
    return "\n".join(lines) + "\n"


def score_lines(explained: Explanation, paint: Paint, width: int) -> list[str]:
    """The score with its interval and label, or why there is none."""
    if math.isnan(explained.naturalness):
        return wrapped(f"–  no score: {explained.reason}", width, paint, "warning")
    interval = wording.interval(explained)
    told = f"{explained.naturalness:.3f}  {wording.verdict(explained)}".rstrip()
    style = "good" if explained.naturalness >= wording.GOOD else "bad"
    first = paint(told, style) + (f"  (95 %: {interval})" if interval else "")
    if explained.reason in explained.unlike:
        return [first]  # it is said there
    return [first, *wrapped(explained.reason, width, paint, "warning")]


def marked_text(explained: Explanation, paint: Paint, width: int) -> list[str]:
    """The text with what was found, the surest above the others."""
    marks = [Mark(one.start, one.end, "sure" if one.weight >= SURE else "doubtful") for one in explained.findings]
    return marked_lines(explained.text, marks, width, paint)


def unlike_lines(explained: Explanation, paint: Paint, width: int) -> list[str]:
    """A warning where the score means little."""
    if not explained.unlike:
        return []
    return ["", *wrapped(f"{LITTLE}: {'; '.join(explained.unlike)}.", width, paint, "warning")]


def finding_lines(explained: Explanation, paint: Paint, width: int, *, heading: str = "Found") -> Iterator[str]:
    """What was found, the surest first."""
    if explained.findings and heading:
        yield from ("", paint(heading, "bold"))
    for one in explained.findings:
        told = wording.in_a_line(one, explained.text)
        lines = wrapped(told, width, paint, start="  ", then="    ")
        place = f"  {visible(wording.place_of(one, explained.text))}"
        if lines[0].startswith(f"{place}:"):
            style = "sure" if one.weight >= SURE else "doubtful"
            lines[0] = f"  {paint(place[2:], style)}{lines[0][len(place) :]}"
        yield from lines


def cause_lines(explained: Explanation, paint: Paint, width: int) -> Iterator[str]:
    """A typical text's score, what each cause adds, and their sum."""
    if not explained.contributions:
        return
    parts = explained.contributions
    named = index_of(explained.cause, [one.cause for one in parts])
    values = [*(one.value for one in parts), explained.base]
    *moved, base = wording.adding_up(values, explained.total, spared=named)
    digits = "in log-odds" if explained.unit == LOG_ODDS else f"in {explained.unit}"
    yield from ("", paint(f"Why ({digits})", "bold"), _row("typical text", base))
    room = (width - 2 - TITLE - 2 - NUMBER - 2 - 1) // 2
    most = max(abs(value) for value in moved)
    for one, value in zip(parts, moved, strict=True):
        if value:
            bar = _bar(value / most, room, paint) if room > 0 else ""
            yield f"{_row(one.title, value)}  {bar}".rstrip()
            yield from _reason(one, paint, width)
    told = f"that is {explained.naturalness:.3f}"
    yield f"{_row('together', round(explained.total, 2))}  {told}"


def _row(title: str, value: float) -> str:
    return f"  {title:<{TITLE}}{wording.signed(value):>{NUMBER + 2}}"


def _reason(one: Contribution, paint: Paint, width: int) -> list[str]:
    """The feature that moved a cause most, unless the cause is hardly worth telling."""
    moved = wording.mover(one)
    if moved is None or abs(one.value) < LEAST:
        return []
    return wrapped(wording.moved_in_words(moved), width, paint, "soft", start="    ", then="    ")


def _bar(share: float, room: int, paint: Paint) -> str:
    """A bar from the middle: to the left where the share is below 0."""
    length = max(1, round(abs(share) * room))
    if share < 0:
        return " " * (room - length) + paint("█" * length, "bad") + "│"
    return " " * room + "│" + paint("█" * length, "good")


def edit_lines(
    edits: tuple[Edit, ...], paint: Paint, width: int, *, heading: str = "What would raise it"
) -> Iterator[str]:
    """What would raise the score, with its gain and the text that it makes."""
    if edits and heading:
        yield from ("", paint(heading, "bold"))
    for one in edits:
        gain = paint(wording.signed(one.gain, 3), "good")
        yield f"  {gain}  to {one.naturalness:.3f}: {visible(wording.edit_in_words(one))}"
        made = [Mark(one.start, one.start + len(one.after), "good")]
        for line in marked_lines(one.text, made if paint.on else (), width - 4, paint):
            yield f"    {line}"


def wrapped(text: str, width: int, paint: Paint, style: str = "", *, start: str = "", then: str = "") -> list[str]:
    """Words on lines of at most ``width``, in one style."""
    lines = textwrap.wrap(visible(text), width, initial_indent=start, subsequent_indent=then, break_on_hyphens=False)
    return [paint(line, style) for line in lines]
