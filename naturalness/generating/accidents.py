"""Damage as accidents do it: words moved, lost, added, said twice, sentences run together."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from naturalness.generating.damage import Draft, Word

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

INSERTED = ("the", "of", "to", "that", "is", "it", "in", "and", "for", "be", "has", "was", "do")
# Words whose loss is nearly always felt; adverbs, adjectives and modifiers can often go.
NEEDED = frozenset({"VERB", "AUX", "NOUN", "PRON", "ADP", "DET"})
OPTIONAL = frozenset({"compound", "advmod", "appos", "det:predet", "compound:prt", "vocative"})


def word_order(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Swap two neighbours, or move a word by two to four places."""
    whole = set(draft.whole())
    wanted = 1 if rng.random() < 0.5 else rng.randint(2, 4)
    for distance in (wanted, 1):
        starts = [
            i
            for i in sorted(whole)
            if all(i + k in whole for k in range(distance + 1)) and _can_move(draft.words[i : i + distance + 1])
        ]
        if starts:
            order = list(range(distance + 1))
            order = [*order[1:], 0] if rng.random() < 0.5 else [order[-1], *order[:-1]]
            draft.reorder("word_order", rng.choice(starts), order)
            return True
    return False


def _can_move(inside: Sequence[Word]) -> bool:
    """Whether the words stand apart and differ."""
    apart = all(word.space for word in inside[:-1])
    return apart and len({word.text.lower() for word in inside}) == len(inside)


def drop(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Leave out a word that the sentence needs."""
    choices = [i for i in draft.whole() if _needed(draft.words[i].token)]
    if len(draft.words) < 3 or not choices:
        return False
    draft.drop("drop", rng.choice(choices))
    return True


def _needed(token: Token | None) -> bool:
    return token is not None and token.pos_ in NEEDED and token.dep_ not in OPTIONAL


def insert(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Put a function word where it does not belong."""
    spots = [i for i in draft.fresh() if i and draft.words[i - 1].space]
    if not spots:
        return False
    at = rng.choice(spots)
    near = {draft.words[k].text.lower() for k in (at - 1, at)}
    draft.insert("insert", at, [rng.choice([w for w in INSERTED if w not in near])])
    return True


def repeat(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Say a word, or two, twice."""
    whole = [i for i in draft.whole() if draft.words[i].space]
    if not whole:
        return False
    at = rng.choice(whole)
    pair = at - 1 in whole and rng.random() < 0.3
    said = draft.words[at - 1 : at + 1] if pair else [draft.words[at]]
    draft.insert("repeat", at + 1, [_in_the_middle(word) for word in said])
    return True


def _in_the_middle(word: Word) -> str:
    """A word without the capital of a sentence's start."""
    name = word.token is not None and word.token.pos_ == "PROPN"
    return word.text if name or word.text == "I" or not word.text.istitle() else word.text.lower()


def splice(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Go on with the second half of another sentence."""
    own = next((word.token.doc for word in draft.words if word.token is not None), None)
    donors = [doc for doc in others if len(doc) > 5 and doc is not own]
    cuts = [i for i in draft.fresh() if 2 <= i < len(draft.words) - 2 and draft.words[i - 1].space]
    if not donors or not cuts:
        return False
    donor = rng.choice(donors)
    cut = rng.choice(cuts)
    starts = [t.i for t in donor[2 : len(donor) - 2] if t.is_alpha and donor[t.i - 1].whitespace_]
    if not starts:
        return False
    tail = donor[rng.choice(starts) :]
    before = "".join(w.text + " " * w.space for w in draft.words[cut:]).strip()
    if before == tail.text.strip():
        return False
    del draft.words[cut:]
    kept = {id(word) for word in draft.words}
    draft.changes = [c for c in draft.changes if all(id(word) in kept for word in c.words)]
    draft.insert("splice", cut, [token.text for token in tail])
    for word, token in zip(draft.words[cut:], tail, strict=True):
        word.space, word.token = bool(token.whitespace_), token
    change = draft.changes[-1]
    change.before, change.n_touched = before, len(tail)
    return True
