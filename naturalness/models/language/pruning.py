"""Makes a model smaller by leaving out the n-grams that it loses least with.

Stolcke (1998), "Entropy-based pruning of backoff language models": how much the relative entropy
grows when a single n-gram is left to its back-off. Unlike there, a context weighs as much as it
occurs in the text: the lower orders of a Kneser-Ney model are no estimates of that (Chelba et al.,
2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.models.language.estimated import START, Ngrams
from naturalness.models.language.trie import Level, levels_of

SMALLEST = 1e-9
"""What is left of a context's probability at least: a difference of rounded sums may fall below."""
STEPS = 40
LN10 = float(np.log(10.0))


def shrink(ngrams: Ngrams, size: int) -> Ngrams:
    """The model with at most ``size`` n-grams of two words or more; single words all stay.

    Needs the raw counts that `estimate` leaves. Probabilities stay what they were and back-offs
    are computed anew, so that every context still sums to 1.
    """
    if sum(ngrams.sizes[1:]) <= size:
        return ngrams
    if ngrams.raw is None:
        raise ValueError("this model keeps no counts of its n-grams; expected one of `estimate`")
    levels, complete = levels_of(ngrams)
    if not complete or any((level.turn[1:] < level.turn[:-1]).any() for level in levels):
        raise ValueError("the n-grams are not sorted or lack endings; expected those of `estimate`")
    losses = [_losses(ngrams, levels, k) for k in range(2, ngrams.order + 1)]
    low, high = -50.0, 5.0  # natural logs of the loss; the bound is found by halving
    for _ in range(STEPS):
        middle = (low + high) / 2
        kept = _kept(losses, levels, middle)
        low, high = (middle, high) if sum(map(np.count_nonzero, kept)) > size else (low, middle)
    return _without(ngrams, levels, _kept(losses, levels, high))


def _probabilities(ngrams: Ngrams, k: int) -> FloatArray:
    found: FloatArray = 10.0 ** ngrams.logprobs[k - 1].astype(np.float64)
    return found


def _sums(ngrams: Ngrams, levels: Sequence[Level], k: int, kept: BoolArray | None = None) -> FloatArray:
    """For each context of k-grams, what is left by those listed, and by them one word shorter."""
    level = levels[k - 1]
    given = _probabilities(ngrams, k)
    shorter = _probabilities(ngrams, k - 1)[level.suffix]
    rows = slice(None) if kept is None else kept
    n_contexts = len(levels[k - 2].turn)
    left = [1.0 - np.bincount(level.prefix[rows], values[rows], n_contexts) for values in (given, shorter)]
    return np.maximum(np.array(left, dtype=np.float64), SMALLEST)


def _losses(ngrams: Ngrams, levels: Sequence[Level], k: int) -> FloatArray:
    """Natural log of the growth in relative entropy when a k-gram is left to its back-off."""
    assert ngrams.raw is not None
    level = levels[k - 1]
    given = _probabilities(ngrams, k)
    shorter = _probabilities(ngrams, k - 1)[level.suffix]
    left, left_shorter = _sums(ngrams, levels, k)[:, level.prefix]
    backoff = np.log(left) - np.log(left_shorter)
    fresh = np.log(left + given) - np.log(left_shorter + shorter)
    weight = ngrams.raw[k - 2].astype(np.float64)
    if k == 2:
        weight[START] = ngrams.sentences
    weight = weight[level.prefix] / (ngrams.tokens + ngrams.sentences)
    loss = -weight * (given * (np.log(shorter) + fresh - np.log(given)) + left * (fresh - backoff))
    logs: FloatArray = np.log(np.maximum(loss, 1e-30))
    return logs


def _kept(losses: Sequence[FloatArray], levels: Sequence[Level], bound: float) -> list[BoolArray]:
    """Which n-grams stay, bigrams first: dear ones, and what longer ones are made of."""
    kept: list[BoolArray] = []
    needed = np.zeros(0, np.int64)
    for k in range(len(levels), 1, -1):
        mask = losses[k - 2] > bound
        mask[needed] = True
        level = levels[k - 1]
        needed = np.concatenate([level.prefix[mask], level.suffix[mask]])
        kept.append(mask)
    return kept[::-1]


def _without(ngrams: Ngrams, levels: Sequence[Level], kept: Sequence[BoolArray]) -> Ngrams:
    """The model with those n-grams alone and back-offs to match."""
    assert ngrams.raw is not None
    everything = np.ones(len(ngrams.vocabulary), np.bool_)
    masks = [everything, *kept]
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
