"""Count the syllables of English words by rule: groups of vowels, with the usual corrections."""

from __future__ import annotations

import re
from functools import lru_cache

VOWELS = re.compile(r"[aeiouy]+")
SILENT = re.compile(r"(?:[^laeiouy]|[aeiouy]l|[aeiouy])e$|(?:[^tdraeiouy]|[aeiouy]r)ed$")
SILENT_ES = re.compile(r"(?:[^aeiouycsxzgh]|[^cs]h)es$")
SPLIT = re.compile(r"i[ao](?!n)|ia(?!n$)|[eo]o?i?ng$|(?<=[^q])u[ao](?=[lt])|eo(?!u)|[aeiou]ism$|yi|iu")
SUFFIX_E = re.compile(r"[aeiou][^aeiou]+e(?=(?:ly|ment|ments|less|ful|ness)$)")
IRREGULAR = {
    word: count
    for count, words in {
        1: """
        eye eyes the queue hour our fire real whole
    """,
        2: """
        being doing going business every people science quiet poem create creates ocean europe something
        sometimes someone lion giant really people's theatre client clients poet poets naked asia russia evening
        evenings somewhere diet wicked cafe coffee maybe therefore
    """,
        3: """
        area areas idea ideas everyone everything created various serious previous museum recipe everywhere
        quietly simile finale
    """,
        4: """
        society variety
    """,
    }.items()
    for word in words.split()
}
REMEMBERED, LONGEST_REMEMBERED = 1 << 14, 64
"""The maximum number of cached words, and the maximum length of a cached word in characters."""


def syllables(word: str) -> int:
    """Return the number of syllables of a lower-case word, at least 1; a number has one syllable."""
    return _remembered(word) if len(word) <= LONGEST_REMEMBERED else _count(word)


def _count(word: str) -> int:
    known = IRREGULAR.get(word)
    if known:
        return known
    letters = re.sub(r"[^a-z]", "", word)
    count = len(VOWELS.findall(letters))
    if count > 1 and (SILENT.search(letters) or SILENT_ES.search(letters)):
        count -= 1
    if SUFFIX_E.search(letters):
        count -= 1
    count += len(SPLIT.findall(letters)) - len(re.findall(r"[ct]io(?!n)|[ct]ia|gio", letters))
    if letters.endswith(("sm", "thm")):
        count += 1
    return max(count, 1)


_remembered = lru_cache(maxsize=REMEMBERED)(_count)
