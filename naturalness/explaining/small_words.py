"""Function words by class: what may be put in, taken out or exchanged without inventing content."""

from __future__ import annotations

from collections.abc import Mapping


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ARTICLES = ("a", "an", "the")
DETERMINERS = _words("this that these those some any each every all both")
PREPOSITIONS = _words(
    "of in to for on with at by from about as into over after before between through during under "
    "against without within upon since until among around near towards across behind than like off "
    "out up down"
)
CONJUNCTIONS = _words("and or but that if because when while although though as than so whether where since until")
RELATIVES = _words("who whom whose which that what where when how why")
PERSONS = tuple(
    map(
        _words,
        (
            "I me my mine myself",
            "you your yours yourself yourselves",
            "he him his himself",
            "she her hers herself",
            "it its itself",
            "we us our ours ourselves",
            "they them their theirs themselves",
        ),
    )
)
"""The forms of each personal pronoun."""
SUBJECTS = _words("I you he she it we they there")
OBJECTS = _words("me you him her it us them")
POSSESSIVES = _words("my your his her its our their")
BE = _words("be am is are was were been being")
HAVE = _words("have has had having")
DO = _words("do does did doing done")
MODALS = _words("will would can could may might must shall should")
ALIKE = tuple(map(_words, ("is has does", "are have do", "was had did", "be have do", "been had done")))
"""Auxiliaries of the same form, which take each other's place by mistake."""

EXCHANGED: tuple[tuple[str, ...], ...] = (
    (*ARTICLES, *DETERMINERS),
    (*ARTICLES, *POSSESSIVES),
    PREPOSITIONS,
    CONJUNCTIONS,
    RELATIVES,
    *PERSONS,
    SUBJECTS,
    OBJECTS,
    POSSESSIVES,
    BE,
    HAVE,
    DO,
    MODALS,
    *ALIKE,
)
"""Classes within which a word may stand for another."""
INSERTED: tuple[str, ...] = tuple(
    dict.fromkeys(
        (
            *ARTICLES[::2],
            *DETERMINERS,
            *PREPOSITIONS,
            *CONJUNCTIONS,
            *RELATIVES,
            *SUBJECTS,
            *OBJECTS,
            *POSSESSIVES,
            *BE,
            *HAVE[:3],
            *DO[:3],
            *MODALS,
        )
    )
)
"""Words that may be missing; *an* is *a* before a vowel."""
SMALL = frozenset(word.lower() for those in EXCHANGED for word in those)
"""All of them, in lower case."""


def _exchanges() -> Mapping[str, tuple[str, ...]]:
    exchanges: dict[str, dict[str, None]] = {}
    for those in EXCHANGED:
        for word in those:
            rest = dict.fromkeys(other for other in those if other != word)
            exchanges.setdefault(word.lower(), {}).update(rest)
    return {word: tuple(others) for word, others in exchanges.items()}


EXCHANGES = _exchanges()
"""What may stand for each of them."""
