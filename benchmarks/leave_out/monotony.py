"""Held-out sentences under zero to three damages, to test whether more damage ever raises a score.

Damage is the package's own (`naturalness.adapting.kinds`), the kind that the model learned from, on sentences of
documents that no model was trained on. Each step keeps the damages before it.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rule_texts import corpus_lines
from naturalness.adapting.kinds import damage_docs
from naturalness.arrays import FloatArray
from naturalness.text.parsing import parse

PER_REGISTER = 40
FEWEST_WORDS = 6
MAX_DAMAGES = 3
MEANS, KINDS = "mean score by damages", "by kind"
ABOVE, RAISED = "original above its damaged version", "a further damage raises the score"
SEED = 1
"""Not the seed of training."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """Sentences, and versions of them with one to three damages."""

    registers: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]
    """``steps[k]``: each sentence with k damages."""
    kinds: tuple[tuple[str, ...], ...]
    """``kinds[k - 1]``: the kind of the k-th damage; empty where nothing more could be damaged."""

    @property
    def texts(self) -> list[str]:
        """Return all texts, step by step."""
        return [text for step in self.steps for text in step]


def sentences(corpora: Path, each: int = PER_REGISTER) -> tuple[list[str], list[str]]:
    """Return registers and held-out sentences, equally many of each."""
    registers, chosen = [], []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        long = [line for line in corpus_lines(path) if len(line.split()) >= FEWEST_WORDS]
        sample = random.Random(SEED).sample(long, each)
        chosen += sample
        registers += [path.name.partition(".")[0]] * len(sample)
    return registers, chosen


def build(corpora: Path) -> Ladder:
    """Damage the sentences step by step."""
    registers, originals = sentences(corpora)
    docs = parse(originals)
    steps, kinds = [tuple(originals)], []
    before: list[Counter[str]] = [Counter() for _ in originals]
    for number in range(1, MAX_DAMAGES + 1):
        damaged = list(damage_docs(docs, n_damages=(number, number), seed=SEED))
        steps.append(tuple(text.text for text in damaged))
        now = [Counter(damage.kind for damage in text.damages) for text in damaged]
        new = [list((n - b).elements()) for n, b in zip(now, before, strict=True)]
        kinds.append(tuple(text[0] if len(text) == 1 else "" for text in new))
        before = now
    return Ladder(tuple(registers), tuple(steps), tuple(kinds))


def figures_of(ladder: Ladder, scores: FloatArray) -> dict[str, Any]:
    """Return the change of scores, in the order of the ladder's texts, as damage grows."""
    by_step = scores.reshape(MAX_DAMAGES + 1, -1)
    kinds = np.array(ladder.kinds)
    stepped = kinds != ""
    up = by_step[1:] > by_step[:-1]
    return {
        "sentences": by_step.shape[1],
        MEANS: [round(float(v), 3) for v in by_step.mean(axis=1)],
        ABOVE: [round(float((by_step[0] > step)[stepped[k]].mean()), 3) for k, step in enumerate(by_step[1:])],
        RAISED: [round(float(up[k][stepped[k]].mean()), 3) for k in range(MAX_DAMAGES)],
        KINDS: {
            str(kind): {
                "damages": int((kinds == kind).sum()),
                "lowers the score": round(1 - float(up[kinds == kind].mean()), 3),
                "mean change": round(float(np.diff(by_step, axis=0)[kinds == kind].mean()), 3),
            }
            for kind in sorted(set(kinds[stepped].tolist()))
        },
    }


def rows_of(figures: dict[str, Any]) -> list[list[Any]]:
    """Return table rows: damages, mean score, share of originals above, share of steps up."""
    above, raised = ([None, *figures[name]] for name in (ABOVE, RAISED))
    return [[str(k), figures[MEANS][k], above[k], raised[k]] for k in range(MAX_DAMAGES + 1)]
