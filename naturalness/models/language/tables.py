"""An n-gram model as tables, which can be sorted by the endings of n-grams and pruned by entropy.

Pruning follows Stolcke (1998), "Entropy-based pruning of backoff language models": an n-gram's loss is the increase in
relative entropy if that n-gram is the only one removed, so that its probability comes from back-off. Unlike in his
paper, a context is weighted by its count in the text, because the lower orders of a Kneser-Ney model do not estimate
the frequency of contexts (Chelba et al., 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import BoolArray, Float32Array, FloatArray, IntArray

START, STOP = 1, 2
RESERVED = ("<unk>", "<s>", "</s>")
"""Reserved words; their indices are their ids in every vocabulary."""
MAX_ORDER = 6
"""Maximum n-gram length that the kenlm package is built for."""

MIN_MASS = 1e-9
"""Lower bound for the back-off mass of a context, since a difference of rounded sums may fall below 0."""
STEPS = 40
LN10 = float(np.log(10.0))

IdArray = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Ngrams:
    """All n-grams of a model with their probabilities and back-off weights, as in an ARPA file.

    *Shapes:* there are n_k n-grams of order k: ``ids[k - 1]`` is (n_k, k), ``logprobs[k - 1]`` and ``backoffs[k - 1]``
    are (n_k,). The longest n-grams have no back-off.
    """

    vocabulary: list[str]
    """Words by id; the first three are `RESERVED`."""
    ids: tuple[IdArray, ...]
    """Ids of the words of each n-gram, first word first; unigrams are in order of id."""
    logprobs: tuple[Float32Array, ...]
    """log10 probability of the last word given the previous ones; at most 0."""
    backoffs: tuple[Float32Array, ...]
    """log10 of the n-gram's back-off weight as a context; 0 if the n-gram does not begin a longer one."""
    raw: tuple[IntArray, ...] = ()
    """Count of each n-gram in the text, by order; empty if unknown."""
    sentences: int = 0
    tokens: int = 0
    """Number of words in the text, without sentence ends."""
    notes: tuple[str, ...] = ()
    """Remarks on the estimation, for people to read, such as that discounts could not be computed."""

    @property
    def order(self) -> int:
        """Length of the model's longest n-grams."""
        return len(self.ids)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of n-grams of each order."""
        return tuple(len(rows) for rows in self.ids)


@dataclass(frozen=True, slots=True)
class Level:
    """The n-grams of one length, sorted by the id of the last word, then of the word before it, and so on."""

    first: IntArray
    suffix: IntArray
    """Index of each n-gram's ending (all but the first word) in the sorted level of n-grams one word shorter."""
    prefix: IntArray
    """Index of each n-gram's context (all but the last word) in the sorted level of n-grams one word shorter."""


def levels_of(ngrams: Ngrams) -> list[Level]:
    """Return the n-grams of each length, which must be sorted as `estimate` returns them."""
    n_words = len(ngrams.vocabulary)
    every = np.arange(n_words)
    levels = [Level(every, np.zeros(n_words, np.int64), np.zeros(n_words, np.int64))]
    keys = [every]
    for k in range(2, ngrams.order + 1):
        ids = ngrams.ids[k - 1].astype(np.int64)
        first, suffix = ids[:, 0], ids[:, -1]
        for j in range(2, k):
            suffix = np.searchsorted(keys[j - 1], suffix * n_words + ids[:, -j])
        prefix = first if k == 2 else np.searchsorted(keys[-1], levels[-1].prefix[suffix] * n_words + first)
        levels.append(Level(first, suffix, prefix))
        keys.append(suffix * n_words + first)
    return levels


def shrink(ngrams: Ngrams, size: int) -> Ngrams:
    """Prune the model to at most ``size`` n-grams of two words or more; all unigrams stay.

    Needs the raw counts and the order of `estimate`. Probabilities of the remaining n-grams do not change; back-off
    weights are recomputed, so that the probabilities after every context still sum to 1.
    """
    if sum(ngrams.sizes[1:]) <= size:
        return ngrams
    levels = levels_of(ngrams)
    losses = [_losses(ngrams, levels, k) for k in range(2, ngrams.order + 1)]
    low, high = -50.0, 5.0  # ln of the loss: bisect for the threshold
    for _ in range(STEPS):
        middle = (low + high) / 2
        masks = _masks_above(losses, levels, middle)
        low, high = (middle, high) if sum(map(np.count_nonzero, masks)) > size else (low, middle)
    return _without(ngrams, levels, _masks_above(losses, levels, high))


