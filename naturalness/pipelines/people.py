"""How sentences by people score, register by register: a file in a model's folder.

A score below which few of them fall bounds false alarms; and where a score stands among them says
more than the score alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError, UnknownName

PEOPLE = "people.json"
"""Its name in a model's folder."""
LEVELS = (0.0, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, *(i / 20 for i in range(2, 20)), 0.98, 0.99, 1.0)
"""Shares of sentences with a lower score."""
SELECTED = ("lower-case", "learners")
"""Registers that count only where they are named: text without capitals and final marks; learners' sentences."""
YOURS = "yours"
"""The register of the texts that a model was adapted to."""
MOST_REGISTERS = 1000


@dataclass(frozen=True, slots=True)
class Register:
    """Sentences of one kind by people."""

    sentences: int
    scores: FloatArray
    """Scores at the shares in `LEVELS`, rising, each in 0..1."""

    def below(self, score: float) -> float:
        """Return the share of its sentences that score lower, 0..1; NaN for a score that is NaN."""
        if score != score:
            return float("nan")
        if score < self.scores[0] or score > self.scores[-1]:
            return float(score > self.scores[-1])
        levels = np.array(LEVELS)
        same = levels[self.scores == score]
        return float(same[0]) if len(same) else float(np.interp(score, self.scores, levels))

    def score_at(self, share: float) -> float:
        """Return the score below which this share of its sentences lies, 0..1."""
        return float(np.interp(share, LEVELS, self.scores))


@dataclass(frozen=True, slots=True)
class People:
    """Registers by name."""

    registers: Mapping[str, Register]

    def register(self, name: str) -> Register:
        """Return a register; raises `UnknownName` where there is none of that name."""
        if name not in self.registers:
            raise UnknownName("register", name, self.registers)
        return self.registers[name]

    def threshold(self, false_alarms: float, register: str | None = None) -> float:
        """Return the score below which at most this share of people's sentences lies, 0..1.

        In ``register``, or in each of all but `SELECTED`.
        """
        if register is not None:
            return self.register(register).score_at(false_alarms)
        plain = [r for name, r in self.registers.items() if name not in SELECTED] or list(self.registers.values())
        return min(r.score_at(false_alarms) for r in plain)


def people_bytes(scores: Mapping[str, FloatArray]) -> bytes:
    """Return the file of the scores of sentences by people, by register; no text is in it."""
    registers = {
        name: {"sentences": len(values), "scores": [float(f"{q:.6g}") for q in np.quantile(values, LEVELS)]}
        for name, values in scores.items()
    }
    return (json.dumps({"levels": LEVELS, "registers": registers}, indent=1) + "\n").encode()


def read_people(data: bytes) -> People:
    """What `people_bytes` wrote; raises anything where it is something else (`damage_as`)."""
    plain = json.loads(data)
    if tuple(plain["levels"]) != LEVELS or not 0 < len(plain["registers"]) <= MOST_REGISTERS:
        raise ValueError("other levels than this release reads, or no registers")
    registers = {}
    for name, entry in plain["registers"].items():
        scores = np.array(entry["scores"], dtype=np.float64)
        if scores.shape != (len(LEVELS),) or not ((scores >= 0) & (scores <= 1)).all() or (np.diff(scores) < 0).any():
            raise ValueError(f"scores of register {name!r:.40} that do not rise from 0 to 1")
        if type(entry["sentences"]) is not int or entry["sentences"] < 1:
            raise ValueError(f"register {name!r:.40} without sentences")
        registers[name] = Register(entry["sentences"], scores)
    return People(registers)


def require_people(people: People | None, model: str) -> People:
    """Return it; raises `ModelError` where a model does not know how people's sentences score."""
    if people is None:
        raise ModelError(
            f"model {model!r} does not know how sentences by people score (it has no {PEOPLE}); "
            "use a model that ships, or a bare number: --min-score"
        )
    return people
