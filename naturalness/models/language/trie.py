"""Puts the n-grams of a model into the order of KenLM's trie, which goes from the last word back.

Words are numbered by their hash. An n-gram stands among those with the same ending, sorted by its
first word, so a node is one word, and its children are the words that may stand in front. Two
things are added that an ARPA file does not say: which n-grams have longer ones behind them, told
by the sign of a zero back-off (`lm/blank.hh`), and the nodes of endings that the model lacks
("blanks"), which models pruned by other tools may need.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from naturalness.arrays import BoolArray, Float32Array, IntArray
from naturalness.errors import ModelError
from naturalness.models.language.estimated import IdArray, Ngrams

Gram = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Nodes:
    """The n-grams of one length in the order of the trie."""

    words: IntArray
    """Number of the first word, by hash."""
    logprobs: Float32Array
    backoffs: Float32Array
    """Negative zero where nothing longer begins with the n-gram."""
    children: IntArray
    """Where the children of each begin among the next nodes; one more entry for the end."""


def arrange(ngrams: Ngrams, numbers: IntArray) -> list[Nodes]:
    """The trie of a model; ``numbers`` are those of its words in the order of their hashes."""
    levels, complete = levels_of(ngrams)
    if not complete:
        ngrams = add_blanks(ngrams)
        levels, _ = levels_of(ngrams)
    return _renumbered(ngrams, levels, numbers, blanks=not complete)


@dataclass(frozen=True, slots=True)
class Level:
    """n-grams of one length, sorted from the last word to the first, words numbered as given."""

    turn: IntArray
    """Their places in the model."""
    first: IntArray
    suffix: IntArray
    """Place of the n-gram without its first word among those shorter by one."""
    prefix: IntArray
    """Place of the n-gram without its last word among those shorter by one; -1 where absent."""


def levels_of(ngrams: Ngrams) -> tuple[list[Level], bool]:
    """All n-grams sorted, and whether every ending is there; stops at the first that is not."""
    n_words = len(ngrams.vocabulary)
    every = np.arange(n_words)
    levels = [Level(every, every, np.zeros(n_words, np.int64), np.zeros(n_words, np.int64))]
    keys = [every]
    for k in range(2, ngrams.order + 1):
        ids = ngrams.ids[k - 1]
        suffix = ids[:, -1].astype(np.int64)
        for j in range(2, k):
            suffix = _find(keys[j - 1], suffix * n_words + ids[:, -j])
            if (suffix < 0).any():
                return levels, False
        first = ids[:, 0].astype(np.int64)
        key = suffix * n_words + first
        turn = np.arange(len(key))
        if (key[1:] <= key[:-1]).any():
            turn = np.argsort(key)
            key, first, suffix = key[turn], first[turn], suffix[turn]
            if (double := np.flatnonzero(key[1:] == key[:-1])).size:
                words = _words(ngrams, ids[turn[double[0]]])
                raise ModelError(f"the model has the n-gram {words!r} twice; expected it once")
        below = levels[-1].prefix[suffix]
        prefix = first if k == 2 else _find(keys[-1], below * n_words + first, below < 0)
        levels.append(Level(turn, first, suffix, prefix))
        keys.append(key)
    return levels, True


def _find(keys: IntArray, wanted: IntArray, absent: BoolArray | None = None) -> IntArray:
    """Places of values in sorted keys; -1 for a value that is not there or known to be absent."""
    if not len(keys):
        return np.full(len(wanted), -1)
    turn = None
    if (wanted[1:] < wanted[:-1]).any():
        turn = np.argsort(wanted)  # sorted, the search moves through memory in one direction
        wanted = wanted[turn]
    places = np.searchsorted(keys, wanted)
    np.minimum(places, len(keys) - 1, out=places)
    places[keys[places] != wanted] = -1
    if turn is not None:
        given = np.empty_like(places)
        given[turn] = places
        places = given
    if absent is not None:
        places[absent] = -1
    return places


def _renumbered(ngrams: Ngrams, levels: list[Level], numbers: IntArray, *, blanks: bool) -> list[Nodes]:
    """Nodes in the order of the words' new numbers."""
    order, n_words = len(levels), len(numbers)
    nodes: list[Nodes] = []
    places = numbers
    turn = np.argsort(numbers)
    for k, level in enumerate(levels, start=1):
        if k > 1:
            turn = np.argsort(places[level.suffix] * n_words + numbers[level.first])
            above = places[level.suffix[turn]]
            children = np.searchsorted(above, np.arange(len(nodes[-1].words) + 1))
            nodes[-1] = replace(nodes[-1], children=children)
            places = np.empty_like(turn)
            places[turn] = np.arange(len(turn))
        source = level.turn[turn]
        backoffs = np.zeros(0, np.float32)
        if k < order:
            prefix = levels[k].prefix
            if not blanks and (lost := np.flatnonzero(prefix < 0)).size:
                _complain(ngrams, ngrams.ids[k][levels[k].turn[lost[0]]])
            backoffs = _with_signs(ngrams.backoffs[k - 1][level.turn], prefix)[turn]
        nodes.append(
            Nodes(
                numbers[level.first[turn]],
                ngrams.logprobs[k - 1][source] + np.float32(0),
                backoffs,
                np.zeros(0, np.int64),
            )
        )
    return nodes


