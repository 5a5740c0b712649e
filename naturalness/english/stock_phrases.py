"""Phrases that language models write far more often than people do, as counted by `training.stock_phrases`."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from naturalness.files.resources import locate, opened_once

ASSET = "stock_phrases"
Phrase = tuple[str, ...]
"""The lower-case tokens of a phrase, as the pipeline splits them: *could*, *n't*."""


class StockPhrases(NamedTuple):
    """Phrases keyed by their first word, longest first, and the frequency ratio of each phrase."""

    by_first: Mapping[str, Sequence[Phrase]]
    times: Mapping[Phrase, float]
    """Frequency ratio of each phrase: its frequency in texts by language models, divided by its frequency in the human
    register in which it is most frequent."""

    def matches(self, words: Sequence[str], start: int = 0, stop: int | None = None) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each phrase in a list of lower-case words, without overlaps.

        ``start`` and ``stop`` limit the search to a sentence.
        """
        i, stop = start, len(words) if stop is None else stop
        while i < stop:
            end = i + 1
            for phrase in self.by_first.get(words[i], ()):
                if i + len(phrase) <= stop and tuple(words[i : i + len(phrase)]) == phrase:
                    end = i + len(phrase)
                    yield i, end
                    break
            i = end


def stock_phrases_of(times: Mapping[Phrase, float]) -> StockPhrases:
    """Return a lookup table of phrases, given their frequency ratios."""
    by_first: dict[str, list[Phrase]] = {}
    for phrase in sorted(times, key=lambda phrase: (-len(phrase), phrase)):
        by_first.setdefault(phrase[0], []).append(phrase)
    return StockPhrases(by_first, times)


@opened_once
def stock_phrases() -> StockPhrases:
    """Return the shipped list of phrases."""
    with locate(ASSET).open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return stock_phrases_of({tuple(row["phrase"].split()): float(row["times"]) for row in rows})
