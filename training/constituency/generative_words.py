"""Fit the word model: letters of rare words, then forms over them, then capitals."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from naturalness.models.parsers.generative.backoff import Counts
from naturalness.models.parsers.generative.grammar import (
    ALPHABET_START,
    BEGINNING,
    CASES,
    OTHER_LETTER,
    UNICODE,
    Symbols,
    shape,
)
from training.constituency.generative_counts import Events, Floats, fit
from training.constituency.generative_data import Word

RARE = 2
"""Times that a form occurs, of those that letters are learned from: most like the unknown."""
MIN_OCCURRENCES = 20
"""Occurrences of a letter of the alphabet in them."""
TELLING = 5.0
"""Nats that a form's own capitals must save over those of its tag."""
Weighted = Mapping[Word, int]
MIN_LETTER_COUNT = 2


@dataclass(frozen=True, slots=True)
class Words:
    """A fitted word model."""

    forms: list[str]
    letters: list[str]
    counted: list[Counts]
    spelled: list[Counts]
    cased: list[Counts]


def fit_words(
    seen: Weighted, held_out: Mapping[Word, int], symbols: Symbols, *, unit: int, least: Sequence[int]
) -> Words:
    """Fit all three tables; a word of the main treebank weighs a ``unit`` in ``seen``."""
    counted = Counter[tuple[str, int]]()
    for word, weight in seen.items():
        counted[shape(word.word).form, symbols.tag(word.tag)] += weight
    by_form = Counter[str]()
    for (form, _), weight in counted.items():
        by_form[form] += weight
    forms = sorted(form for form, weight in by_form.items() if weight >= min(least))
    numbers = {form: i for i, form in enumerate(forms)}
    # A counted form has no need of its letters; here they keep logarithms finite at no cost.
    letters, spelled, floors = _spelled(counted, numbers, held_out, symbols, unit)
    radix = (symbols.size,) * (len(least) - 1)
    fitted = fit(
        _form_events(seen, numbers, symbols),
        _form_events(held_out, numbers, symbols),
        floors,
        radix=radix,
        outcomes=len(forms),
        unit=unit,
        least=least,
    )
    cased = _cased(seen, held_out, numbers, symbols, unit)
    return Words(forms, letters, fitted.counts, spelled, cased)


def _form_events(words: Weighted, numbers: Mapping[str, int], symbols: Symbols) -> Events:
    rows = []
    for word, weight in words.items():
        label = symbols.label(word.label) if word.label else -1
        number = numbers.get(shape(word.word).form, len(numbers))
        rows.append((symbols.tag(word.tag), label, number, weight))
    table = np.array(rows, np.int64)
    return Events(table[:, :2], table[:, 2], table[:, 3])


def _spelled(
    counted: Mapping[tuple[str, int], int],
    numbers: Mapping[str, int],
    held_out: Mapping[Word, int],
    symbols: Symbols,
    unit: int,
) -> tuple[list[str], list[Counts], Floats]:
    """Letters, their table, and the probability of each held-out word's letters."""
    rare = [pair for pair, weight in counted.items() if weight <= RARE * unit]
    occurring = Counter(letter for form, _ in rare for letter in form)
    letters = sorted(letter for letter, n in occurring.items() if n >= MIN_OCCURRENCES)
    numbers_of_letters = {letter: ALPHABET_START + i for i, letter in enumerate(letters)}
    size = ALPHABET_START + len(letters)

    def spelt(form: str, tag: int, weight: int) -> list[tuple[int, ...]]:
        following = later = BEGINNING
        rows = []
        for letter in [*(numbers_of_letters.get(c, OTHER_LETTER) for c in reversed(form)), BEGINNING]:
            rows.append((following, tag, later, letter, weight))
            later, following = following, letter
        return rows

    tried = [(shape(word.word).form, symbols.tag(word.tag)) for word in held_out]
    unknown = [pair not in counted and pair[0] not in numbers for pair in tried]
    learned = np.array([row for pair in rare for row in spelt(*pair, 1)], np.int64)
    asked = [spelt(*pair, int(new)) for pair, new in zip(tried, unknown, strict=True)]
    flat = np.array([row for rows in asked for row in rows], np.int64)
    fitted = fit(
        Events(learned[:, :3], learned[:, 3], learned[:, 4]),
        Events(flat[:, :3], flat[:, 3], flat[:, 4]),
        np.full(len(flat), 1 / size),
        radix=(size, symbols.size, size),
        outcomes=size,
        unit=1,
        least=(1, 1, MIN_LETTER_COUNT, MIN_LETTER_COUNT),
    )
    logs = np.log(fitted.probs) - (flat[:, 3] == OTHER_LETTER) * math.log(UNICODE)
    starts = np.cumsum([0, *map(len, asked[:-1])])
    return letters, fitted.counts, np.exp(np.add.reduceat(logs, starts))


def _cased(
    seen: Weighted, held_out: Mapping[Word, int], numbers: Mapping[str, int], symbols: Symbols, unit: int
) -> list[Counts]:
    """Return the table of capitals."""
    of_tags: defaultdict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    forms: defaultdict[tuple[int, int, int], Counter[int]] = defaultdict(Counter)
    for word, weight in seen.items():
        form, case, cased, _ = shape(word.word)
        if cased:
            context = int(word.first), symbols.tag(word.tag)
            of_tags[context][case] += weight
            forms[*context, numbers.get(form, -1) + 1][case] += weight
    rows = []
    for (first, tag, form), cases in forms.items():
        telling = form > 0 and saved(cases, of_tags[first, tag]) >= TELLING * unit
        rows += [(first, tag, form if telling else -1, case, n) for case, n in cases.items()]
    learned = np.array(rows, np.int64)
    shapes = [shape(word.word) for word in held_out]
    asked = np.array(
        [
            (word.first, symbols.tag(word.tag), numbers.get(s.form, -1) + 1, s.case, s.cased * n)
            for (word, n), s in zip(held_out.items(), shapes, strict=True)
        ],
        np.int64,
    )
    fitted = fit(
        Events(learned[:, :3], learned[:, 3], learned[:, 4]),
        Events(asked[:, :3], asked[:, 3], asked[:, 4]),
        np.full(len(asked), 1 / CASES),
        radix=(2, symbols.size, len(numbers) + 1),
        outcomes=CASES,
        unit=unit,
        least=(1, 1, 1, 1),
    )
    return fitted.counts


def saved(cases: Mapping[int, int], of_tag: Mapping[int, int]) -> float:
    """Weight times the divergence of a form's capitals from those of its tag, in nats."""
    total, all_of_tag = sum(cases.values()), sum(of_tag.values())
    return sum(n * math.log(n / total * all_of_tag / of_tag[case]) for case, n in cases.items())
