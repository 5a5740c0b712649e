"""Edit tags: what the mender can propose at a word, and how that changes the words.

A tag is a name, followed, if the edit needs it, by a space and an argument: ``delete``, ``swap`` (with the next word),
``join`` (to the next word), ``spelling`` (by the speller's suggestions), ``inflect VBZ``, ``replace their``,
``insert of`` (before the word, or at the end) and ``suffix ful>fully``. Words are in lower case, as the detector reads
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from naturalness.english.wordlist import load_wordlist
from naturalness.explaining.forms import KNOWN, NOUN_TAGS, VERB_TAGS, inflected

KEEP, DELETE, SWAP, JOIN, SPELL = "keep", "delete", "swap", "join", "spelling"
INFLECT, REPLACE, INSERT, SUFFIX = "inflect", "replace", "insert", "suffix"
MIN_STEM = 3
"""The smallest number of letters before a suffix."""
MAX_SUFFIX = 5
"""The largest number of letters of a suffix."""


class Effect(NamedTuple):
    """New words in place of the words from ``start`` to ``end``."""

    start: int
    end: int
    words: tuple[str, ...]


def effect(tag: str, words: Sequence[str], i: int) -> Effect | None:
    """Return the effect of a tag at a word, or at the end of the words; None if it changes nothing or cannot be.

    The tag ``spelling`` names no word, so it has no effect by itself.
    """
    name, _, argument = tag.partition(" ")
    if name == INSERT:
        return Effect(i, i, (argument,))
    if i >= len(words):
        return None
    word, following = words[i], words[i + 1 : i + 2]
    if name == DELETE:
        return Effect(i, i + 1, ())
    if name == SWAP:
        return Effect(i, i + 2, (*following, word)) if following and following[0] != word else None
    if name == JOIN:
        return Effect(i, i + 2, (word + following[0],)) if following else None
    new = _replacement(name, argument, word)
    return Effect(i, i + 1, (new,)) if new and new != word else None


def _replacement(name: str, argument: str, word: str) -> str | None:
    """Return the word that a tag puts in place of another."""
    if name == REPLACE:
        return argument
    if name == INFLECT:
        return inflected(word, argument)
    if name == SUFFIX:
        old, new = argument.split(">")
        stem = word.removesuffix(old)
        changed = stem + new
        fits = word.endswith(old) and len(stem) >= MIN_STEM and load_wordlist().lookup(changed) >= KNOWN
        return changed if fits else None
    return None


def replacements(word: str, other: str, tag: str = "") -> Iterator[str]:
    """Yield the tags that turn a word into another, the most general first.

    ``tag`` is the part-of-speech tag of the other word, which decides between equal forms.
    """
    wanted = {"VBP": "VB", "NNP": "NN", "NNPS": "NNS"}.get(tag, tag)
    for form in dict.fromkeys((wanted, *VERB_TAGS, *NOUN_TAGS)):
        if form in VERB_TAGS + NOUN_TAGS and inflected(word, form) == other:
            yield f"{INFLECT} {form}"
            break
    same = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    short = max(len(word), len(other)) - same <= MAX_SUFFIX
    if same >= MIN_STEM and short and word.isalpha() and other.isalpha():
        yield f"{SUFFIX} {word[same:]}>{other[same:]}"
    yield f"{REPLACE} {other}"
