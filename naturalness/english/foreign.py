"""Recognise texts that are not English prose: other languages, code, unknown words, and the same words repeated.

Other languages are recognised by their letters and most frequent words. Each word has a weight: the log10 ratio between
its probabilities in the other language and in English. A few dozen words make up half of any text, so the words in
`FREQUENT` carry most of the evidence. The weight of an English word as evidence for English depends on its frequency in
the word list. All other words count little, because they may be names. A text is foreign if the weights for one
language add up to `MIN_EVIDENCE` or more.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from naturalness.english.code import is_address, is_code
from naturalness.english.wordlist import MAX_LETTERS, REMEMBERED, edits, load_wordlist
from naturalness.files.toml import read_beside
from naturalness.text.view import word_set

NOT_ENGLISH, CODE, ADDRESS = "not English", "code", "an address or a file name"
UNKNOWN_WORDS, REPEATED = "hardly any English words", "the same words over and over"
DOUBTS = (NOT_ENGLISH, CODE, ADDRESS, UNKNOWN_WORDS, REPEATED)
"""Reasons why a text has no score. From a model with `score_anyway`, it has a score, but no label except the worst."""
FREQUENT: Mapping[str, frozenset[str]] = {
    language: word_set(words) for language, words in read_beside(__file__).items()
}
"""The most frequent words of each language, including the first parts of elisions (*l*, *qu*). Nearly every sentence
contains some of them."""
PARTICLES = word_set(
    "de del la las los le du des d l di da das do dos della dei degli van von der den ten ter zu y e i et und al el"
)
"""Frequent words that occur inside names: *Simone de Beauvoir*."""
SHARED = word_set(
    "u v wat dat dem da ze yo ja ta tu o e y na ya ma mi im den ni ben bin dan hans si tom von met door para com od"
)
"""Frequent words of other languages that also occur in English texts, as slang, single letters, slips or names."""
CONTRACTION = re.compile(r"(?<=n)['’] ?t\b|['’] ?(?:s|m|d|re|ve|ll|em)\b", re.IGNORECASE)
"""A pattern for English contractions, whose endings would otherwise count as words of other languages."""
WORD = re.compile(r"(?<![\w.])[^\W\d_]+(?!\w)")
LETTER = re.compile(r"[^\W\d_]")
LATIN = re.compile(r"[A-Za-zªºÀ-ʯᴀ-ỿⱠ-Ɀ꜠-ꟿﬀ-ﬆＡ-Ｚａ-ｚ𝐀-𝟋]")
ACCENTED = re.compile("[àâãäåæçèêëìíîïðñòóôõöøùúûüýþßáéąćęłńśźżěščřžýůďťňğışőűăâîșț]")
MIN_WORDS = 3
"""The smallest number of words (or, in other scripts, of letters) at which a text can be judged foreign or repetitive;
a shorter text is unknown only if it is gibberish."""
MIN_LETTERS = 5
"""The smallest number of letters of gibberish in a text of one or two words; shorter ones may be abbreviations."""
CLUSTER = re.compile(r"^(?!.*(.)\1\1).*([^aeiouy]{4}|[aeiou]{4})")
"""A word with four consonants or vowels in a row, unless a letter is drawn out."""
UNKNOWN_SHARE = 0.8
"""The smallest share of unknown words at which a text is not made of words. In 114,000 rated texts, only three other
texts reach it: two in Indonesian, and one of typing errors alone."""
MAX_SAME, MIN_VARIETY = 0.9, 0.1
"""The largest share of its words that one word may have, and the smallest ratio of distinct words to all words."""
ZIPF, OTHERS = 6.8, 4.3
"""Approximate Zipf values of words in their own language: of a word in `FREQUENT`, and of any other word."""
MAX_PLAIN, MAX_ACCENTED = 0.3, 0.9
"""Maximum weights of words outside `FREQUENT`: if all letters are English, and if not. For words that may be names,
they are 0 and `MAX_PLAIN`.
"""
OF_NAME, OF_SHARED = 0.2, 0.7
"""Maximum weights of a frequent word: if it may be part of a name, and if it is in `SHARED`."""
MIN_EVIDENCE = 2.0
"""The smallest log10 likelihood ratio between the other language and English at which a text is foreign."""


def doubt(text: str) -> str:
    """Return the reason, one of `DOUBTS`, if a text is not English prose, otherwise an empty string."""
    return next((doubted for doubted, is_such in _TESTS if is_such(text)), "")


def is_repetitive(text: str) -> bool:
    """Return whether a text is one word, or a few words, repeated; words are compared with their punctuation, so that
    *No, no, no.* is not repetitive.
    """
    words = Counter(text.lower().strip(".!?… ").split())
    n = words.total()
    return n >= MIN_WORDS and (max(words.values()) >= MAX_SAME * n or len(words) <= MIN_VARIETY * n)


def is_unknown(text: str) -> bool:
    """Return whether hardly any word of a text is in the word list; False for texts without such words.

    Capitalised words other than the first may be names and do not count. A single long string counts as many words.
    In a text of one or two words, none may be near a known word, or look like a name, code or sound.
    """
    words, known = [word for i, word in enumerate(words_of(text)) if i == 0 or not word[0].isupper()], load_wordlist()
    if len(words) < MIN_WORDS and max(map(len, words), default=0) <= MAX_LETTERS:
        alone = text.strip(" .!?…").split()
        return 0 < len(alone) < MIN_WORDS and all(map(_is_gibberish, alone))
    return sum(not known.knows(word.lower()) for word in words) >= UNKNOWN_SHARE * len(words)


def _is_gibberish(word: str) -> bool:
    """Return whether a lower-case word is not near a known word and cannot be pronounced; *brrrr* can."""
    near = (word, *edits(word)) if word.isalpha() and word.islower() and CLUSTER.search(word) else ()
    return len(word) >= MIN_LETTERS and bool(near) and not any(map(load_wordlist().knows, near))


def words_of(text: str) -> list[str]:
    """Return the words of a text that consist of letters alone, without the endings of contractions."""
    return WORD.findall(CONTRACTION.sub("", text))


def is_foreign(text: str) -> bool:
    """Return whether a text is in a language other than English; False for texts that are too short."""
    text = unicodedata.normalize("NFC", text)
    if not text.isascii():
        letters = LETTER.findall(text)
        strange = len(letters) - len(LATIN.findall("".join(letters)))
        if 2 * strange > len(letters):
            return strange >= MIN_WORDS
    words = words_of(text)
    return len(set(words)) >= MIN_WORDS and evidence(words) >= MIN_EVIDENCE


def evidence(words: Sequence[str]) -> float:
    """Return the log10 likelihood ratio between the best-fitting other language and English."""
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
    """Return a word's weight for most languages, its weight for the languages in which it is frequent, and the latter.

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
    """Return whether a particle, or the run of particles that it belongs to, is between capitalised words."""
    before, behind = i - 1, i + 1
    while before >= 0 and words[before] in PARTICLES:
        before -= 1
    while behind < len(words) and words[behind] in PARTICLES:
        behind += 1
    return before >= 0 and behind < len(words) and words[before][0].isupper() and words[behind][0].isupper()


_TESTS = (
    (REPEATED, is_repetitive),
    (NOT_ENGLISH, is_foreign),
    (ADDRESS, is_address),
    (CODE, is_code),
    (UNKNOWN_WORDS, is_unknown),
)
"""The test for each doubt, in the order of testing."""
