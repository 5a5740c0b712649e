"""Voice: how far a text is phrased as careful people phrase it, rather than as chat models do.

A table gives weights to words and to phrases of two or three tokens, learned from paragraphs of both sides without a
rating. Their sums, the constructions of `naturalness.english.constructions` and the evenness of sentence lengths are
the terms of a logistic model, whose slopes for words and phrases depend on the length of the text. Every term belongs
to places in the text, so contributions add up to the log-odds. Voice is a property of the phrasing: it does not prove
who wrote a text.
"""

from __future__ import annotations

import lzma
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from statistics import fmean, pstdev
from typing import NamedTuple

from naturalness.english.constructions import TokenLines, constructions, find_constructions, grams, token_lines
from naturalness.errors import REINSTALLING, AssetError, damage_as
from naturalness.files.resources import locate, opened_once
from naturalness.models.networks import read_description

ASSET = "voice"
FORMAT_VERSION = 1
DESCRIPTION, ITEMS = "voice.json", "items.tsv.xz"
MAX_ITEM_BYTES = 4_000_000
"""Largest size of the unpacked table."""
LONGEST_ITEM = 3
MIN_WORDS = 10
"""Voice is undefined for shorter texts."""
USUAL_WORDS = 80
"""The length at which the slopes of words and phrases are those of the description."""
MIN_SENTENCES = 3
"""Evenness is undefined for fewer sentences."""
WORDS, PHRASES, EVENNESS, BASE = "words", "phrases", "evenness", "base"


class Item(NamedTuple):
    """A word, mark or phrase of the table."""

    weight: float
    """Evidence for people; negative for chat models."""
    machine: float
    """Occurrences per million tokens of chat models."""
    people: float
    """Occurrences per million tokens of people, in the training data."""


class Evidence(NamedTuple):
    """What a place in a text adds to the log-odds."""

    term: str
    """``words``, ``phrases``, ``evenness``, ``base`` or the name of a construction."""
    start: int
    end: int
    """Character offsets; the whole text for ``evenness`` and ``base``."""
    item: str
    """The words or marks, as the table has them; empty for other terms."""
    log_odds: float
    """Positive if people phrase like this, negative if chat models do."""


class Terms(NamedTuple):
    """The terms of a text, before their slopes."""

    n_words: int
    values: Mapping[str, float]
    """The value of each term, keyed by name."""


@dataclass(frozen=True)
class Voice:
    """A voice model: a table of weighted items, and the slope of each term."""

    items: Mapping[str, Item]
    base: float
    slopes: Mapping[str, float]
    """The slope of each term at `USUAL_WORDS`."""
    growth: Mapping[str, float]
    """The change of a slope per unit of the logarithm of the number of words."""
    usual_evenness: float
    rates: Mapping[str, Mapping[str, Sequence[float]]]
    """Occurrences of each construction per 10,000 words of people and of chat models, keyed by kind of text."""
    lines: Mapping[int, float]
    """The voice below which at most 2 % of people's texts lie, keyed by their least number of words."""

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """The weight of each item; found faster here than through `items`."""
        return {item: about.weight for item, about in self.items.items()}

    def sums(self, text: str | TokenLines) -> Terms:
        """Return the terms of a text."""
        lines = text if isinstance(text, TokenLines) else token_lines(text)
        values, scale, find = dict.fromkeys(self.slopes, 0.0), scale_of(lines), self.weights.get
        for length in range(1, LONGEST_ITEM + 1):
            counts = Counter(grams(lines.tokens, length))
            known = [(weight, times) for item, times in counts.items() if (weight := find(item)) is not None]
            total = sum([weight if times == 1 else weight * _damped(times) for weight, times in known])
            values[WORDS if length == 1 else PHRASES] += total * scale
        for name, _, _ in find_constructions(lines):
            values[name] += scale
        values[EVENNESS] = self._evenness(lines)
        return Terms(lines.n_words, values)

    def log_odds(self, sums: Terms) -> float:
        """Return the log-odds that a text of these sums is phrased as people do; NaN if it is too short."""
        if sums.n_words < MIN_WORDS:
            return math.nan
        slopes = self._slopes(sums.n_words)
        return self.base + math.fsum(slopes[term] * value for term, value in sums.values.items())

    def score(self, text: str) -> float:
        """Return the voice of a text: 1 if it is phrased as careful people do, 0 if as chat models do, or NaN."""
        lines = token_lines(text)
        return logistic(self.log_odds(self.sums(lines))) if lines.n_words >= MIN_WORDS else math.nan

    def line(self, n_words: int) -> float:
        """Return the voice below which at most 2 % of people's texts of this length lie; NaN if it is too short."""
        return next((self.lines[length] for length in sorted(self.lines, reverse=True) if n_words >= length), math.nan)

    def contributions(self, text: str) -> list[Evidence]:
        """Return what each place adds to the log-odds, in the order of the text; none for a text that is too short."""
        lines = token_lines(text)
        if lines.n_words < MIN_WORDS:
            return []
        slopes, scale, spans = self._slopes(lines.n_words), scale_of(lines), lines.spans
        whole = 0, len(text), ""
        parts = [
            Evidence(BASE, *whole, self.base),
            Evidence(EVENNESS, *whole, slopes[EVENNESS] * self._evenness(lines)),
        ]
        for length in range(1, LONGEST_ITEM + 1):
            term = WORDS if length == 1 else PHRASES
            occurrences = defaultdict(list)
            for i, item in enumerate(grams(lines.tokens, length)):
                if item in self.items:
                    occurrences[item].append(i)
            for item, starts in occurrences.items():
                each = slopes[term] * self.items[item].weight * _damped(len(starts)) * scale / len(starts)
                parts += [Evidence(term, spans[i][0], spans[i + length - 1][1], item, each) for i in starts]
        for name, start, end in find_constructions(lines):
            parts.append(Evidence(name, spans[start][0], spans[end - 1][1], "", slopes[name] * scale))
        return sorted(parts, key=lambda part: (part.start, part.end, part.term))

    def _slopes(self, n_words: int) -> dict[str, float]:
        longer = math.log(n_words / USUAL_WORDS)
        return {term: slope + self.growth.get(term, 0.0) * longer for term, slope in self.slopes.items()}

    def _evenness(self, lines: TokenLines) -> float:
        evenness = evenness_of(lines)
        return 0.0 if math.isnan(evenness) else evenness - self.usual_evenness


