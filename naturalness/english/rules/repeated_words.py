"""Functions for the rules in `repeated_words.toml`, which find doubled words that are never correct."""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.english.lists import word_list
from naturalness.english.rules.pattern import RuleFinding, RuleSentence
from naturalness.text.view import word_set

# Repetitions of other words are correct, or at least intended: "that that", "had had", "very very".
NEVER_TWICE = word_list("never_twice", "repeated_words")
PHRASE = (NEVER_TWICE | {"in", "on"}) - word_set("and or but by you i only even")
NOUNS = word_set("NN NNS")
VERBS = word_set("VB VBD VBG VBN VBP VBZ")
CALLS = word_list("calls", "repeated_words")
CLAUSES = word_list("clauses", "repeated_words")
ASIDE = word_list("aside", "repeated_words")
TOLD = word_list("told", "repeated_words")
SUBJECTS = word_set("PRP NN NNS NNP")
FINITE = word_set("VBD VBP MD")


def repeated_word(sentence: RuleSentence) -> Iterator[RuleFinding]:
    """Find words typed twice in a row."""
    lower = sentence.lower
    clause = False
    for i in range(sentence.start, sentence.end - 1):
        if lower[i] == lower[i + 1] and _is_slip(sentence, i, clause):
            first = sentence.texts[i]
            yield RuleFinding(i, i + 2, (first,), {"word": lower[i]})
        clause = clause or lower[i] in CLAUSES


def _is_slip(sentence: RuleSentence, i: int, clause: bool) -> bool:
    """Return whether the second of two equal words is a slip; ``clause`` says whether a clause may end between them."""
    word = sentence.lower[i]
    beside = sentence.lower[max(i - 1, sentence.start) : min(i + 3, sentence.end)]
    if not word.isalpha() or beside.count(word) > 2 or not {"-", ":"}.isdisjoint(beside):
        return False  # "very very very", "the sd-event event loop", "Fix the build build: Add a test"
    if word in ASIDE:
        # "What it is is a mistake", "all we do do".
        return not clause
    if word == "a" and i > sentence.start and sentence.tags[i - 1] in NOUNS:
        return False  # "a class a a model": the first is a slip for "as"
    if word == "did" and clause and i > sentence.start and sentence.tags[i - 1] in SUBJECTS:
        return False  # "What they did did not help"
    if word == "you" and i > sentence.start and sentence.lower[i - 1] in TOLD and i + 2 < sentence.end:
        return sentence.tags[i + 2] not in FINITE  # "I told you you were wrong"
    if word in NEVER_TWICE:
        # The second may begin a name: "the The Hague office".
        return sentence.texts[i + 1].islower() or sentence.texts[i] == sentence.texts[i + 1]
    if word in CALLS or not (sentence.texts[i + 1].islower() and len(word) > 2):
        return False
    first, second = sentence.tags[i], sentence.tags[i + 1]
    return {first, second} <= NOUNS or (first == second and {first} <= VERBS)


def repeated_pair(sentence: RuleSentence) -> Iterator[RuleFinding]:
    """Find pairs of function words typed twice in a row: ``of the of the``."""
    lower = sentence.lower
    for i in range(sentence.start, sentence.end - 3):
        first, second = lower[i : i + 2]
        if first != second and first == lower[i + 2] and second == lower[i + 3] and PHRASE.issuperset((first, second)):
            pair = " ".join(sentence.texts[i : i + 2])
            yield RuleFinding(i, i + 4, (pair,), {"pair": pair})
