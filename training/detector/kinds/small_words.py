"""Damage to articles, prepositions and pronouns: omitted, inserted or confused."""

from __future__ import annotations

import random

from training.detector.drafts import Draft, pick, somewhere
from training.detector.forms import Forms
from training.detector.words import WORDS

PREPOSITIONS = tuple(WORDS["prepositions"])
COMMON = PREPOSITIONS[:10]
PRONOUNS = WORDS["pronouns"]
VOWELS = frozenset("aeiou")


def article(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Omit, insert or replace an article."""
    actions = [_drop_article, _drop_article, _insert_article, _insert_article, _other_article]
    rng.shuffle(actions)
    return any(action(draft, rng) for action in actions)


def _head_tag(draft: Draft, at: int) -> str:
    head = draft.words[at].head
    return next((w.tag for w in draft.words if w.position == head), "")


def _drop_article(draft: Draft, rng: random.Random) -> bool:
    at = pick(
        rng,
        [
            i
            for i in draft.sound(lambda w: w.text in ("a", "an", "the") and w.dep == "det")
            if _head_tag(draft, i) == "NN"
        ],
    )
    return at is not None and draft.drop(at, kind="article")


def _insert_article(draft: Draft, rng: random.Random) -> bool:
    positions = []
    for i in draft.sound(lambda w: w.tag in ("NNS", "NN", "PRP", "NNP", "JJ", "DT", "PRP$")):
        word = draft.words[i]
        before = draft.words[i - 1].tag if i else ""
        if before in ("DT", "PRP$", "JJ", "NN", "NNP", "CD", "POS", "NNS", "JJR", "JJS"):
            continue
        if word.tag != "NN" or word.dep not in ("compound", "root"):
            positions.append(i)
    at = pick(rng, positions)
    if at is None:
        return False
    tag = draft.words[at].tag
    article = "the" if tag in ("NN", "PRP", "NNP", "DT", "PRP$") else rng.choice(("a", "a", "the"))
    if article == "the" and tag in ("NNS", "JJ", "NN") and rng.random() < 0.7:
        return False  # *the* is often as good as nothing
    if article == "a" and draft.words[at].text[0] in VOWELS:
        article = "an"
    return draft.insert(at, [article], "article")


@somewhere(lambda w: w.text in ("a", "an", "the") and w.dep == "det")
def _other_article(draft: Draft, at: int, rng: random.Random) -> bool:
    text = draft.words[at].text
    if text != "the":
        return draft.change(at, "an" if text == "a" else "a", "article")
    return _head_tag(draft, at) in ("NNS", "NNPS") and draft.change(at, "a", "article")


def preposition(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Replace or omit a preposition, or insert one before an object that needs none."""
    present = draft.sound(lambda w: w.text in PREPOSITIONS and w.tag in ("IN", "RP", "TO"))
    drawn = rng.random()
    if drawn < 0.25:
        objects = draft.sound(lambda w: w.dep in ("obj", "dobj", "iobj"))
        if (at := pick(rng, objects)) is not None:
            return _before_object(draft, rng, at)
    at = pick(rng, present)
    if at is None:
        return False
    if drawn < 0.45:
        return draft.drop(at, kind="preposition")
    pool = COMMON if rng.random() < 0.8 else PREPOSITIONS
    return draft.change(at, rng.choice(pool), "preposition")


def _before_object(draft: Draft, rng: random.Random, at: int) -> bool:
    """Insert a preposition: *discuss about the plan*, *enter to the room*."""
    start = at
    while start and draft.words[start - 1].tag in ("DT", "PRP$", "JJ", "CD", "NN", "NNP"):
        start -= 1
    if not start or not draft.words[start - 1].tag.startswith("VB"):
        return False
    return draft.insert(start, [rng.choice(COMMON)], "preposition")


def pronoun(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Change the case of a pronoun, or replace it by another pronoun."""
    tags = ("PRP", "PRP$", "WP", "WDT", "EX", "WP$")
    at = pick(rng, draft.sound(lambda w: w.text in PRONOUNS and w.tag in tags))
    if at is None:
        return False
    return draft.change(at, rng.choice(PRONOUNS[draft.words[at].text]), "pronoun")
