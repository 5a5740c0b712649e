"""Learners' errors, drawn anew each time: the mixture of the mender's drafts.

`learners.tsv` counts the words that learners wrote and an editor's corrections (`training.mender.learners`); most other
kinds are the detector's.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from training.detector.drafts import Draft, Sentence, pick, somewhere
from training.detector.kinds import grammar, order, small_words, wording
from training.detector.mixture import Kind, Source
from training.tables import read_table

SETTINGS = read_table(__file__, "damage.toml")
DETERMINERS: Sequence[Sequence[str]] = [row.split() for row in SETTINGS["determiners"]]
COLLOCATIONS: Mapping[str, Sequence[str]] = {word: others.split() for word, others in SETTINGS["collocations"].items()}
PAST, PRESENT = frozenset(SETTINGS["past"].split()), frozenset(SETTINGS["present"].split())
MARKS = (".", "?", "!")
"""Marks at the end of a sentence."""
UNDAMAGED = 0.25
"""The share of drafts without damage."""
DAMAGES = (1, 1, 1, 2, 2, 3)
"""Numbers of damages of a draft, one of which is drawn."""
FINITE = ("VBD", "VBZ", "VBP")


def _learners() -> Mapping[str, Sequence[tuple[str, int]]]:
    """Return the words that learners wrote for each word, with counts; `punctuation` draws marks."""
    table: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for line in Path(__file__).with_name("learners.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        written, edited, count = line.split("\t")
        if edited.isalpha():
            table[edited].append((written, int(count)))
    return table


LEARNERS = _learners()


def as_learners(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Replace a word by what learners wrote for it, or drop it."""
    choices = [(i, *row) for i, w in enumerate(draft.words) if w.kind == "sound" for row in LEARNERS.get(w.text, ())]
    if not choices:
        return False
    ((at, written, _),) = rng.choices(choices, [count for *_, count in choices])
    return draft.change(at, written, "wrong") if written else draft.drop(at)


@somewhere(lambda w: w.tag in FINITE and w.text not in ("'s", "'re", "'m", "'d"))
def tense(draft: Draft, at: int, rng: random.Random, source: Source) -> bool:
    """Change the tense of a verb so that it contradicts another verb or an adverb of time."""
    word, others = draft.words[at], {w.tag for i, w in enumerate(draft.words) if i != at and w.tag in FINITE}
    said = {w.text for w in draft.words}
    if word.tag == "VBD":
        subject = grammar.subject_of(draft, at)
        plural = subject is None or draft.words[subject].tag in ("NNS", "NNPS") or draft.words[subject].text in PLURALS
        fits, wanted = "VBD" in others or said & PAST, "VBP" if plural else "VBZ"
    else:
        fits, wanted = others & {"VBZ", "VBP"} or said & PRESENT, "VBD"
    return bool(fits) and draft.change(at, source.forms.other(word.text, word.tag, wanted), "verb")


PLURALS = frozenset(["i", "you", "we", "they", "these", "those"])


def determiner(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Replace a determiner by another of its class."""
    row = rng.choice(DETERMINERS)
    at = pick(rng, draft.sound(lambda w: w.text in row and w.dep in ("det", "nmod:poss", "poss", "amod", "advmod")))
    return at is not None and draft.change(at, rng.choice([w for w in row if w != draft.words[at].text]), "article")


def collocation(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Replace a word by one that learners combine with the same words: *do a mistake*, *since three years*."""
    at = pick(rng, draft.sound(lambda w: w.text in COLLOCATIONS))
    return at is not None and draft.change(at, rng.choice(COLLOCATIONS[draft.words[at].text]), "wrong")


def small_word(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Leave out a pronoun, a conjunction, a preposition, a modal verb or a form of *be*, *have* or *do*."""
    at = pick(rng, draft.sound(lambda w: w.tag in ("PRP", "CC", "IN", "TO", "MD", "WDT", "WP", "WRB") or w.text in BE))
    return at is not None and at > 0 and draft.drop(at)


BE = frozenset(["be", "is", "are", "was", "were", "am", "been", "being", "has", "have", "had", "do", "does", "did"])


def punctuation(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Leave out, put in or replace a comma, a hyphen, an apostrophe or the final mark."""
    words, drawn = draft.words, rng.random()
    if drawn < 0.25 and words[-1].text in MARKS and len(words) > 3:
        words.pop()
        draft.kinds.append("punctuation")
        return True
    if drawn < 0.3 and words[-1].text in MARKS:
        return draft.change(
            len(words) - 1, rng.choice([m for m in (*MARKS, ",") if m != words[-1].text]), "punctuation"
        )
    marks = [i for i, w in enumerate(words[:-1]) if w.kind == "sound" and w.text in (",", "-", "'", ";", ":", '"')]
    if drawn < 0.65 and marks:
        at = rng.choice(marks)
        return draft.change(at, ",", "punctuation") if words[at].text in ";:" else draft.drop(at, kind="punctuation")
    at = rng.randrange(1, len(words))
    beside = words[at - 1].text.isalnum() and words[at].text.isalnum()
    return beside and draft.insert(at, [rng.choice((",", ",", ",", "-", "."))], "punctuation")


def divided(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Write a compound as two words: *some one*, *can not*."""
    at = pick(rng, draft.sound(lambda w: w.text in COMPOUNDS))
    if at is None:
        return False
    first, second = COMPOUNDS[draft.words[at].text]
    return draft.change(at, first, "spelling") and draft.insert(at + 1, [second], "spelling")


COMPOUNDS: Mapping[str, Sequence[str]] = {"".join(row.split()): row.split() for row in SETTINGS["compounds"]}


def _grammatical(kind: Callable[..., bool]) -> Kind:
    return lambda draft, rng, source: kind(draft, rng, source.forms)


def _worded(kind: Callable[..., bool]) -> Kind:
    return lambda draft, rng, source: kind(draft, rng, source.near, source.forms)


MIXTURE: Mapping[Kind, float] = {
    as_learners: 9,
    tense: 5,
    determiner: 4,
    collocation: 4,
    small_word: 7,
    punctuation: 14,
    divided: 1.5,
    _grammatical(grammar.agreement): 8,
    _grammatical(grammar.verb_form): 8,
    _grammatical(grammar.learner_verb): 7,
    _grammatical(grammar.noun): 11,
    _grammatical(small_words.article): 15,
    _grammatical(small_words.preposition): 12,
    _grammatical(small_words.pronoun): 4,
    _grammatical(order.swap): 2,
    _grammatical(order.question): 2,
    _grammatical(order.adverb): 1.5,
    _grammatical(order.adjective): 1,
    _grammatical(order.late_verb): 0.5,
    _worded(wording.confused): 7,
    _worded(wording.likely): 2,
    _worded(wording.derived): 8,
    _worded(wording.spelling): 7,
    _worded(wording.repeated): 3,
    _worded(wording.drop): 3,
    _worded(wording.extra): 5,
}
"""How often each kind is drawn."""


def draft_of(sentence: Sentence, rng: random.Random, source: Source) -> Draft:
    """Return a draft of a sentence, damaged unless it is one of `UNDAMAGED`."""
    draft = Draft.of(sentence)
    if rng.random() >= UNDAMAGED:
        kinds, weights, goal = [*MIXTURE], [*MIXTURE.values()], rng.choice(DAMAGES)
        for _ in range(12 * goal):
            rng.choices(kinds, weights)[0](draft, rng, source)
            if len(draft.kinds) >= goal:
                break
    return draft
