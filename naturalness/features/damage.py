"""What the damage detector says: how sound sentences are, and what is wrong with which words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.features.base import NAN, Feature, FloatArray, Requirement
from naturalness.models.detector import ASSET, Detected, detect, detector

if TYPE_CHECKING:
    from spacy.tokens import Doc

UNDEFINED = "no words, or a text that cannot be judged"
DOUBTFUL = 0.5
"""Probability of damage from which a word is doubtful."""


def _feature(name: str, formula: str, range_: str, direction: str) -> Feature:
    return Feature(name, formula, range_, direction, undefined=UNDEFINED)


class DamageFeatures:
    """Numbers of the shipped detector, which learned from damage and from no rating."""

    name: ClassVar = "damage"
    requires: ClassVar = (
        Requirement("asset", "pipeline"), Requirement("asset", ASSET),
        Requirement("package", "onnxruntime"),
    )  # fmt: skip

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The table of its features."""
        kinds = detector().network.kinds[1:]
        return (
            _feature("soundness", "mean over sentences of the logit of soundness", "any",
                     "sounder"),
            _feature("least_soundness", "least of them", "any", "sounder"),
            _feature("log_sound_sum", "sum over tokens of ln P(sound)", "..0", "less damage"),
            _feature("log_sound_mean", "the same / tokens", "..0", "less damage"),
            _feature("most_odds", "largest log-odds of damage of a token", "any", "more damage"),
            _feature("doubtful_share", f"tokens with P(damage) >= {DOUBTFUL} / tokens", "0..1",
                     "more damage"),
            *(_feature(f"{kind}_share", f"sum over tokens of P({kind}) / tokens", "0..1",
                       "more damage of this kind") for kind in kinds),
        )  # fmt: skip

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        table = np.full((len(docs), len(self.features)), NAN)
        for row, found in zip(table, detect(docs), strict=True):
            if found.parts:
                row[:] = _numbers(found)
        return table


def _numbers(found: Detected) -> list[float]:
    soundness = [part.soundness for part in found.parts]
    sound = found.logs[:, 0]
    return [
        sum(soundness) / len(soundness),
        min(soundness),
        float(sound.sum()),
        float(sound.mean()),
        float(found.log_odds.max()),
        float((found.damage >= DOUBTFUL).mean()),
        *np.exp(found.logs[:, 1:]).mean(axis=0).tolist(),
    ]
