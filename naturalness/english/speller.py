"""Find what an unknown word was meant to be: a noisy channel of learners' slips, and the frequencies of known words.

`training.speller` fits the costs of slips. A candidate's likelihood is its weighted log-frequency minus the cost of the
cheapest slips that turn it into the word.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from naturalness.arrays import FloatArray
from naturalness.english.derivation import FAMILIAR, RARE, has_known_ize, inflected, variants
from naturalness.english.inflection import PLURALS, inflect_regular, load_forms
from naturalness.english.lists import table
from naturalness.english.wordlist import MAX_LETTERS, REMEMBERED, load_wordlist
from naturalness.files.resources import opened_once
from naturalness.files.toml import read_beside
from naturalness.text.view import word_set

N_LETTERS = 28
"""The letters a to z are 1 to 26, the apostrophe is 27; 0 stands before a word and pads it."""
RECENT, CONTRACTED = math.log(1e-6), math.log(1e-3)
"""The smallest log-frequency of a recent word, which our corpora have rarely, and that of a contraction."""
UNSEEN = math.log(1e-8)
"""The log-frequency of words without one."""
NEAREST = 150
"""The number of words whose slips are weighed: frequent ones with most letters and pairs of letters in common."""
LISTED, SPLIT = 1.0, 5.0
"""Costs of a listed slip and of a missing space."""
SHORT = word_set("a i am an as at be by do go he if in is it me my no of on or so to up us we")
"""The words of at most two letters that a missing space can leave."""
CLEAR, MARGIN = 0.8, 2.0
"""The smallest log-odds of a clear misspelling, and the smallest advantage of its correction over the second best."""
MIN_LETTERS = 4
"""The smallest number of letters of a misspelling that is not listed; shorter words have too many neighbours."""
TYPOS = table("typos", "spelling")
"""The correction of each frequent misspelling."""
Letters = NDArray[np.uint8]
_LISTS = {name: words.split() for name, words in read_beside(__file__).items()}


class Suggestion(NamedTuple):
    """A word that may have been meant."""

    word: str
    """In lower case; may contain a space or an apostrophe."""
    likelihood: float
    """The log-probability of spelling and frequency, up to a constant that is the same for all words."""


class Weights(NamedTuple):
    """What `training.speller` fits: costs of slips in nats, and weights."""

    replaced: FloatArray
    """By the letter written and the letter meant; 0 on the diagonal."""
    omitted: FloatArray
    """By the letter before and the letter left out."""
    added: FloatArray
    """By the letter before and the letter added."""
    swapped: FloatArray
    frequency: FloatArray
    """Weight of a word's log-frequency."""
    misspelt: FloatArray
    """Weights of `signs_of`, which give the log-odds that a word is misspelt."""


@opened_once
def _weights() -> Weights:
    return Weights(**{name: np.array(value) for name, value in read_beside(__file__, "speller_costs").items()})


@opened_once
def _frequencies() -> Mapping[str, float]:
    """Return the log-frequencies of words that can be suggested."""
    words = load_wordlist()
    logs = {w: math.log(n / words.total) for w, n in words.counts.items() if w.isalpha() and w not in TYPOS}
    recent = {word: max(RECENT, logs.get(word, RECENT)) for word in _LISTS["recent"]}
    return logs | recent | dict.fromkeys(_LISTS["contractions"], CONTRACTED)


@opened_once
def _lexicon() -> tuple[NDArray[np.str_], FloatArray, Any]:
    """Return the words that can be suggested, their log-frequencies, and the features of their letters."""
    words, logs = map(np.array, zip(*_frequencies().items(), strict=True))
    return words, logs, _features(letters_of(words))


@opened_once
def _slips() -> Mapping[str, str]:
    """Return the listed misspellings: frequent ones, missing apostrophes and spaces, regularised irregular forms."""
    irregular = {f"{noun}s": plural for noun, plural in PLURALS.items()}
    for tag in sorted(load_forms(), reverse=True):  # the past tense replaces the participle: *writed*, *wrote*
        irregular |= {inflect_regular(lemma, tag): form for lemma, form in load_forms()[tag].items()}
    known = load_wordlist()
    slips = {wrong: form for wrong, form in irregular.items() if wrong not in known and form in known}
    slips |= {word.replace("'", ""): word for word in _LISTS["contractions"]}
    return {**slips, **table("run_together", "spelling"), **TYPOS}


def letters_of(words: Sequence[str] | NDArray[np.str_]) -> Letters:
    """Return a row of letters without accents for each word, padded with zeros."""
    plain = unicodedata.normalize("NFD", "\n".join(words)).replace("'", "{").encode("ascii", "ignore")
    rows = np.array(plain.split(b"\n"))
    return rows.view(np.uint8).reshape(len(rows), -1) & np.uint8(31)