def _with_signs(backoffs: Float32Array, prefix: IntArray) -> Float32Array:
    """Zero back-offs positive where a longer n-gram begins with this one, else negative."""
    extended = np.zeros(len(backoffs), np.bool_)
    extended[prefix[prefix >= 0]] = True
    signed: Float32Array = np.where(extended, np.float32(0.0), np.float32(-0.0))
    return np.where(backoffs == 0, signed, backoffs)


def _words(ngrams: Ngrams, ids: IdArray) -> str:
    return " ".join(ngrams.vocabulary[i] for i in ids)


def _complain(ngrams: Ngrams, ids: IdArray) -> None:
    raise ModelError(
        f"the model has the n-gram {_words(ngrams, ids)!r} without its context "
        f"{_words(ngrams, ids[:-1])!r}; kenlm cannot score that: keep the contexts when pruning"
    )


def add_blanks(ngrams: Ngrams) -> Ngrams:
    """The model with an n-gram for every ending of a longer one, which scores as before.

    Such a blank has the probability that the model computes for it from shorter ones. n-grams go
    through Python one by one here: models that `estimate` or lmplz made do not need it.
    """
    tables: list[dict[Gram, tuple[float, float]]] = []
    longest = np.zeros(ngrams.sizes[-1], np.float32)
    for ids, *numbers in zip(ngrams.ids, ngrams.logprobs, (*ngrams.backoffs, longest), strict=True):
        logprobs, backoffs = (column.tolist() for column in numbers)
        pairs = zip(logprobs, backoffs, strict=True)
        tables.append(dict(zip(map(tuple, ids.tolist()), pairs, strict=True)))
    for k in range(2, ngrams.order + 1):
        for row, gram in enumerate(tables[k - 1]):
            if gram[:-1] not in tables[k - 2]:
                _complain(ngrams, ngrams.ids[k - 1][row])
    missing: list[dict[Gram, tuple[float, float]]] = [{} for _ in tables]
    for k in range(ngrams.order, 2, -1):
        for gram in (*tables[k - 1], *missing[k - 1]):
            if gram[1:] not in tables[k - 2]:
                missing[k - 2][gram[1:]] = _backed_off(tables, gram[1:]), 0.0
    return _joined(ngrams, missing)


def _joined(ngrams: Ngrams, added: list[dict[Gram, tuple[float, float]]]) -> Ngrams:
    """The model with more n-grams of each order."""
    ids, logprobs, backoffs = [], [], []
    for k, extra in enumerate(added, start=1):
        numbers = np.array(list(extra.values()), np.float32).reshape(-1, 2)
        ids.append(np.concatenate([ngrams.ids[k - 1], np.array(list(extra), np.uint32).reshape(-1, k)]))
        logprobs.append(np.concatenate([ngrams.logprobs[k - 1], numbers[:, 0]]))
        if k < ngrams.order:
            backoffs.append(np.concatenate([ngrams.backoffs[k - 1], numbers[:, 1]]))
    return replace(ngrams, ids=tuple(ids), logprobs=tuple(logprobs), backoffs=tuple(backoffs))


def _backed_off(tables: list[dict[Gram, tuple[float, float]]], gram: Gram) -> float:
    """log10 probability of an n-gram that the model lacks: a shorter one's, and back-offs."""
    known = next(i for i in range(1, len(gram)) if gram[i:] in tables[len(gram) - i - 1])
    weights = [tables[len(gram) - i - 2].get(gram[i:-1], (0.0, 0.0))[1] for i in range(known)]
    # In single precision and from the shortest context up, as KenLM adds them.
    total = np.float32(tables[len(gram) - known - 1][gram[known:]][0])
    for weight in reversed(weights):
        total += np.float32(weight)
    return float(total)