def _probabilities(ngrams: Ngrams, k: int) -> FloatArray:
    return 10.0 ** ngrams.logprobs[k - 1].astype(np.float64)


def _sums(ngrams: Ngrams, levels: Sequence[Level], k: int, mask: BoolArray | None = None) -> FloatArray:
    """Return two masses for each context of k-grams.

    They are 1 minus the sum of the k-grams' probabilities, and 1 minus the sum of the probabilities of the k-grams'
    endings, which are one word shorter.
    """
    level = levels[k - 1]
    probabilities = _probabilities(ngrams, k)
    shorter = _probabilities(ngrams, k - 1)[level.suffix]
    rows = slice(None) if mask is None else mask
    n_contexts = len(levels[k - 2].first)
    left = [1.0 - np.bincount(level.prefix[rows], values[rows], n_contexts) for values in (probabilities, shorter)]
    return np.maximum(np.array(left, dtype=np.float64), MIN_MASS)


def _losses(ngrams: Ngrams, levels: Sequence[Level], k: int) -> FloatArray:
    """Return ln of each k-gram's loss, which is the increase in relative entropy if only that k-gram is removed."""
    level = levels[k - 1]
    probabilities = _probabilities(ngrams, k)
    shorter = _probabilities(ngrams, k - 1)[level.suffix]
    left, left_shorter = _sums(ngrams, levels, k)[:, level.prefix]
    backoff = np.log(left) - np.log(left_shorter)
    fresh = np.log(left + probabilities) - np.log(left_shorter + shorter)
    weight = ngrams.raw[k - 2].astype(np.float64)
    if k == 2:
        weight[START] = ngrams.sentences
    weight = weight[level.prefix] / (ngrams.tokens + ngrams.sentences)
    loss = -weight * (probabilities * (np.log(shorter) + fresh - np.log(probabilities)) + left * (fresh - backoff))
    logs: FloatArray = np.log(np.maximum(loss, 1e-30))
    return logs


def _masks_above(losses: Sequence[FloatArray], levels: Sequence[Level], bound: float) -> list[BoolArray]:
    """Return masks of the n-grams to keep, bigrams first.

    They are the n-grams with losses above ``bound``, and the contexts and endings of longer n-grams that are kept.
    """
    masks: list[BoolArray] = []
    needed = np.zeros(0, np.int64)
    for k in range(len(levels), 1, -1):
        mask = losses[k - 2] > bound
        mask[needed] = True
        level = levels[k - 1]
        needed = np.concatenate([level.prefix[mask], level.suffix[mask]])
        masks.append(mask)
    return masks[::-1]


def _without(ngrams: Ngrams, levels: Sequence[Level], long_masks: Sequence[BoolArray]) -> Ngrams:
    """Return the model with only the n-grams in the masks, and with recomputed back-off weights."""
    everything = np.ones(len(ngrams.vocabulary), np.bool_)
    masks = [everything, *long_masks]
    backoffs = []
    for k in range(2, ngrams.order + 1):
        left, left_shorter = _sums(ngrams, levels, k, masks[k - 1])
        followed = np.bincount(levels[k - 1].prefix[masks[k - 1]], minlength=len(left)) > 0
        values = np.where(followed, (np.log(left) - np.log(left_shorter)) / LN10, 0.0)
        backoffs.append(values.astype(np.float32)[masks[k - 2]])
    return replace(
        ngrams,
        ids=tuple(rows[mask] for rows, mask in zip(ngrams.ids, masks, strict=True)),
        logprobs=tuple(rows[mask] for rows, mask in zip(ngrams.logprobs, masks, strict=True)),
        backoffs=tuple(backoffs),
        raw=tuple(rows[mask] for rows, mask in zip(ngrams.raw, masks, strict=True)),
    )
