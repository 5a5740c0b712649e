"""GRUEN's judges: models that compute the likelihood, acceptability and order of sentences.

Likelihood: the paper sums ln p(word | all other words) over a sentence; it does not say how the sum is scaled, although
its score lies in 0..1. Our judge takes the geometric mean over word pieces of p / (p + u), where u is the frequency of
the piece (`belonging`). This needs no constants, and neither length nor rare words lower it. Models that store no
frequencies use the geometric mean of p, which maps the paper's sum to 0..1.

Acceptability: our judge uses the rating predicted by the damage detector's network, which was trained on ratings of
many kinds of texts. The paper uses BERT trained on CoLA, a set of linguists' example sentences.

Order: the judge computes the loss of sentence-order prediction (Lan et al., ALBERT, 2020). A text is split between two
sentences, and a network predicts whether the two parts are in order or swapped. Our network encodes each sentence once,
using the lower layers of the damage detector, and compares the parts by the sentence vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from naturalness.arrays import Float32Array, FloatArray, IntArray
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.models.detector import detector
from naturalness.models.language.base import END
from naturalness.models.language.shipped import neural
from naturalness.models.networks import OnnxSession, Rows
from naturalness.text.view import Doc, View, view

MAX_SENTENCES = 100
"""The maximum number of sentences in a text; it is limited because all pairs of sentences are compared."""
TOO_MANY = f"more than {MAX_SENTENCES} sentences"
States = Float32Array
"""The hidden states of a sentence's word pieces, (1, n_pieces, n_dimensions)."""


def problem_of(doc: Doc) -> str:
    """Return why a Doc cannot be judged; an empty string if it can."""
    return TOO_MANY if len(view(doc).sentences) > MAX_SENTENCES else ""


@dataclass(frozen=True)
class GruenText:
    """A Doc that has at least one word, and the data that the judges share; these are computed once."""

    doc: Doc

    @property
    def seen(self) -> View:
        """The tokens and sentence boundaries."""
        return view(self.doc)

    @cached_property
    def sentences(self) -> list[str]:
        """The original text of each sentence that contains a word."""
        seen = self.seen
        ranges = [(seen.positions[a], seen.positions[b - 1] + 1) for a, b in seen.sentences]
        return [self.doc[start:end].text for start, end in ranges]

    @property
    def inner(self) -> list[States]:
        """The hidden states of each sentence at the input of the detector's last layers."""
        return [inner for inner, _ in self._read]

    @property
    def ratings(self) -> list[float]:
        """The predicted rating of each sentence, standardised on sentences by learners and by linguists."""
        return [rating for _, rating in self._read]

    @cached_property
    def _read(self) -> list[tuple[States, float]]:
        """Run the detector on each sentence, and return its hidden states and rating; long sentences are truncated."""
        network = detector().network
        rows = [[piece for word in self.seen.lower[a:b] for piece in network.cut(word)] for a, b in self.seen.sentences]
        read = dict(network.every_piece(("inner", "rating"), [[row[: network.max_pieces - 2]] for row in rows]))
        return [(inner[None], float(rating[0])) for inner, rating in map(read.__getitem__, range(len(rows)))]


class Likelihood(Protocol):
    """A judge of likelihood."""

    @property
    def signature(self) -> str: ...
    def of(self, docs: Sequence[Doc]) -> list[FloatArray]:
        """Return, for each Doc, the likelihood of each sentence, 0..1; an empty array if the text cannot be read."""
        ...


class Acceptability(Protocol):
    """A judge of acceptability."""

    @property
    def signature(self) -> str: ...
    def probabilities(self, text: GruenText) -> FloatArray:
        """Return the predicted acceptability of each sentence, 0..1; higher is better."""
        ...


class Order(Protocol):
    """A judge of sentence order."""

    @property
    def signature(self) -> str: ...
    def loss(self, text: GruenText) -> float:
        """Return the mean of -ln p(correct) over all splits, each in both orders; NaN for fewer than two sentences."""
        ...


@dataclass(frozen=True, slots=True)
class Judges:
    """The judges of likelihood, acceptability and order, which are the parts of GRUEN that need networks."""

    likelihood: Likelihood
    acceptability: Acceptability
    order: Order

    @property
    def signature(self) -> str:
        """The signatures of all three judges."""
        return "|".join((self.likelihood.signature, self.acceptability.signature, self.order.signature))


