"""The texts of a newer run that score lower than the corresponding texts of an older run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.reports.systems.answers import SystemText
from naturalness.reports.systems.pairs import SystemPair

MIN_CHANGE = 0.01
"""The smallest change in naturalness at which a text counts as better or worse."""
MAX_CHANGES = 20
"""The largest number of texts listed as worse."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """The texts of an older and a newer run for the same input."""

    before: SystemText
    after: SystemText

    @property
    def gain(self) -> float:
        """The change in naturalness; above 0 if the newer text is more natural."""
        return self.after.explanation.naturalness - self.before.explanation.naturalness


@dataclass(frozen=True, slots=True)
class Runs:
    """A comparison of an older and a newer run."""

    older: str
    newer: str
    is_worse: bool
    """Whether mean naturalness fell, and the interval of the difference excludes 0."""
    n_paired: int
    """The number of inputs for which both runs have a text with a score."""
    n_fell: int
    """The number of them whose naturalness fell by `MIN_CHANGE` or more."""
    n_rose: int
    fell: tuple[TextChange, ...]
    """The texts that fell most, at most `MAX_CHANGES`."""


def compare_runs(answers: Sequence[SystemText], older: str, newer: str, pairs: Sequence[SystemPair]) -> Runs:
    """Compare two runs, given their texts and the test of the pair; of several texts for an input, only the first in
    each run is compared.
    """
    runs: dict[str, dict[str, SystemText]] = {older: {}, newer: {}}
    for answer in answers:
        if answer.scored and answer.source:
            runs[answer.system].setdefault(answer.source, answer)
    changes = [
        TextChange(before, runs[newer][source]) for source, before in runs[older].items() if source in runs[newer]
    ]
    fell = [change for change in changes if change.gain <= -MIN_CHANGE]
    return Runs(
        older,
        newer,
        any(pair.first == older and pair.difference.low > 0 for pair in pairs),
        len(changes),
        len(fell),
        sum(change.gain >= MIN_CHANGE for change in changes),
        tuple(sorted(fell, key=lambda change: (change.gain, change.after.row))[:MAX_CHANGES]),
    )
