"""A grammar small enough to calculate by hand, and one with contexts of every length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from naturalness.models.parsers.generative.backoff import Backoff, Counts
from naturalness.models.parsers.generative.grammar import (
    ALPHABET_START,
    BEGINNING,
    CAPITAL,
    LOWER,
    NONE,
    ROOT,
    STOP,
    Grammar,
    Symbols,
)
from naturalness.models.parsers.generative.store import Names

LABELS = ("NP", "S", "VP")
TAGS = ("NN", "VBP")
FORMS = ("bark", "dogs")
LETTERS = ("a", "b")
SYMBOLS = Symbols(LABELS, TAGS)
NP, S, VP = map(SYMBOLS.label, LABELS)
NN, VBP = map(SYMBOLS.tag, TAGS)

Table = Mapping[Sequence[int], Mapping[int, int]]
"""Outcomes with their weights, by context."""


def level(scale: float, radix: Sequence[int], table: Table) -> Counts:
    """Return the counts of contexts of one length."""

    def packed(context: Sequence[int]) -> int:
        key = 0
        for value, size in zip(context, radix, strict=False):
            key = key * size + value
        return key

    ordered = sorted((packed(context), sorted(weights.items())) for context, weights in table.items())
    outcomes = [pair for _, pairs in ordered for pair in pairs]
    return Counts(
        scale,
        np.array([key for key, _ in ordered]),
        np.array([len(pairs) for _, pairs in ordered]),
        np.zeros(len(ordered), np.int64),
        np.array([outcome for outcome, _ in outcomes]),
        np.array([weight for _, weight in outcomes]),
    )


def content() -> tuple[Names, dict[str, list[Counts]]]:
    """Return the grammar of the tree (S (NP (NN dogs)) (VP (VBP bark))), with every k equal to 1."""
    radix = (SYMBOLS.size,) * 6
    rules = [
        level(1, radix, {(): {STOP: 3, NP: 1, S: 1, VP: 1, NN: 1, VBP: 1}}),
        level(
            1,
            radix,
            {(ROOT,): {S: 1}, (S,): {NP: 1, VP: 1, STOP: 1}, (NP,): {NN: 1, STOP: 1}, (VP,): {VBP: 1, STOP: 1}},
        ),
        level(1, radix, {(ROOT, NONE): {S: 1}, (S, NONE): {NP: 1}, (S, NP): {VP: 1}, (S, VP): {STOP: 1}}),
    ]
    forms = [level(1, radix[:2], {(): {0: 1, 1: 1}}), level(1, radix[:2], {(NN,): {1: 1}, (VBP,): {0: 1}})]
    size = ALPHABET_START + len(LETTERS)
    a = ALPHABET_START
    letters = [level(1, (size,) * 3, {(): {BEGINNING: 1, a: 1}})]
    capitals = [level(1, (2,), {(): {LOWER: 3, CAPITAL: 1}})]
    counts = {"rules": rules, "counted": forms, "spelled": letters, "cased": capitals}
    return Names(LABELS, TAGS, LETTERS, sorted(FORMS)), counts


def grammar() -> Grammar:
    """Return the grammar with this content."""
    names, counts = content()
    return names.grammar(**{name: Backoff(radix, counts[name]) for name, radix in names.radices.items()})
