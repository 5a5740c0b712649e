"""A text of one run beside that of another: which causes and findings came and went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.explaining.explanation import Explanation, Finding
from naturalness.reports.systems.answers import Answer, sure

SAME = 0.01
"""Naturalness by which a text must change to count as better or worse."""
SHOWN = 10
"""Texts that fell or rose most."""


@dataclass(frozen=True, slots=True)
class Change:
    """A text of both runs."""

    before: Answer
    after: Answer
    causes: tuple[tuple[str, float], ...]
    """Titles of causes and what each adds now less what it added, the largest change first."""
    gone: tuple[Finding, ...]
    new: tuple[Finding, ...]

    @property
    def gain(self) -> float:
        """Naturalness now less naturalness then."""
        return self.after.explanation.naturalness - self.before.explanation.naturalness


def change_of(old: Answer, new: Answer) -> Change:
    """What moved between two texts."""
    then, now = _amounts(old.explanation), _amounts(new.explanation)
    titles = {one.cause: one.title for told in (old, new) for one in told.explanation.contributions}
    moved = [(title, now.get(cause, 0.0) - then.get(cause, 0.0)) for cause, title in titles.items()]
    gone, more = sure(old.explanation), sure(new.explanation)
    return Change(
        old,
        new,
        tuple(sorted(moved, key=lambda one: (-abs(one[1]), one[0]))),
        gone=_without(gone, more),
        new=_without(more, gone),
    )


def _amounts(told: Explanation) -> dict[str, float]:
    return {one.cause: one.value for one in told.contributions}


def _without(findings: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that are not among others, by kind and words."""
    left = Counter((one.kind, one.text.casefold()) for one in others)
    out = []
    for one in findings:
        key = one.kind, one.text.casefold()
        if left[key]:
            left[key] -= 1
        else:
            out.append(one)
    return tuple(out)


def most_changed(changes: Sequence[Change], sign: int) -> tuple[Change, ...]:
    """Those that changed most in a direction."""
    found = [change for change in changes if sign * change.gain >= SAME]
    return tuple(sorted(found, key=lambda one: (-sign * one.gain, one.after.row))[:SHOWN])