def scale_of(lines: TokenLines) -> float:
    """Return the factor that keeps sums comparable: evidence grows with the square root of the length."""
    return 1 / math.sqrt(len(lines.tokens) or 1)


def _damped(times: int) -> float:
    return 1 + math.log(times)


def logistic(log_odds: float) -> float:
    """Return a probability; NaN for NaN."""
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, log_odds)))) if log_odds == log_odds else math.nan


def evenness_of(lines: TokenLines) -> float:
    """Return the standard deviation of sentence lengths over their mean; NaN for fewer than `MIN_SENTENCES`."""
    lengths = [b - a for a, b in pairwise([*lines.starts, len(lines.tokens)])]
    return pstdev(lengths) / fmean(lengths) if len(lengths) >= MIN_SENTENCES else math.nan


def open_voice(folder: Path) -> Voice:
    """Return the table that ``python -m training.voice`` wrote into a folder; raise `AssetError` if it holds none."""
    advice = f"write it again or, if it is the one that ships, run: {REINSTALLING}"
    with damage_as(AssetError, folder, advice, what="holds no table of voice"):
        about = read_description(folder / DESCRIPTION, FORMAT_VERSION)
        terms = {WORDS, PHRASES, EVENNESS, *(construction.name for construction in constructions())}
        slopes = {term: _finite(value) for term, value in about["slopes"].items()}
        growth = {term: _finite(value) for term, value in about["growth"].items()}
        if slopes.keys() != terms or not growth.keys() <= terms:
            raise ValueError(f"the terms are {', '.join(sorted(slopes)):.200}, expected {', '.join(sorted(terms))}")
        rates = {
            name: {kind: (_finite(people), _finite(machine)) for kind, (people, machine) in kinds.items()}
            for name, kinds in about["rates"].items()
        }
        lines = {int(length): _finite(line) for length, line in about["lines"].items()}
        base, usual = (_finite(about[name]) for name in ("base", "usual_evenness"))
        return Voice(_read_items(folder / ITEMS), base, slopes, growth, usual, rates, lines)


def _read_items(path: Path) -> dict[str, Item]:
    decompressor = lzma.LZMADecompressor()
    unpacked = decompressor.decompress(path.read_bytes(), MAX_ITEM_BYTES)
    if not decompressor.eof:
        raise ValueError(f"{path.name} is cut off, or larger than {MAX_ITEM_BYTES:,} bytes")
    items = {}
    for line in unpacked.decode("utf-8").splitlines():
        item, *numbers, _, _ = line.split("\t")  # the last are the numbers of models and of sources
        if not 1 <= len(item.split(" ")) <= LONGEST_ITEM or item in items:
            raise ValueError(f"{item!r:.40} is repeated, or not of 1 to {LONGEST_ITEM} tokens")
        items[item] = Item(*map(_finite, numbers))
    return items


def _finite(value: float | str) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r:.20} is not a finite number")
    return number


@opened_once
def voice() -> Voice:
    """Return the shipped table, opened once per process."""
    return open_voice(locate(ASSET))
