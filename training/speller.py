"""Fit the speller: `python -m training.speller EDITS CORPORA` (a minute).

Each misspelling in the development part of the edited sentences (`training.mender.edits`) is aligned with the word that
replaced it. The letters that were replaced, left out, added and swapped are counted, smoothed towards what is likely
(vowels, similar sounds, neighbouring keys, doubled letters) and turned into costs; the next round aligns by them. The
weights that distinguish a misspelt word from a rare one come from a logistic regression on the misspellings and on
unknown words of the corpora. The result is `naturalness/english/speller_costs.toml`.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from sklearn.linear_model import LogisticRegression

from naturalness.arrays import FloatArray
from naturalness.english import speller
from naturalness.english.derivation import has_known_ize
from naturalness.english.speller import N_LETTERS, Weights, is_unlisted, letters_of, ranked, signs_of
from naturalness.english.wordlist import load_wordlist
from training.arguments import command_parser
from training.language.corpora import REGISTERS, sentences
from training.mender.edits import DEVELOPMENT, FILES, group_of, part_of, rows_of

KEYS, VOWELS = ("qwertyuiop", "asdfghjkl", "zxcvbnm"), frozenset("aeiouy")
OUT = Path(speller.__file__).with_name("speller_costs.toml")
NOTE = """\
# Costs of slips of spelling in nats, and weights. Written by `python -m training.speller`.
# Counted on the development parts of ErAConD (MIT), TETRA (CC BY 4.0), SMITH (CC BY 4.0) and the tests of Harper
# (Apache-2.0). Rows and columns are the letters ^abcdefghijklmnopqrstuvwxyz'; ^ stands before a word.
"""
LETTERS = "^abcdefghijklmnopqrstuvwxyz'"
SLIPS = ("replaced", "omitted", "added")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
LOWER = re.compile(r"(?<![\w@/.\\_#'’&*$-])[a-z]+(?:['’][a-z]+)*(?![\w@/\\_=(*'’-]|\.\w)")
"""A lower-case word that is no part of an identifier, path, address or hyphenated word."""
MAX_EDITS = 3
LOOSE = "smith"
"""The set whose sentences are rewritten, so that only similar words with the same ending are pairs."""
MAX_SHARE = 0.34
"""The largest share of the letters of a word that differ in a loose pair."""
ENDING = re.compile(r"(?:ing|ed|ly|er|or|ion|s|)$")
ALIKE = ["ck", "cs", "ks", "sz", "gj", "lr", "bv", "mn", "dt", "fv", "pb", "iy", "uw", "jy", "kq", "cx", "sx"]
"""Letters that sound alike, to some learners."""
WORD_CHOICE = frozenset({"harper"})
"""The source whose unknown words are mostly correct ones, chosen wrongly: *brandish* for *brand*."""
ROUNDS = 3
PRIOR = 60.0
"""The number of letters that the smoothing counts as."""
FREQUENCIES = (0.5, 0.6, 0.7, 0.8)
"""Weights of the logarithm of frequency that are tried."""
FOLDS = 3
LINES = 10_000
"""Sentences read of each register."""
UNKNOWN = 3000
"""Unknown words drawn from the corpora."""
CALLED = 0.2
"""The share of these that is called misspelt; read by eye, most of them are."""
Pair = tuple[str, str]


class Misspelling(NamedTuple):
    """A word that is unknown, in lower case, and the one or two words that an editor replaced it with."""

    source: str
    wrong: str
    right: str


def misspellings(folder: Path) -> Iterator[Misspelling]:
    """Yield the misspellings of the development part of the edited sentences, with their repetitions."""
    for source, file in FILES.items():
        for row in rows_of(folder / file):
            if row["bad"] != row["good"] and part_of(group_of(row, source)) == DEVELOPMENT:
                pairs = _replaced(row["bad"], row["good"], loose=source == LOOSE)
                yield from (Misspelling(source, *pair) for pair in pairs if _is_slip(*pair))


def _replaced(bad: str, good: str, *, loose: bool) -> Iterator[Pair]:
    """Yield words without capitals inside and the words in their place."""
    a, b = ([word.replace("’", "'") for word in WORD.findall(text)] for text in (bad, good))
    low = [word.lower() for word in a], [word.lower() for word in b]
    for kind, i, j, k, m in SequenceMatcher(None, *low, autojunk=False).get_opcodes():
        if kind != "replace":
            continue
        right = low[1][k:m]
        if loose:
            nearest = [(word, min(right, key=lambda other: distance(word, other))) for word in a[i:j] if word.islower()]
            yield from (pair for pair in nearest if _is_close(*pair))
        else:
            words = right if j - i == len(right) else [" ".join(right)] if (j - i, len(right)) == (1, 2) else []
            yield from ((w.lower(), r) for w, r in zip(a[i:j], words, strict=False) if w[1:].islower())


def _is_close(wrong: str, right: str) -> bool:
    alike = distance(wrong, right) <= max(1, MAX_SHARE * len(wrong))
    return alike and ENDING.search(wrong)[0] == ENDING.search(right)[0]  # type: ignore[index]


def _is_slip(wrong: str, right: str) -> bool:
    words = load_wordlist()
    if wrong == right or words.knows(wrong) or has_known_ize(words, wrong):
        return False
    return all(map(words.knows, right.split())) and distance(wrong, right) <= MAX_EDITS


def distance(a: str, b: str) -> int:
    """Return the edit distance between two words; a transposition counts as one edit."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            least = min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y))
            if before and j > 1 and x == b[j - 2] and a[i - 2] == y:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]