@dataclass(frozen=True, slots=True)
class RatingHead:
    """A judge of acceptability that uses the rating predicted by the detector."""

    signature: str

    def probabilities(self, text: GruenText) -> FloatArray:
        """Return the acceptability of each sentence, 0..1."""
        return np.array([probability_of(rating) for rating in text.ratings], np.float64)


def probability_of(rating: float) -> float:
    """Return the standard normal distribution function at a standardised rating, 0..1."""
    return 0.5 * math.erfc(-rating / math.sqrt(2))


def rating_head() -> RatingHead:
    """Return the rating head of the shipped detector."""
    return RatingHead(f"rating:{detector().signature}")


ORDER_ASSET = "order"
SENTENCE_NETWORK, ORDER_NETWORK = "sentence.onnx", "order.onnx"
POSITIONS = 8
"""The number of distinct sentence positions; all later sentences share the last position."""


@dataclass(frozen=True, slots=True)
class OrderHead:
    """A judge of whether two parts of a text are in order."""

    signature: str
    sentence: OnnxSession
    order: OnnxSession

    def vector(self, inner: States) -> Float32Array:
        """Return the vector of a sentence, (1, n_dimensions), given its hidden states."""
        return self.sentence.run(("sentence",), {"inner": inner})[0]

    def logit(self, vectors: Float32Array, split: int) -> float:
        """Return the logit that two parts of a text are in order rather than swapped.

        ``vectors`` has one row per sentence, and ``split`` is the number of sentences in the first part.
        """
        n = len(vectors)
        inputs: dict[str, Rows] = {
            "sentences": vectors[None],
            "places": [[min(i, POSITIONS - 1) for i in range(n)]],
            "second": [[int(i >= split) for i in range(n)]],
        }
        return float(self.order.run(("order",), inputs)[0][0, 0])

    def loss(self, text: GruenText) -> float:
        """Return the mean of -ln p(correct), in nats, over all splits of a text, each in both orders.

        It is at least 0, and lower for a more coherent text; guessing gives ln 2. NaN for fewer than two sentences.
        """
        if len(text.inner) < 2:
            return math.nan
        vectors = np.concatenate([self.vector(inner) for inner in text.inner])
        return float(np.mean([np.logaddexp(0.0, -logit) for logit in self._right(vectors)]))

    def _right(self, vectors: Float32Array) -> Iterator[float]:
        """Yield the logit of the correct answer for each split in both orders."""
        for split in range(1, len(vectors)):
            yield self.logit(vectors, split)
            swapped = np.concatenate([vectors[split:], vectors[:split]])
            yield -self.logit(swapped, len(vectors) - split)


@opened_once
def order_head() -> OrderHead:
    """Return the shipped judge of order, opened once per process."""
    sessions = [OnnxSession(locate(ORDER_ASSET) / name) for name in (SENTENCE_NETWORK, ORDER_NETWORK)]
    known = load_manifest()[ORDER_ASSET].checksum
    return OrderHead(f"{ORDER_ASSET}:{known},{detector().signature}", *sessions)


@dataclass(frozen=True, slots=True)
class NetworkLikelihood:
    """A judge of likelihood that runs the shipped network on sentences."""

    name: str
    of: Callable[[Sequence[Doc]], list[FloatArray]]

    @property
    def signature(self) -> str:
        """The name of the reading and the signature of the model."""
        return f"{self.name}:{neural().signature}"


def _from_the_left(docs: Sequence[Doc]) -> list[FloatArray]:
    """Return likelihoods, including sentence ends, from the mixture of network and n-grams; one run per sentence."""
    likelihoods = []
    for scores in neural().token_logprobs(docs):
        ends = np.flatnonzero([unit == END for unit in scores.units]) + 1
        likelihoods.append(belongings(scores.logprobs, scores.unigrams, ends))
    return likelihoods


CAUSAL = NetworkLikelihood("causal", _from_the_left)


def belongings(logs: FloatArray, unigrams: FloatArray, ends: IntArray) -> FloatArray:
    """Return, for each sentence, the geometric mean over pieces of p / (p + u), or of p where u is NaN."""
    if not len(ends):
        return np.empty(0)
    gains, known = logs.copy(), ~np.isnan(unigrams)
    gains[known] = -np.logaddexp(0.0, unigrams[known] - logs[known])
    return np.exp([part.mean() for part in np.split(gains, ends[:-1])])


def shipped_judges() -> Judges:
    """Return the shipped judges, opened once per process."""
    return Judges(CAUSAL, rating_head(), order_head())
