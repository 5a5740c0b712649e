"""The words of the English corpora with their frequencies, used to tell known, rare and misspelt words apart."""

from __future__ import annotations

import gzip
import math
import string
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from naturalness.errors import AssetError
from naturalness.files.resources import locate, opened_once

FREQUENT = 3.5
"""The smallest Zipf value that a correction may have."""
MARGIN = 1.5
"""The smallest log10 frequency ratio between a correction and the misspelling."""
MAX_LETTERS = 30
"""The largest number of letters in a word that is corrected; running time grows with the square of the length."""
REMEMBERED = 1 << 13
"""The cache size of functions that take a single word. It holds the most frequent words, which make up nine tenths of a
text, and keeps the memory of a process that reads millions of texts from growing."""


class WordList:
    """Counts of lower-case words; frequencies are Zipf values, the log10 of occurrences per billion words."""

    def __init__(self, counts: Mapping[str, int], total: int) -> None:
        self.counts = counts
        self.total = total

    def __contains__(self, word: str) -> bool:
        return word in self.counts

    def zipf(self, word: str) -> float:
        """Return the Zipf value of a word: about 7 for *the*, 3 for a rare word; NaN for an unknown word."""
        count = self.counts.get(word)
        return math.log10(count / self.total) + 9 if count else math.nan

    def knows(self, word: str) -> bool:
        """Return whether a word, or each part of a compound, is known."""
        if word in self.counts:
            return True
        parts = [part for part in word.replace("'", "-").split("-") if part]
        return len(parts) > 1 and all(part in self.counts or part.isdigit() for part in parts)

    def correction(self, word: str) -> str | None:
        """Return the most frequent word one edit away from an unknown word; None if no word is frequent enough."""
        return _correction(self, word) if 3 <= len(word) <= MAX_LETTERS else None

    def lookup(self, word: str) -> float:
        """Return the Zipf value of a word; unknown words get a value below those of all known words."""
        return math.log10(self.counts.get(word, 0.5) / self.total) + 9


@lru_cache(maxsize=REMEMBERED)
def _correction(words: WordList, word: str) -> str | None:
    if not word.isalpha() or words.knows(word):
        return None
    best = max(edits(word), key=words.lookup)
    floor = max(FREQUENT, words.lookup(word) + MARGIN)
    # Short words have many neighbours, of which only the most common are likely corrections.
    floor += max(0, 5 - len(word)) * 0.5
    return best if words.lookup(best) >= floor else None


def edits(word: str) -> Iterator[str]:
    """Yield every string that is one deletion, insertion, substitution or transposition away from a word."""
    for i in range(len(word) + 1):
        left, right = word[:i], word[i:]
        if right:
            yield left + right[1:]
        if len(right) > 1:
            yield left + right[1] + right[0] + right[2:]
        for letter in string.ascii_lowercase:
            yield left + letter + right
            if right and letter != right[0]:
                yield left + letter + right[1:]


def adds_s(word: str, others: frozenset[str]) -> bool:
    """Return whether a word is a known word with the ending *-s*, *-es* or *-ies*, and not one of ``others``."""
    if len(word) < 4 or not word.endswith("s") or word[-2] in "su'" or word in others:
        return False
    known = load_wordlist()
    return word[:-1] in known or word[:-2] in known or word[:-3] + "y" in known


@opened_once
def load_wordlist() -> WordList:
    """Return the shipped word list."""
    return read_wordlist(locate("wordlist"))


def read_wordlist(path: Path) -> WordList:
    """Read a word list: a gzipped file with the total count on the first line, then lines of word, tab and count."""
    try:
        total, _, rows = gzip.decompress(path.read_bytes()).decode("utf-8").partition("\n")
        cells = rows.replace("\n", "\t").split("\t")[:-1]
        if len(cells) != 2 * rows.count("\n"):
            raise ValueError("a line does not have two cells and a line end")
        return WordList(dict(zip(cells[::2], map(int, cells[1::2]), strict=True)), int(total))
    except (OSError, ValueError, EOFError) as error:
        raise AssetError(f"{path} is not a word list ({error}); reinstall naturalness") from error