def _features(letters: Letters) -> Any:
    """Return the letters and pairs of letters of each row as a set of bits, several pairs to a bit."""
    index = np.arange(N_LETTERS, dtype=np.uint64)
    bits = (1 << index | 1 << 28 + (37 * index[:, None] + 11 * index) % 36) * (index > 0)
    features = np.zeros(len(letters), np.uint64)
    for before, letter in pairwise([np.zeros_like(letters[:, 0]), *letters.T]):
        features |= bits[before, letter]
    return features


def slip_costs(written: Letters, meant: Letters, weights: Weights) -> FloatArray:
    """Return the cost of the cheapest slips that turn each row of letters that were meant into those written."""
    added = np.cumsum([0, *weights.added[np.append(0, written[:-1]), written]])[:, None]
    row = last = np.repeat(added, len(meant), axis=1)
    rows = [row]
    for before, letter in pairwise([np.zeros_like(meant[:, 0]), *meant.T]):
        new = row + weights.omitted[before, letter]
        new[1:] = np.minimum(new[1:], row[:-1] + weights.replaced[written[:, None], letter])
        swapped = (written[1:, None] == before) & (written[:-1, None] == letter)
        new[2:] = np.where(swapped, np.minimum(new[2:], last[:-2] + weights.swapped), new[2:])
        last, row = row, added + np.minimum.accumulate(new - added)  # any number of letters added after this one
        rows.append(row)
    costs: FloatArray = np.array(rows)[np.count_nonzero(meant, axis=1), -1, np.arange(len(meant))]
    return costs


@lru_cache(REMEMBERED)
def suggestions(word: str, most: int = 8) -> tuple[Suggestion, ...]:
    """Return the words that a lower-case word may have been meant to be, likeliest first."""
    return tuple(ranked(word, _weights())[:most])


def ranked(word: str, weights: Weights) -> list[Suggestion]:
    """Return all candidates for a word, likeliest first."""
    if not (1 < len(word) <= MAX_LETTERS and word.replace("'", "").isalpha()):
        return []
    words, logs, features = _lexicon()
    letters, frequencies = letters_of([word]), _frequencies()
    near = words[np.argpartition(2 * np.bitwise_count(features ^ _features(letters)) - logs, NEAREST)[:NEAREST]]
    costs = dict(zip(near.tolist(), slip_costs(letters[0], letters_of(near), weights), strict=True))
    costs |= dict.fromkeys(_splits(word), SPLIT)
    if right := _slips().get(word):
        costs[right.lower()] = LISTED
    costs.pop(word, None)

    def likelihood(right: str) -> float:
        frequency = sum(frequencies.get(part, UNSEEN) for part in right.split())
        return float(weights.frequency * frequency - costs[right])

    return sorted((Suggestion(right, likelihood(right)) for right in costs), key=lambda each: -each.likelihood)


def _splits(word: str) -> Iterator[str]:
    """Yield the pairs of known words that a word consists of."""
    known = _frequencies()
    for i in range(1, len(word)):
        parts = word[:i], word[i:]
        if all(part in known and (len(part) > 2 or part in SHORT) for part in parts):
            yield " ".join(parts)


def is_unlisted(word: str) -> bool:
    """Return whether a string could be a word and is not known."""
    words = load_wordlist()
    known = word in RARE or word in _frequencies() or words.knows(word) or has_known_ize(words, word)
    return word.isascii() and not known


def signs_of(word: str, best: Suggestion) -> tuple[float, ...]:
    """Return the signs that distinguish misspelt from rare words: best suggestion, length, and possible formation."""
    words = load_wordlist()
    is_variant = any(other in words for other in variants(word))
    return 1.0, best.likelihood, len(word), inflected(words, word), is_variant


@lru_cache(REMEMBERED)
def odds(word: str) -> float:
    """Return the log-odds that a lower-case word is misspelt; infinite for a listed word or misspelling."""
    stem = word.removesuffix("'s")
    if stem in _slips():
        return math.inf
    best = suggestions(stem) if is_unlisted(stem) else ()
    return float(np.dot(_weights().misspelt, signs_of(stem, best[0]))) if best else -math.inf


@lru_cache(maxsize=REMEMBERED)
def misspelling(word: str) -> str | None:
    """Return the correction of a lower-case word that is clearly misspelt; None for any other word."""
    if word in TYPOS or not (len(word) >= MIN_LETTERS and word.isascii() and word.isalpha()) or odds(word) < CLEAR:
        return TYPOS.get(word)
    best, *others = suggestions(word)
    clear = not others or best.likelihood - others[0].likelihood >= MARGIN
    return best.word if clear and best.word.isalpha() and not _is_name(word, best.word) else None


def _is_name(word: str, other: str) -> bool:
    """Return whether a word may be a name: it has a Latin ending, or is a letter and a word (*ncurses*, *pevent*)."""
    rest = word[0] not in "aeiou" and load_wordlist().lookup(word[1:]) >= FAMILIAR
    return (word[-1] in "aou" and word[-1] != other[-1]) or (rest and word[1:3] != other[1:3])
