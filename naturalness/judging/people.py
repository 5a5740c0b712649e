"""Scores of human-written sentences, by register, stored in a model's folder.

If few of these sentences score below a threshold, the threshold causes few false alarms. The position of a score among
these sentences says more than the score itself.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.english.registers import AUTO, GUESSED, LOWER_CASE, NOTES, PLAIN, SPEECH, TITLES, register_of
from naturalness.errors import UnknownName
from naturalness.features import significant

PEOPLE = "people.json"
"""Name of the file in a model's folder that stores these scores."""
LEVELS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, *(np.arange(2, 20) / 20).tolist(), 0.98, 0.99, 1.0)
"""Shares of sentences at which score quantiles are stored, from 0 to 1."""
LEARNERS = "learners"
SELECTED = (LOWER_CASE, TITLES, NOTES, SPEECH, LEARNERS)
"""Registers that are used only if named or guessed: text that is not edited prose, and learners' sentences."""
YOURS = "yours"
"""Name of the register of texts to which a model was adapted."""
STANDARD_ERRORS = 1.645
"""Number of standard errors subtracted from a share to get a bound that holds in 95 of 100 samples."""
DESIGN_EFFECT = 5
"""Number of sentences that count as one independent draw, since sentences of one document resemble each other (Kish
1965). Chosen on held-out podcasts: with 1, 2.6 % of their sentences fall below a bound of 2 %; with 5, 1.8 % do."""
MOST_REGISTERS = 1000
NEAREST = 1e-6
CLOSED = 0.9
"""The share, 0 to 1, of the gap between the medians of a register and of plain text that a shift closes. Closing all
of it would cost more correlation with ratings than it is worth (benchmarks/results/registers.md)."""


@dataclass(frozen=True, slots=True)
class Register:
    """Human-written sentences of one register."""

    sentences: int
    scores: FloatArray
    """Score quantiles at the shares in `LEVELS`, in ascending order, 0..1."""

    def below(self, score: float) -> float:
        """Return the share of sentences that score lower, 0..1; NaN if the score is NaN."""
        same = np.array(LEVELS)[self.scores == score]
        return float(same[0] if len(same) else np.interp(score, self.scores, LEVELS))

    def score_at(self, share: float) -> float:
        """Return the score, 0..1, below which this share of sentences falls."""
        return float(np.interp(share, LEVELS, self.scores))

    def bound(self, share: float) -> float:
        """Return a score, 0..1, below which at most this share of other sentences in the register is likely to fall.

        This is `score_at` for a share that is `STANDARD_ERRORS` standard errors lower; for the standard error,
        `DESIGN_EFFECT` sentences count as one.
        """
        error = math.sqrt(share * (1 - share) * DESIGN_EFFECT / self.sentences)
        return significant(self.score_at(max(0.0, share - STANDARD_ERRORS * error)))


@dataclass(frozen=True, slots=True)
class Standing:
    """The position of a score among the human-written sentences of a register."""

    register: str
    naturalness: float
    """The score within the register, 0..1; NaN if there is none."""
    overall: float
    """The score that ignores the register, 0..1."""
    percentile: float
    """Percentage of the register's sentences that score lower, 0..100."""


@dataclass(frozen=True)
class People:
    """Registers of human-written sentences, keyed by name."""

    registers: Mapping[str, Register]

    @cached_property
    def plain(self) -> Register:
        """The mean, level by level, of the registers not in `SELECTED`; if there are none, of all registers."""
        return Register(
            sum(register.sentences for register in self._edited),
            np.mean([register.scores for register in self._edited], axis=0),
        )

    @property
    def _edited(self) -> list[Register]:
        """The registers not in `SELECTED`; if there are none, all registers."""
        return [r for name, r in self.registers.items() if name not in SELECTED] or list(self.registers.values())

    def names(self, texts: Sequence[str], register: str) -> list[str]:
        """Return the register of each text: the one named or, for `AUTO`, the one guessed from the text.

        A guessed register that the model does not know counts as plain.
        """
        if register != AUTO:
            if register != PLAIN:
                self.register(register)
            return [register] * len(texts)
        guesses = [register_of(text) for text in texts]
        return [guess if guess in self.registers else PLAIN for guess in guesses]

    def shift(self, register: str) -> float:
        """Return the shift in log-odds that moves a register's median close to the median of plain text."""
        if register == PLAIN:
            return 0.0
        distance = _log_odds(self.plain.score_at(0.5)) - _log_odds(self.register(register).score_at(0.5))
        return CLOSED * distance

    def standing(self, score: float, register: str) -> Standing:
        """Return the position of a score in a register; a higher score never ranks lower within the register."""
        if math.isnan(score):
            return Standing(register, score, score, score)
        shift, scale = self.shift(register), self.plain if register == PLAIN else self.register(register)
        within = significant(1 / (1 + math.exp(-_log_odds(score) - shift))) if shift else score
        return Standing(register, within, score, significant(100 * scale.below(score)))

    def register(self, name: str) -> Register:
        """Return a register by name; raise `UnknownName` if there is none."""
        if name not in self.registers:
            raise UnknownName("register", name, [*self.registers, PLAIN, AUTO])
        return self.registers[name]

    def threshold(self, false_alarms: float, register: str | None = None) -> float:
        """Return a score, 0..1, below which at most this share of human-written sentences is likely to fall (`bound`).

        With a ``register``, the score is on that register's scale. Otherwise, or with `AUTO`, the share holds in each
        register; registers in `SELECTED` count only if named or guessed.
        """
        if register is not None and register != AUTO:
            scale = self.plain if register == PLAIN else self.register(register)
            return self.standing(scale.bound(false_alarms), register).naturalness
        special = [name for name in GUESSED if register == AUTO and name in self.registers]
        within = [self.standing(self.registers[name].bound(false_alarms), name).naturalness for name in special]
        return min([edited.bound(false_alarms) for edited in self._edited] + within)


def _log_odds(score: float) -> float:
    """Return the log-odds of a score, clipped to at least `NEAREST` from 0 and 1."""
    inside = min(max(score, NEAREST), 1 - NEAREST)
    return math.log(inside / (1 - inside))


def people_bytes(scores: Mapping[str, FloatArray]) -> bytes:
    """Return the contents of the file `PEOPLE`; they include no texts."""
    registers = {
        name: {"sentences": len(values), "scores": [float(f"{q:.6g}") for q in np.quantile(values, LEVELS)]}
        for name, values in scores.items()
    }
    return (json.dumps({"levels": LEVELS, "registers": registers}, indent=1) + "\n").encode()


def read_people(data: bytes) -> People:
    """Read bytes that `people_bytes` returned; other bytes may raise any exception (callers use `damage_as`)."""
    plain = json.loads(data)
    if tuple(plain["levels"]) != LEVELS or not 0 < len(plain["registers"]) <= MOST_REGISTERS:
        raise ValueError("its levels are not those of this release, or it has no registers")
    registers = {}
    for name, entry in plain["registers"].items():
        scores = np.array(entry["scores"], dtype=np.float64)
        if scores.shape != (len(LEVELS),) or not (np.diff(scores) >= 0).all() or int(entry["sentences"]) < 1:
            raise ValueError(f"register {name!r:.40} lacks sentences, or its {scores.size} scores are not ascending")
        registers[name] = Register(int(entry["sentences"]), scores)
    return People(registers)
