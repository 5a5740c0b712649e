"""The parts of GRUEN, measured on Docs once and kept beside them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from naturalness.errors import AssetError
from naturalness.models.detector import detector
from naturalness.models.metrics.clouds import word_cloud
from naturalness.models.metrics.gruen import focus, redundancy
from naturalness.models.metrics.gruen.coherence import order_head
from naturalness.models.metrics.gruen.grammaticality import (
    Curve,
    Reading,
    acceptabilities,
    likelihoods,
)
from naturalness.resources import assets_folder, locate
from naturalness.view import view

if TYPE_CHECKING:
    from pathlib import Path

    from spacy.tokens import Doc

ASSET, FORMAT_VERSION = "gruen", 1
PER_VIOLATION = 0.1
"""Taken off for a violation of non-redundancy or focus, as in the paper."""
PER_NAT = 0.1
"""Taken off for a nat of order loss; the paper takes 1 off its own network's."""
CURVES = ("causal", "masked", "acceptability")


@dataclass(frozen=True, slots=True)
class Parts:
    """What GRUEN is the sum of. All NaN for a text without words, or with one that is too long."""

    likelihood: float
    """Mean over sentences, 0..1, higher is better."""
    acceptability: float
    """Mean over sentences, 0..1, higher is better."""
    repeated: float
    """Tests that call two sentences too similar, over all pairs; 0 or more, lower is better."""
    unrelated: float
    """Neighbours that have nothing to do with one another; 0 or more, lower is better."""
    disorder: float
    """Loss of the order of sentences, in nats, 0 or more, lower is better; NaN for one sentence."""

    @property
    def grammaticality(self) -> float:
        """0..1: likelihood and acceptability in equal shares."""
        return (self.likelihood + self.acceptability) / 2

    def sum_of(self, steps: str) -> float:
        """Grammaticality less what each named step takes off: ``r``, ``u``, ``n``; within 0..1.

        r: redundancy, u: focus, n: coherence; a text of one sentence loses nothing by any.
        """
        off = {"r": PER_VIOLATION * self.repeated, "u": PER_VIOLATION * self.unrelated,
               "n": 0.0 if math.isnan(self.disorder) else PER_NAT * self.disorder}  # fmt: skip
        return float(np.clip(self.grammaticality - sum(off[step] for step in steps), 0.0, 1.0))


NOTHING = Parts(*(math.nan,) * 5)


def gruen_parts(docs: Sequence[Doc], reading: Reading = "causal") -> list[Parts]:
    """The parts of each Doc."""
    curves, cut, head = load_curves(), detector().network.cut, order_head()
    pairs = zip(likelihoods(docs, reading), acceptabilities(docs), strict=True)
    found = []
    for doc, (likely, sound) in zip(docs, pairs, strict=True):
        if not len(likely) or not len(sound):
            found.append(NOTHING)
            continue
        tokens = view(doc)
        places = tokens.sentences
        rows = [[p for text in tokens.lower[a:b] for p in cut(text)] for a, b in places]
        found.append(
            Parts(
                float(curves[reading](likely).mean()),
                float(curves["acceptability"](sound).mean()),
                redundancy.violations(
                    [doc[tokens.places[a] : tokens.places[b - 1] + 1].text for a, b in places]
                ),
                focus.violations([word_cloud(tokens.lower[a:b]) for a, b in places]),
                head.loss(rows),
            )
        )
    return found


def load_curves() -> Mapping[str, Curve]:
    """By name; fitted by `python -m training.gruen`."""
    return _load(assets_folder())


@cache
def _load(folder: Path) -> Mapping[str, Curve]:
    path = locate(ASSET)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format_version"] != FORMAT_VERSION:
            raise ValueError(f"format version {data['format_version']!r:.20}")
        return {name: Curve(*map(float, data["curves"][name])) for name in CURVES}
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise AssetError(
            f"{path} holds no curves of GRUEN ({error!s:.200}); reinstall naturalness"
        ) from None
