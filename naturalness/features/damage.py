"""What a damage detector says: how sound sentences are, and what is wrong with which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, TOKENS_ALONE, Feature
from naturalness.features.requirements import Requirement, asset, package
from naturalness.models.detector import ASSET, DOUBTFUL, FAST_ASSET, KINDS, Detected, detect, detector
from naturalness.models.piece_vectors import ASSET as VECTORS

if TYPE_CHECKING:
    from spacy.tokens import Doc

ODDS = "ln(P(damage) / P(sound))"


WORDS: Mapping[str, str] = {
    "agreement": "suspected agreement errors",
    "verb": "suspected verb errors",
    "noun": "suspected noun errors",
    "article": "suspected article errors",
    "preposition": "suspected preposition errors",
    "pronoun": "suspected pronoun errors",
    "order": "suspected errors of word order",
    "repeated": "suspected repetitions",
    "missing": "suspected gaps",
    "extra": "suspected needless words",
    "wrong": "suspected wrong words",
    "form": "suspected wrong word forms",
    "join": "suspected halves of other sentences",
    "spelling": "suspected misspellings",
}
"""What the share of each kind of damage is called."""


def _feature(name: str, formula: str, range_: str, direction: str, words: str) -> Feature:
    return Feature(name, formula, range_, direction, undefined="no words, or a text that cannot be judged", words=words)


FEATURES = (
    _feature(
        "soundness",
        "mean over sentences of the logit of soundness",
        "any",
        "sounder",
        words="soundness of the sentences",
    ),
    _feature("least_soundness", "least of them", "any", "sounder", words="soundness of the worst sentence"),
    _feature(
        "sound_sum", "sum over tokens of ln P(sound)", "..0", "less damage", words="soundness of the words, in all"
    ),
    _feature("sound_mean", "the same / tokens", "..0", "less damage", words="soundness of the words"),
    _feature("odds_sum", f"sum over tokens of {ODDS}", "any", "more damage", words="suspicion of errors, in all"),
    _feature("odds_mean", "the same / tokens", "any", "more damage", words="suspicion of errors"),
    _feature(
        "odds_most", f"largest {ODDS} of a token", "any", "more damage", words="suspicion of the most suspect word"
    ),
    _feature(
        "expected",
        "sum over tokens of P(damage): how many damaged words to expect",
        "0..",
        "more damage",
        words="expected number of wrong words",
    ),
    _feature(
        "doubtful_share", f"tokens with P(damage) >= {DOUBTFUL} / tokens", "0..1", "more damage", words="doubtful words"
    ),
    *(
        _feature(
            f"{kind}_share", f"sum over tokens of P({kind}) / tokens", "0..1", "more damage of this kind", WORDS[kind]
        )
        for kind in KINDS[1:]
    ),
)


def detector_requirements(name: str) -> tuple[Requirement, ...]:
    """What a group over a detector needs: the detector, and what runs it."""
    vectors = (asset(VECTORS),) if name == FAST_ASSET else ()
    return (asset("pipeline"), asset(name), *vectors, package("onnxruntime"))


@dataclass(frozen=True)
class DamageFeatures:
    """Numbers of a shipped detector, which learned from damage and from no rating."""

    parsed: ClassVar = TOKENS_ALONE
    name: str = "damage"
    detector: str = ASSET
    """The asset."""
    features: tuple[Feature, ...] = FEATURES

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The detector, and what runs it."""
        return detector_requirements(self.detector)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        table = np.full((len(docs), len(self.features)), NAN)
        for row, detected in zip(table, self._detect(docs), strict=True):
            if detected.parts:
                row[:] = _numbers(detected)
        return table

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        return [detected.problem for detected in self._detect(docs)]

    def prepare(self) -> None:
        """Open the detector."""
        detector(self.detector)

    def _detect(self, docs: Sequence[Doc]) -> list[Detected]:
        return detect(docs, detector(self.detector))


def _numbers(detected: Detected) -> list[float]:
    soundness = [part.soundness for part in detected.parts]
    sound, odds = detected.logs[:, 0], detected.log_odds
    return [
        sum(soundness) / len(soundness),
        min(soundness),
        float(sound.sum()),
        float(sound.mean()),
        float(odds.sum()),
        float(odds.mean()),
        float(odds.max()),
        float(detected.damage.sum()),
        float((detected.damage >= DOUBTFUL).mean()),
        *np.exp(detected.logs[:, 1:]).mean(axis=0).tolist(),
    ]