def expected() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the pseudo-counts of letters replaced, omitted and added."""
    n, last = N_LETTERS, N_LETTERS - 1
    replaced, omitted, added = np.full((n, n), 0.3), np.full((n, n), 0.6), np.full((n, n), 0.4)
    for i, a in enumerate(LETTERS):
        for j, b in enumerate(LETTERS):
            near, vowel = _near(a, b), b in VOWELS
            replaced[i, j] += 3 * (a in VOWELS and vowel) + 3 * (a + b in ALIKE or b + a in ALIKE) + 1.5 * near
            omitted[i, j] += 4 * (a == b) + (b in "eh") + 0.5 * vowel
            added[i, j] += 3 * (a == b) + 0.5 * vowel + 0.7 * near
    replaced[last], replaced[:, last], omitted[:, last], added[:, last] = 0.02, 0.02, 8.0, 0.05
    omitted[0] *= 0.3
    added[0] *= 0.3
    return replaced, omitted, added


def _near(a: str, b: str) -> bool:
    """Return whether two keys are adjacent; each row of keys is shifted to the right of the one above."""
    places = {key: (row, column + 0.4 * row) for row, keys in enumerate(KEYS) for column, key in enumerate(keys)}
    if a not in places or b not in places:
        return False
    (row, x), (other, y) = places[a], places[b]
    return abs(row - other) <= 1 and abs(x - y) <= 1.2


def fit_costs(pairs: Sequence[Pair]) -> Weights:
    """Return the costs of typing errors after a few rounds of alignment, and the initial weight of frequency."""
    n = N_LETTERS
    letters, follows = np.zeros(n), np.zeros((n, n))
    for _, right in pairs:
        row = letters_of([right])[0]
        np.add.at(letters, np.append(0, row), 1)
        np.add.at(follows, (np.append(0, row[:-1]), row), 1)
    counts, swapped = dict(zip(SLIPS, expected(), strict=True)), 20
    for _ in range(ROUNDS + 1):
        weights = Weights(
            -np.log(counts["replaced"] / (letters + PRIOR)) * (1 - np.eye(n)),
            -np.log(counts["omitted"] / (follows + PRIOR)),
            -np.log(counts["added"] / (letters[:, None] + PRIOR)),
            np.array(-math.log((swapped + 1) / (letters.sum() + 100))),
            np.array(FREQUENCIES[0]),
            np.zeros(0),
        )
        counts, swapped = dict(zip(SLIPS, expected(), strict=True)), 0
        for name, row, column in chain.from_iterable(slips(weights, *pair) for pair in pairs):
            swapped += name not in counts
            if name in counts:
                counts[name][row, column] += 1
    return weights


def slips(costs: Weights, wrong: str, right: str) -> list[tuple[str, int, int]]:
    """Return the cheapest errors that turn the right word into the wrong one: field of `Weights`, row and column."""
    w, r = ([0, *letters_of([word])[0].tolist()] for word in (wrong, right))
    best: dict[tuple[int, int], tuple[float, list[tuple[str, int, int]]]] = {(0, 0): (0.0, [])}
    for i in range(len(w)):
        for j in range(len(r)):
            ways = []
            if i and j:
                same = w[i] == r[j]
                ways.append((i - 1, j - 1, costs.replaced[w[i], r[j]], [] if same else [("replaced", w[i], r[j])]))
            if j:
                ways.append((i, j - 1, costs.omitted[r[j - 1], r[j]], [("omitted", r[j - 1], r[j])]))
            if i:
                ways.append((i - 1, j, costs.added[w[i - 1], w[i]], [("added", w[i - 1], w[i])]))
            if i > 1 and j > 1 and (w[i], w[i - 1]) == (r[j - 1], r[j]) and w[i] != w[i - 1]:
                ways.append((i - 2, j - 2, costs.swapped, [("swapped", w[i], w[i - 1])]))
            if ways:
                best[i, j] = min((best[x, y][0] + cost, best[x, y][1] + made) for x, y, cost, made in ways)
    return best[len(w) - 1, len(r) - 1][1]


def unknown_words(corpora: Path) -> list[str]:
    """Return a sample of the unknown lower-case words of the corpora."""
    lines = (line for register in REGISTERS for line in islice(sentences(corpora, register), LINES))
    words = {word for line in lines for word in LOWER.findall(line)}
    return random.Random(0).sample(sorted(word for word in words if "'" not in word and is_unlisted(word)), UNKNOWN)


def fit(pairs: Sequence[Misspelling], unknown: Sequence[str]) -> Weights:
    """Return the weights; the costs used to fit the other weights are fitted without the words that they rank."""
    single = sorted({(each.wrong, each.right) for each in pairs if " " not in each.right})
    parts = [[pair for pair in single if crc32(pair[0].encode()) % FOLDS == fold] for fold in range(FOLDS)]
    folds = [(part, fit_costs([pair for pair in single if pair not in part])) for part in parts]

    def first(frequency: float) -> int:
        weighted = [(part, costs._replace(frequency=np.array(frequency))) for part, costs in folds]
        return sum(ranked(wrong, costs)[0].word == right for part, costs in weighted for wrong, right in part)

    corrected = {frequency: first(frequency) for frequency in FREQUENCIES}
    frequency = max(corrected, key=lambda each: corrected[each])
    weights = fit_costs(single)._replace(frequency=np.array(frequency))
    slips_alone = {each.wrong for each in pairs if each.source not in WORD_CHOICE}
    rows = [
        signs_of(wrong, ranked(wrong, costs._replace(frequency=weights.frequency))[0])
        for part, costs in folds
        for wrong, _ in part
        if wrong in slips_alone
    ]
    n = len(rows)
    rows += [signs_of(word, best[0]) for word in unknown if (best := ranked(word, weights))]
    table = np.array(rows, float)
    model = LogisticRegression(fit_intercept=False, C=10.0, max_iter=10_000).fit(table, np.arange(len(table)) < n)
    misspelt = model.coef_[0].copy()
    misspelt[0] -= np.quantile(table[n:] @ misspelt, 1 - CALLED)
    called = np.mean(table[:n] @ misspelt > 0)
    print(f"{len(single)} words, corrected first by weight of frequency: {corrected}; {called:.1%} called misspelt")
    return weights._replace(misspelt=misspelt)


def text_of(weights: Weights) -> str:
    """Return the contents of the file, a matrix with one row a line."""
    lines = []
    for name, values in weights._asdict().items():
        text = str(np.round(values, 2).tolist()).replace("], ", "],\n")
        lines.append(f"{name} = {text}")
    return NOTE + "\n" + "\n".join(lines) + "\n"


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "edits", "corpora").parse_args()
    weights = fit(list(misspellings(options.edits)), unknown_words(options.corpora))
    OUT.write_text(text_of(weights), encoding="utf-8")


if __name__ == "__main__":
    main()
