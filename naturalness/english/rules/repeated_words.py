"""Repeated words: one that was typed twice, in places where English never has it twice."""

from __future__ import annotations

from collections.abc import Iterator

from naturalness.english.rules.pattern import CodeRule, Finding, Sentence

# Twice in a row these are right, or at least meant: "that that", "had had", "very very".
SMALL_WORDS = (
    "the a an and or but of to for from with at by into he she it they we i you his my their "
    "our your its this these those is are was were be been being as if because than could would "
    "should may might must there what when which who whose where how has have about also only "
    "even some any most other others each every such"
)
NEVER_TWICE = frozenset(SMALL_WORDS.split())
PHRASE = (NEVER_TWICE | {"in", "on"}) - {"and", "or", "but", "by", "you", "i", "only", "even"}
NOUNS = frozenset({"NN", "NNS"})
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
CALLED = "ha hee bye blah knock tick tock chop boo bang quack tap pop now please come go hear look stop run wait"
CALLS = frozenset(CALLED.split())
CLAUSES = frozenset({"what", "who", "where", "how", "why", "when", "which", "whatever", "all"})
ASIDE = frozenset({"is", "are", "was", "were", "be", "been", "have", "has"})


def _twice(sentence: Sentence) -> Iterator[Finding]:
    """Find a word that stands twice in a row."""
    lower = sentence.view.lower
    clause = False
    for i in range(sentence.start, sentence.end - 1):
        if lower[i] == lower[i + 1] and _meant_once(sentence, i, clause):
            first = sentence.view.texts[i]
            yield Finding(i, i + 2, f"'{lower[i]}' is repeated", (first,))
        clause = clause or lower[i] in CLAUSES


def _meant_once(sentence: Sentence, i: int, clause: bool) -> bool:
    """Return whether the second of two equal words is a slip; *clause*: whether one may end with it."""
    view = sentence.view
    word = view.lower[i]
    beside = view.lower[max(i - 1, sentence.start) : min(i + 3, sentence.end)]
    if not word.isalpha() or beside.count(word) > 2:
        return False
    if word in ASIDE:
        # "What it is is a mistake", "all we do do".
        return not clause
    if word in NEVER_TWICE:
        # The second may begin a name: "the The Hague office".
        return view.texts[i + 1].islower() or view.texts[i] == view.texts[i + 1]
    if word in CALLS or not (view.texts[i + 1].islower() and len(word) > 2):
        return False
    first, second = view.tags[i], view.tags[i + 1]
    return {first, second} <= NOUNS or (first == second and {first} <= VERBS)


def _phrase_twice(sentence: Sentence) -> Iterator[Finding]:
    """Find two small words that stand twice in a row: ``of the of the``."""
    lower = sentence.view.lower
    for i in range(sentence.start, sentence.end - 3):
        first, second = lower[i : i + 2]
        if first != second and first == lower[i + 2] and second == lower[i + 3] and PHRASE.issuperset((first, second)):
            pair = " ".join(sentence.view.texts[i : i + 2])
            yield Finding(i, i + 4, f"'{pair}' is repeated", (pair,))


RULES: tuple[CodeRule, ...] = (
    CodeRule(
        id="WORD_TWICE",
        find=_twice,
        bad=(
            "We went to the the cinema.",
            "It is is too late now.",
            "She gave it to to her brother.",
            "He opened the door door slowly.",
        ),
        good=(
            "He said that that was wrong.",
            "She had had enough of it.",
            "It was very very cold.",
            "What it is is a mistake.",
            "No, no, we never met.",
            "I know what you can do do not worry.",
        ),
    ),
    CodeRule(
        id="PHRASE_TWICE",
        find=_phrase_twice,
        bad=("He sat at the end of the of the table.", "They live in a in a small house."),
        good=("She read it again and again and again.", "It went on and on and on."),
    ),
)
