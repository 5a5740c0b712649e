"""Decide whether a word begins with a vowel sound and therefore takes *an*."""

from __future__ import annotations

import re
from functools import lru_cache

from naturalness.english.wordlist import REMEMBERED, load_wordlist
from naturalness.text.view import word_set

NAMES = frozenset("aefhilmnorsx")
"""Letters whose names begin with a vowel sound: an F, an MBA."""
YOU = re.compile(
    r"eu|ewe|ubi|ufo|uga|uk|una(?:ry|nim)|uni(?!n|m|dent|llu|ro|rri)|ur(?:an|e|i|o|ug)|us[aeiu]|"
    r"ut(?:ah|e|i|o)|u$"
)
ONE = re.compile(r"one(?:s|self|way|time|off)?(?:$|-)|once")
KNOWN = re.compile(r"euro|uni[tvqcs]|uk|uga|urug|utah|usa")
SILENT = re.compile(r"hour|honest|honou?r|heir")
# Usage varies: an historic vote, an herb, an hotel, a Xmas card, a SQL server, an Xlib program.
UNCLEAR = re.compile(
    r"herb|hist|hot|hab|hered|heret|hys|hyp|hall|harm|hero|hila|hum|hund|hosp|homo|hib|"
    r"hy|ou[ij]|y[^aeiou]|x[^aeiouy]|ng|uh|um$|h$|ha$|hm"
)
READABLE = re.compile(r"(?:[aeiou]|(?:[^aeiou]|s[chklmnpqtw]|[fks]l|[fkstp]r)[aeiouy]).")
LETTERS = word_set("usb uk un us usa ufo url ui ux udp usaf")


# Consonant clusters with which no English word begins; a word that does is read as initials: nfl, fbi.
UNREADABLE = re.compile(
    r"[^aeiouy]+$|f[^aeiouylrj]|h[^aeiouy]|l[^aeiouyl]|m[^aeiouyn]|n[^aeiouyg]|r[^aeiouyh]|s[bdx]|"
    r"x[^aeiouy]"
)


@lru_cache(maxsize=REMEMBERED)
def begins_with_vowel(word: str) -> bool | None:
    """Return whether a word, given as written, begins with a vowel sound; None if that is unclear."""
    if not word[:1].isascii() or not word[:1].isalnum():
        return None
    if word[0].isdigit():
        return _number(word)
    lower = word.lower()
    if lower.startswith("sql"):
        return None
    if len(word) == 1 or word[1] in "-.0123456789":
        return lower[0] in NAMES
    if any(map(str.isdigit, word)):
        return None
    if word[1].isupper():
        return _initials(word)
    if word.islower():
        # A name may be read letter by letter, such as scrypt, or in its own way: uvloop.
        spelt = lower in LETTERS or UNREADABLE.match(lower) or not load_wordlist().knows(lower)
    else:
        spelt = not word.istitle()
    if spelt:
        read = _sound(lower)
        return read if read == (lower[0] in NAMES) else None
    if word[0].isupper() and (lower[0] == "u" or lower.startswith("eu")):
        # Names from other languages keep their pronunciation: Euler, Ubuntu.
        return False if KNOWN.match(lower) else None
    return _sound(lower)


def _sound(lower: str) -> bool | None:
    """Return whether a word that is not read letter by letter begins with a vowel sound; None if that is unclear."""
    if YOU.match(lower) or ONE.match(lower):
        return False
    if SILENT.match(lower) or lower in ("x-ray", "xray", "xbox"):
        return True
    if UNCLEAR.match(lower):
        return None
    return lower[0] in "aeiou"


def _initials(word: str) -> bool | None:
    """Return whether initials begin with a vowel sound; None if that is unclear.

    Initials may be spelt out (an FBI agent) or read as a word (a NASA engineer).
    """
    lower = word.lower().removesuffix("s") if word.endswith("s") else word.lower()
    spelt = lower[0] in NAMES
    if lower in LETTERS or word[0].islower() or not READABLE.match(lower):
        return spelt
    read = _sound(lower)
    return read if read == spelt else None


def _number(word: str) -> bool | None:
    """Return whether a number begins with a vowel sound: an 8, an 11th, an 18-year-old.

    Return None for numbers such as 1100 and 1800, which can be read in two ways.
    """
    number = re.match(r"[\d,]+", word)
    digits = number.group().replace(",", "") if number else ""
    if digits.startswith("8"):
        return True
    if digits.startswith(("11", "18")):
        return None if len(digits) == 4 else len(digits) % 3 == 2
    return False
