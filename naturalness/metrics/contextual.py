"""How near a text is to its references by vectors of words in context, of a Hugging Face model.

BERTScore after Zhang et al. (ICLR 2020): each piece is matched with the piece of the other text
that is most like it; no rarity, no rescaling, and start and end of a text are not matched.
MoverScore after Zhao et al. (EMNLP 2019), with words one by one: Word Mover's Distance between
words, each the mean of its pieces, weighted by rarity in the references of the set. Vectors are
those of one layer, where the authors of MoverScore combine several.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.metrics.base import References
from naturalness.metrics.movers import PACKAGE, Cloud, cloud_of, moving_cost
from naturalness.metrics.references import Measure, Read, Rows, read_rows, score_rows
from naturalness.models.huggingface import PREFIX

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.models.encoders.pieces import Encoded, Encoder

    Encode = Callable[[str], Encoded]

PLACEHOLDER = f"{PREFIX}MODEL"
LAYER = re.compile(r"(.+)@([0-9]{1,3})")
TINY = 1e-12


def greedy_f1(similar: FloatArray) -> float:
    """Return the F1 of mean row maximum (precision) and mean column maximum (recall).

    ``similar``: (pieces of the text, pieces of the reference). 0 to 1: 0 where a mean is below 0.
    """
    precision, recall = float(similar.max(axis=1).mean()), float(similar.max(axis=0).mean())
    if precision <= 0 or recall <= 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def unit(vectors: FloatArray) -> FloatArray:
    """Return vectors of length 1 in the same directions."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    long: FloatArray = vectors / np.maximum(lengths, TINY)
    return long


def bertscore(rows: Rows, encode: Encode) -> Measure:
    """Measure the greedy F1 of cosines, with the reference that gives the highest."""

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        vectors, *others = (unit(encode(text.text).vectors) for text in (candidate, *references))
        pairs = [(vectors, other) for other in others if len(vectors) and len(other)]
        return max((greedy_f1(np.clip(first @ second.T, -1, 1)) for first, second in pairs), default=math.nan)

    return measure


def rarity(rows: Rows) -> Callable[[str], float]:
    """Weigh words by ln((rows + 1) / (rows whose references have the word + 1)), 0 or more."""
    from naturalness.models.encoders.pieces import words_of

    known = [{word for reference in row for word in words_of(reference.text)} for row in rows if row]
    n_rows = Counter(word for words in known for word in words)
    return lambda word: math.log((len(known) + 1) / (n_rows[word] + 1))


def context_cloud(encoded: Encoded, weigh: Callable[[str], float]) -> Cloud | None:
    """Return the words that weigh anything, each time they occur; None where there are none."""
    owners = np.array(encoded.owners, np.int64)
    points, weights = [], []
    for number, word in enumerate(encoded.words):
        vectors, weight = encoded.vectors[owners == number], weigh(word)
        if len(vectors) and weight > 0:
            points.append(unit(vectors.mean(axis=0)))
            weights.append(weight)
    return cloud_of(points, weights) if points else None


def moverscore(rows: Rows, encode: Encode) -> Measure:
    """Measure 1 / (1 + the least cost of moving), with the nearest reference."""
    weigh = rarity(rows)

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        cloud, *others = (context_cloud(encode(text.text), weigh) for text in (candidate, *references))
        costs = [moving_cost(cloud, other) for other in others if cloud and other]
        return 1 / (1 + min(costs)) if costs else math.nan

    return measure


@dataclass(frozen=True)
class ContextualMetric:
    """A number from the vectors of a text and of its references."""

    kind: str
    open: Callable[[Rows, Encode], Measure]
    settings: str
    description: str
    model: str = PLACEHOLDER
    """``hf:`` and the name or path of a model, ``@`` and a layer behind it if not the last."""
    higher_is_better: bool = True
    needs_references: bool = True
    set_dependent: bool = False
    package: str = ""

    @property
    def name(self) -> str:
        """As it was asked for."""
        return f"{self.kind}:{self.model}"

    @property
    def signature(self) -> str:
        """Kind, layer, settings, model and version."""
        encoder, layer = self._opened()
        settings = f"layer:{encoder.depth(layer)}|refs:best|{self.settings}"
        return f"{self.kind}|{settings}|{encoder.signature}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """Return one number per Doc; NaN for an empty text or one without references."""
        encoder, layer = self._opened()
        rows = read_rows(references) if self.set_dependent else []
        encode = partial(encoder.encode, layer=encoder.depth(layer))
        return score_rows(docs, references, self.open(rows, encode))

    def _opened(self) -> tuple[Encoder, int | None]:
        from naturalness.models.encoders.pieces import open_encoder

        name = self.model.removeprefix(PREFIX)
        match = LAYER.fullmatch(name)
        return open_encoder(match[1] if match else name), int(match[2]) if match else None


def contextual(name: str) -> ContextualMetric | None:
    """Return a metric of `CONTEXTUAL` with the model that its name gives; None for another name."""
    kind, _, model = name.partition(":")
    metric = CONTEXTUAL.get(f"{kind}:{PLACEHOLDER}") if model.startswith(PREFIX) else None
    return replace(metric, model=model) if metric else None


_IN_ORDER = (
    ContextualMetric(
        "bertscore",
        bertscore,
        "match:greedy|idf:no|rescaled:no",
        "F1 of greedily matched pieces by the cosines of their vectors, best of the references; "
        "0..1; Zhang et al. (2020)",
    ),
    ContextualMetric(
        "moverscore",
        moverscore,
        "n:1|idf:of the set",
        "1 / (1 + Word Mover's Distance of words in context, weighted by rarity in the references "
        "of the set), best of the references; 0..1; Zhao et al. (2019)",
        set_dependent=True,
        package=PACKAGE,
    ),
)
CONTEXTUAL: Mapping[str, ContextualMetric] = {metric.name: metric for metric in _IN_ORDER}
"""By names in which ``MODEL`` stands for the name or path of one."""
