"""Recognise texts in other languages than English by their letters and most frequent words.

Each word has a weight: the log10 ratio of its probabilities in the other language and in English. A few dozen words
make up half of any text, so the words of `FREQUENT` carry most of the evidence. English words count for English by
their frequencies in the word list. All other words count little, since they may be names. A text is foreign if the
weights for one language add up to `MIN_EVIDENCE`.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from naturalness.english.wordlist import REMEMBERED, load_wordlist

NOT_ENGLISH = "not English"
"""Warning beside the score of a foreign text."""
with (Path(__file__).parent / "foreign.toml").open("rb") as _file:
    FREQUENT: Mapping[str, frozenset[str]] = {
        language: frozenset(words.split()) for language, words in tomllib.load(_file).items()
    }
"""Words of which some stand in nearly every sentence, the rests of elisions (*l*, *qu*) too."""
NAMES = "de del la las los le du des d l di da das do dos della dei degli van von der den ten ter zu y e i et und al el"
PARTICLES = frozenset(NAMES.split())
"""Frequent words that stand inside names: *Simone de Beauvoir*."""
ENGLISH = "u v wat dat dem da ze yo ja ta tu o e y na ya ma mi im den ni ben bin dan hans si tom von"
SHARED = frozenset(ENGLISH.split())
"""Frequent words that English has as slang, letters, slips or names that begin a sentence."""
CONTRACTION = re.compile(r"(?<=n)['’] ?t\b|['’] ?(?:s|m|d|re|ve|ll|em)\b", re.IGNORECASE)
"""English contractions; their endings would count as words of other languages."""
WORD = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
LETTER = re.compile(r"[^\W\d_]")
LATIN = re.compile(r"[A-Za-zªºÀ-ʯᴀ-ỿⱠ-Ɀ꜠-ꟿﬀ-ﬆＡ-Ｚａ-ｚ𝐀-𝟋]")
ACCENTED = re.compile("[àâãäåæçèêëìíîïðñòóôõöøùúûüýþßáéąćęłńśźżěščřžýůďťňğışőűăâîșț]")
MIN_WORDS = 3
"""Minimum of words, or of letters of other scripts, for a verdict."""
ZIPF, OTHERS = 6.8, 4.3
"""Approximate Zipf values of a word of `FREQUENT` in its language, and of any other word."""
MAX_PLAIN, MAX_ACCENTED = 0.3, 0.9
"""Maximum weights of words outside `FREQUENT`: of plain lower-case letters, and with a letter that English lacks."""
OF_NAME, OF_SHARED = 0.2, 0.7
"""Maximum weights of a frequent word that may be part of a name, or is in `SHARED`."""
MIN_EVIDENCE = 2.0
"""Minimum log10 likelihood ratio between the other language and English."""


def is_foreign(text: str) -> bool:
    """Return whether a text is in another language than English; False for texts that are too short."""
    text = unicodedata.normalize("NFC", text)
    if not text.isascii():
        letters = LETTER.findall(text)
        strange = len(letters) - len(LATIN.findall("".join(letters)))
        if 2 * strange > len(letters):
            return strange >= MIN_WORDS
    words = WORD.findall(CONTRACTION.sub("", text))
    return len(words) >= MIN_WORDS and evidence(words) >= MIN_EVIDENCE


def evidence(words: Sequence[str]) -> float:
    """Return the log10 likelihood ratio between the best-fitting language and English."""
    more = dict.fromkeys(FREQUENT, 0.0)
    total = 0.0
    for i, word in enumerate(words):
        rare, frequent, languages = _weights(word, i == 0)
        total += rare
        if languages:
            if word.lower() in PARTICLES and _inside_name(words, i):
                frequent = min(frequent, OF_NAME)
            for language in languages:
                more[language] += max(0.0, frequent - rare)
    return total + max(more.values())


@lru_cache(maxsize=REMEMBERED)
def _weights(word: str, first: bool) -> tuple[float, float, tuple[str, ...]]:
    """Return the weights of a word for languages in which it is rare and frequent, and the latter languages.

    A capitalised word other than the first may be a name.
    """
    lower = word.lower()
    zipf = load_wordlist().lookup(lower)
    name = word[0].isupper() and not first
    odd = not word.isascii() and ACCENTED.search(lower) is not None
    most = (0.0, MAX_PLAIN)[odd] if name else (MAX_PLAIN, MAX_ACCENTED)[odd]
    frequent = ZIPF - zipf
    if name or lower in SHARED:
        frequent = min(frequent, OF_NAME if name else OF_SHARED)
    languages = tuple(language for language, usual in FREQUENT.items() if lower in usual)
    return min(most, OTHERS - zipf), frequent, languages


def _inside_name(words: Sequence[str], i: int) -> bool:
    """Return whether a particle, alone or with others, stands between capitalised words."""
    before, behind = i - 1, i + 1
    while before >= 0 and words[before] in PARTICLES:
        before -= 1
    while behind < len(words) and words[behind] in PARTICLES:
        behind += 1
    return before >= 0 and behind < len(words) and words[before][0].isupper() and words[behind][0].isupper()
