"""Damage to the grammar: agreement, verb forms, articles, prepositions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from naturalness.generating.damage import Draft, Word
from naturalness.models.inflection import inflect

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

ARTICLES = ("a", "an", "the")
PREPOSITIONS = ("in", "on", "at", "to", "for", "of", "with", "from", "by", "about", "into", "over")
# Pairs that often fit the same place: swapping them is no damage.
ALIKE = {
    "in": {"into", "at", "on"},
    "into": {"in", "to", "over"},
    "at": {"in", "on", "by"},
    "on": {"in", "at", "about", "over"},
    "to": {"into"},
    "about": {"on", "over", "of"},
    "over": {"about", "on", "into"},
    "by": {"at", "from", "with"},
    "from": {"by"},
    "of": {"about", "for"},
    "for": {"of"},
    "with": {"by"},
}
BE_FLIPS = {"is": "are", "are": "is", "was": "were", "were": "was", "am": "is", "'s": "are", "'re": "is", "'m": "is"}
DETERMINER_FLIPS = {"this": "these", "these": "this", "that": "those", "those": "that"}
NUMBERED = frozenset(
    {
        "a",
        "an",
        "this",
        "these",
        "that",
        "those",
        "many",
        "several",
        "each",
        "every",
        "two",
        "three",
        "few",
        "both",
        "one",
    }
)
# Forms that are wrong where the form on the left was right; another tense alone is no error.
WRONG_FORMS = {
    "VB": ("VBZ", "VBD", "VBG"),
    "VBD": ("VB", "VBG"),
    "VBN": ("VB", "VBZ"),
    "VBG": ("VB", "VBZ"),
    "VBZ": ("VBG",),
    "VBP": ("VBG",),
}
SUBJECTS = ("nsubj", "expl")


def agreement(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Give a verb the other number, or a noun behind a determiner that has one."""
    choices = [
        (i, form)
        for i in draft.fresh()
        if (form := _other_number(draft.words[i])) and form != draft.words[i].text.lower()
    ]
    return _replace_one("agreement", draft, rng, choices)


def _other_number(word: Word) -> str | None:
    token = word.token
    if token is None:
        return None
    low, tag = token.lower_, token.tag_
    if tag in {"VBZ", "VBP", "VBD"} and token.lemma_ == "be":
        return BE_FLIPS.get(low) if _subject(token) is not None else None
    if tag in {"VBZ", "VBP"} and token.is_alpha and _subject(token) is not None:
        return token.lemma_.lower() if tag == "VBZ" else inflect(token.lemma_, "VBZ")
    if low in DETERMINER_FLIPS and token.dep_ == "det":
        return DETERMINER_FLIPS[low]
    if tag in {"NN", "NNS"} and any(c.lower_ in NUMBERED for c in token.children):
        return inflect(token.lemma_, "NNS") if tag == "NN" else token.lemma_.lower()
    return None


def _subject(token: Token) -> Token | None:
    """The subject that a finite verb or the first auxiliary agrees with."""
    own = next((c for c in token.children if c.dep_.startswith(SUBJECTS)), None)
    if own is not None or token.dep_ not in {"aux", "cop", "aux:pass", "auxpass"}:
        return own
    helpers = [c for c in token.head.children if c.dep_.startswith(("aux", "cop"))]
    if any(helper.i < token.i for helper in helpers):
        return None
    return next((c for c in token.head.children if c.dep_.startswith(SUBJECTS)), None)


def tense(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Give a verb a form that does not fit: base for past, -ing for present, and so on."""
    choices = []
    for i in draft.whole():
        token = draft.words[i].token
        if token is None or token.pos_ not in {"VERB", "AUX"} or not token.is_alpha:
            continue
        tags = WRONG_FORMS.get(token.tag_, ())
        if token.tag_ == "VBD" and not _is_third_singular(_subject(token)):
            tags = ("VBG",)  # they walked -> they walk is another tense, no error
        forms = {inflect(token.lemma_, tag) for tag in tags}
        choices += [(i, form) for form in sorted(forms - {token.lower_})]
    return _replace_one("tense", draft, rng, choices)


def _is_third_singular(subject: Token | None) -> bool:
    if subject is None:
        return False
    return subject.lower_ in {"he", "she", "it"} or subject.tag_ in {"NN", "NNP"}


def article(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Drop the article of a singular noun, give a wrong one, or put one where none belongs.

    *The* for *a* and the other way round mostly reads well, so it is not done.
    """
    drops, swaps, inserts = [], [], []
    for i in draft.fresh():
        token = draft.words[i].token
        if token is None:
            continue
        low, head = token.lower_, token.head
        if low in ARTICLES and head.tag_ == "NN":
            drops.append(i)
        if low in {"a", "an"}:
            swaps.append((i, "a" if low == "an" else "an"))
        elif low == "the" and head.tag_ == "NNS":
            swaps.append((i, "a"))
        plural = token.tag_ == "NNS" and token.i and not any(True for _ in token.lefts)
        if i and draft.words[i - 1].space and (plural or token.tag_ == "PRP"):
            inserts.append((i, "a" if plural else "the"))
    actions = [a for a, count in ((0, drops), (0, drops), (1, swaps), (2, inserts)) if count]
    if not actions:
        return False
    match rng.choice(actions):
        case 0:
            draft.drop("article", rng.choice(drops))
        case 1:
            draft.replace("article", *rng.choice(swaps))
        case _:
            at, word = rng.choice(inserts)
            draft.insert("article", at, [word])
    return True


def preposition(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Drop a preposition, or put a wrong one in its place."""
    present = [
        i
        for i in draft.fresh()
        if draft.words[i].text.lower() in PREPOSITIONS and (t := draft.words[i].token) is not None and t.pos_ == "ADP"
    ]
    if not present:
        return False
    at = rng.choice(present)
    if rng.random() < 0.3:
        draft.drop("preposition", at)
    else:
        now = draft.words[at].text.lower()
        wrong = [p for p in PREPOSITIONS if p != now and p not in ALIKE[now]]
        draft.replace("preposition", at, rng.choice(wrong))
    return True


def _replace_one(kind: str, draft: Draft, rng: random.Random, choices: Sequence[tuple[int, str]]) -> bool:
    if not choices:
        return False
    at, form = rng.choice(choices)
    draft.replace(kind, at, form)
    return True
