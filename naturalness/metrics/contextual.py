"""Similarity of a text to its references by contextual word vectors of a Hugging Face model.

BERTScore after Zhang et al. (ICLR 2020): each piece is matched with the most similar piece of the other
text, without idf weights or rescaling; start and end marks are not matched. MoverScore after Zhao et al.
(EMNLP 2019) over unigrams: Word Mover's Distance between words, each the mean of its pieces, weighted by
inverse frequency in the references of the set. Vectors come from one layer; the authors of MoverScore
combine several.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.metrics.base import ComputedMetric, References
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
    """Return the F1 of mean row maximum (precision) and mean column maximum (recall), 0 to 1.

    ``similar`` is (pieces of the text, pieces of the reference). 0 if a mean is below 0.
    """
    precision, recall = float(similar.max(axis=1).mean()), float(similar.max(axis=0).mean())
    if precision <= 0 or recall <= 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def unit(vectors: FloatArray) -> FloatArray:
    """Return vectors scaled to length 1."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    long: FloatArray = vectors / np.maximum(lengths, TINY)
    return long


def bertscore(rows: Rows, encode: Encode) -> Measure:
    """Return a measure: the greedy F1 of cosines, best of the references."""

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        vectors, *others = (unit(encode(text.text).vectors) for text in (candidate, *references))
        pairs = [(vectors, other) for other in others if len(vectors) and len(other)]
        return max((greedy_f1(np.clip(first @ second.T, -1, 1)) for first, second in pairs), default=math.nan)

    return measure


def rarity(rows: Rows) -> Callable[[str], float]:
    """Return a function that weights words by ln((rows + 1) / (rows whose references have the word + 1))."""
    from naturalness.models.encoders.pieces import words_of

    known = [{word for reference in row for word in words_of(reference.text)} for row in rows if row]
    n_rows = Counter(word for words in known for word in words)
    return lambda word: math.log((len(known) + 1) / (n_rows[word] + 1))


def context_cloud(encoded: Encoded, weigh: Callable[[str], float]) -> Cloud | None:
    """Return the word tokens of positive weight; None if there are none."""
    owners = np.array(encoded.owners, np.int64)
    points, weights = [], []
    for number, word in enumerate(encoded.words):
        vectors, weight = encoded.vectors[owners == number], weigh(word)
        if len(vectors) and weight > 0:
            points.append(unit(vectors.mean(axis=0)))
            weights.append(weight)
    return cloud_of(points, weights) if points else None


def moverscore(rows: Rows, encode: Encode) -> Measure:
    """Return a measure: 1 / (1 + transport cost), best of the references."""
    weigh = rarity(rows)

    def measure(candidate: Read, references: Sequence[Read]) -> float:
        cloud, *others = (context_cloud(encode(text.text), weigh) for text in (candidate, *references))
        costs = [moving_cost(cloud, other) for other in others if cloud and other]
        return 1 / (1 + min(costs)) if costs else math.nan

    return measure


class Kind(NamedTuple):
    """A metric over any model."""

    open: Callable[[Rows, Encode], Measure]
    settings: str
    description: str
    set_dependent: bool = False
    package: str = ""


KINDS: Mapping[str, Kind] = {
    "bertscore": Kind(
        bertscore,
        "match:greedy|idf:no|rescaled:no",
        "F1 of greedily matched pieces by the cosines of their vectors, best of the references; "
        "0..1; Zhang et al. (2020)",
    ),
    "moverscore": Kind(
        moverscore,
        "n:1|idf:of the set",
        "1 / (1 + Word Mover's Distance of words in context, weighted by rarity in the references "
        "of the set), best of the references; 0..1; Zhao et al. (2019)",
        set_dependent=True,
        package=PACKAGE,
    ),
}


def _metric(kind: str, model: str) -> ComputedMetric:
    """Return a metric over ``hf:MODEL``, or ``hf:MODEL@LAYER`` for another layer than the last."""
    return ComputedMetric(
        f"{kind}:{model}",
        partial(_score, kind, model),
        partial(_settings, kind, model),
        KINDS[kind].description,
        needs_references=True,
        set_dependent=KINDS[kind].set_dependent,
        package=KINDS[kind].package,
        signed=kind,
    )


def _score(kind: str, model: str, docs: Sequence[Doc], references: References | None) -> FloatArray:
    encoder, layer = _opened(model)
    rows = read_rows(references) if KINDS[kind].set_dependent else []
    return score_rows(docs, references, KINDS[kind].open(rows, partial(encoder.encode, layer=layer)))


def _settings(kind: str, model: str) -> str:
    encoder, layer = _opened(model)
    return f"layer:{layer}|refs:best|{KINDS[kind].settings}|{encoder.signature}"


def _opened(model: str) -> tuple[Encoder, int]:
    from naturalness.models.encoders.pieces import open_encoder

    name = model.removeprefix(PREFIX)
    match = LAYER.fullmatch(name)
    encoder = open_encoder(match[1] if match else name)
    return encoder, encoder.depth(int(match[2]) if match else None)


def contextual(name: str) -> ComputedMetric | None:
    """Return the metric that a name such as ``bertscore:hf:MODEL`` asks for; None for another name."""
    kind, _, model = name.partition(":")
    return _metric(kind, model) if kind in KINDS and model.startswith(PREFIX) else None


CONTEXTUAL: Mapping[str, ComputedMetric] = {f"{kind}:{PLACEHOLDER}": _metric(kind, PLACEHOLDER) for kind in KINDS}
"""Metrics by name; ``MODEL`` stands for a model's name or path."""
