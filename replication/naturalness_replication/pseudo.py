"""Pseudo-log-likelihood: ln p of each piece given all others of its sentence, from the package's small network.

The piece and the later pieces of its word are masked; otherwise the parts of a rare word would predict one another
(Kauf & Ivanova, ACL 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.language.neural.model import MAX_UNITS, NeuralModel, NeuralNetwork
from naturalness.models.language.units import Stretch
from naturalness.text.view import Doc, stored_beside, view

APART = 6
"""Distance between words masked in the same run: every sixth word is masked, about as many as in training."""
AT_ONCE = 2048
"""Maximum number of pieces in a run of masked texts, to limit memory."""


def pseudo(model: NeuralModel, docs: Sequence[Doc], every: int = 0) -> list[FloatArray]:
    """Return the network's ln p(unit | all others) for each unit except sentence ends, stored beside each Doc.

    This is slow, since the network runs once per unit. If ``every`` is n, every n-th word is masked in the same run, so
    that n runs are enough for a sentence. Docs with a sentence of more than `MAX_UNITS` units get no values.
    """

    def measure(doc: Doc) -> FloatArray:
        sentences = model.read(view(doc))
        if any(len(stretch.units) > MAX_UNITS for stretch in sentences):
            return np.empty(0)
        network = model.network
        return np.concatenate([np.empty(0), *(pseudo_of(network, rows_of(network, s), every) for s in sentences)])

    return stored_beside(docs, f"naturalness.pll.{every}.{model.signature}", lambda new: map(measure, new))


def rows_of(network: NeuralNetwork, stretch: Stretch) -> list[list[int]]:
    """Return the network's rows for the pieces of each word."""
    rows = [network.row(unit) for unit in stretch.units]
    counts = stretch.counts or ()
    return [rows[end - n : end] for n, end in zip(counts, accumulate(counts), strict=True)]


def pseudo_of(network: NeuralNetwork, words: Sequence[Sequence[int]], every: int = 0) -> FloatArray:
    """Return ln p(unit | all others) for each unit of a sentence, but not for its end."""
    logs = [np.empty(0)]
    for stretch in stretches(words, network.max_units - 2):
        logs += [_skipping(network, stretch, every)] if every else _one_by_one(network, stretch)
    return np.concatenate(logs)


def _one_by_one(network: NeuralNetwork, words: Sequence[Sequence[int]]) -> list[FloatArray]:
    assert network.hidden is not None
    plain, texts, at = hiding(words, [network.start], [network.end], network.hidden)
    size = max(1, AT_ONCE // len(plain))
    return [
        network.run(
            texts[i : i + size],
            [[k, position - 1] for k, position in enumerate(at[i : i + size])],
            [plain[position] for position in at[i : i + size]],
            causal=False,
        )[0]
        for i in range(0, len(texts), size)
    ]


def _skipping(network: NeuralNetwork, words: Sequence[Sequence[int]], every: int) -> FloatArray:
    assert network.hidden is not None
    plain = [network.start, *(row for word in words for row in word), network.end]
    owners = np.repeat(np.arange(len(words)), [len(word) for word in words])
    groups = [np.flatnonzero(owners % every == r) for r in range(min(every, len(words)))]
    most = max(map(len, groups))
    texts, at, targets = [], [], []
    for k, units in enumerate(groups):
        text = np.array(plain)
        text[units + 1] = network.hidden
        texts.append(text.tolist())
        # All texts need the same number of positions: repeat a text's last position, and ignore the extra results.
        for unit in np.pad(units, (0, most - len(units)), mode="edge").tolist():
            at.append([k, unit])
            targets.append(plain[unit + 1])
    logs = network.run(texts, at, targets, causal=False)[0].reshape(len(groups), most)
    reordered = np.empty(len(owners))
    for row, units in zip(logs, groups, strict=True):
        reordered[units] = row[: len(units)]
    return reordered


def hiding(
    words: Sequence[Sequence[int]], before: Sequence[int], after: Sequence[int], hidden: int
) -> tuple[list[int], list[list[int]], list[int]]:
    """Return the unmasked text, and for each unit a masked text and the unit's position.

    In its masked text, the unit and the later units of its word are masked.
    """
    plain = [*before, *(unit for word in words for unit in word), *after]
    texts, at, end = [], [], len(before)
    for word in words:
        end += len(word)
        for position in range(end - len(word), end):
            texts.append([*plain[:position], *[hidden] * (end - position), *plain[end:]])
            at.append(position)
    return plain, texts, at


def stretches(words: Sequence[Sequence[int]], most: int) -> list[Sequence[Sequence[int]]]:
    """Split words into runs of at most ``most`` units; longer words are split, too."""
    runs: list[list[Sequence[int]]] = []
    room = 0
    for part in (word[i : i + most] for word in words for i in range(0, len(word), most)):
        if len(part) > room:
            runs.append([])
            room = most
        runs[-1].append(part)
        room -= len(part)
    return list(runs)
