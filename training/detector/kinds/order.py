"""Damage to word order: neighbours, phrases, questions, verbs at the end of a clause."""

from __future__ import annotations

import random

from training.detector.drafts import Draft, Word, pick, somewhere
from training.detector.forms import Forms

MARKS = (",", ";", ":", ".", "!", "?", "--", "-", "(", ")", '"')
ASKING = ("what", "where", "when", "why", "how", "who", "which")
WANDERING = ("RB", "JJ", "IN", "VB", "VBZ", "VBP", "VBD", "VBG", "VBN", "NN", "PRP", "DT", "MD")
CHAIN = ("DT", "PRP$", "JJ", "CD", "NN", "NNS", "NNP", "PRP", "VBN")


def swap(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Swap two neighbours."""
    starts = [i for i in draft.sound() if _plain(draft, i, i + 2) and not _even(draft, i)]
    at = pick(rng, starts)
    return at is not None and draft.reorder(at, (1, 0))


def _plain(draft: Draft, start: int, end: int) -> bool:
    """Return whether the span has only untouched words and no marks."""
    inside = draft.words[start:end]
    return (
        end <= len(draft.words)
        and all(w.kind == "sound" and w.text[0].isalnum() and not w.text.startswith("'") for w in inside)
        and not any(w.text == "n't" for w in draft.words[start : end + 1])
    )


def _even(draft: Draft, at: int) -> bool:
    """Return whether the order of two neighbours, such as two adjectives, is free."""
    here, there = draft.words[at].tag, draft.words[at + 1].tag
    return here == there and here in ("JJ", "RB", "NNP", "CD")


def move(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Move one word two to six places."""
    length = rng.randint(3, 7)
    starts = [i for i in draft.sound() if _plain(draft, i, i + length)]
    at = pick(rng, starts)
    if at is None:
        return False
    on = rng.random() < 0.5
    mover = draft.words[at if on else at + length - 1]
    if mover.tag not in WANDERING or (mover.tag == "RB" and rng.random() < 0.7):
        return False
    order = [*range(1, length), 0] if on else [length - 1, *range(length - 1)]
    return draft.reorder(at, order)


def shuffle(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Shuffle three to six neighbours."""
    length = rng.randint(3, 6)
    at = pick(rng, [i for i in draft.sound() if _plain(draft, i, i + length)])
    if at is None:
        return False
    order = rng.sample(range(length), length)
    return draft.reorder(at, order)


def _chunk_end(draft: Draft, start: int) -> int:
    end = start
    while end < len(draft.words) and draft.words[end].tag in CHAIN:
        end += 1
    return end


def phrase(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Move a preposition and its noun phrase, and mark all moved words."""
    starts = draft.sound(lambda w: w.tag in ("IN", "TO") and w.dep == "case")
    at = pick(rng, starts)
    if at is None:
        return False
    end = _chunk_end(draft, at + 1)
    if end - at < 2 or any(w.kind != "sound" for w in draft.words[at:end]):
        return False
    rest = draft.words[:at] + draft.words[end:]
    positions = [
        i
        for i in range(1, len(rest) - 1)
        if abs(i - at) > 1
        and rest[i].text not in MARKS
        and rest[i - 1].text not in MARKS
        and (rest[i - 1].tag in ("DT", "JJ", "PRP$", "IN", "TO", "MD") or rng.random() < 0.3)
    ]
    to = pick(rng, positions)
    if to is None:
        return False
    moved = draft.words[at:end]
    for word in moved:
        word.kind = "order"
    draft.words[:] = rest[:to] + moved + rest[to:]
    draft.kinds.append("order")
    return True


def question(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Invert a subject and its auxiliary: *what now we can do*, *where you are going*, and *I know what is it*."""
    words = draft.words
    subjects = [i for i, w in enumerate(words) if w.dep.startswith(("nsubj", "expl"))]
    choices = []
    for i in subjects:
        for at in (i - 1, i + 1):
            if 0 <= at < len(words) and _helps(words[at], words[i]) and words[at].kind == "sound":
                choices.append((min(i, at), at < i))
    asking = [(at, turned) for at, turned in choices if turned]
    after_wh = [(at, turned) for at, turned in choices if not turned and at and words[at - 1].text in ASKING]
    pool = asking or after_wh or (choices if rng.random() < 0.3 else [])
    if not pool:
        return False
    at, _ = rng.choice(pool)
    return _plain(draft, at, at + 2) and draft.reorder(at, (1, 0))


def _helps(verb: Word, subject: Word) -> bool:
    helper = verb.dep.startswith(("aux", "cop")) or verb.tag == "MD"
    same = verb.head == subject.head or verb.position == subject.head
    return same and (helper or verb.text in ("is", "are", "was", "were"))


def late_verb(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Move a verb behind its object."""
    objects = draft.sound(lambda w: w.dep in ("obj", "dobj", "xcomp", "obl"))
    at = pick(rng, objects)
    if at is None:
        return False
    position_of = {w.position: i for i, w in enumerate(draft.words)}
    verb = position_of.get(draft.words[at].head)
    if verb is None or not 0 < at - verb <= 6 or not _plain(draft, verb, at + 1):
        return False
    order = [*range(1, at - verb + 1), 0]
    return draft.reorder(verb, order)


@somewhere(lambda w: w.dep in ("amod", "nummod", "det", "nmod:poss"))
def adjective(draft: Draft, at: int, rng: random.Random, forms: Forms) -> bool:
    """Put an adjective, number or determiner after its noun."""
    if not _plain(draft, at, at + 2):
        return False
    if draft.words[at + 1].tag not in ("NN", "NNS", "JJ"):
        return False
    return draft.reorder(at, (1, 0))


@somewhere(lambda w: w.tag == "RB" and w.text not in ("n't", "not"))
def adverb(draft: Draft, at: int, rng: random.Random, forms: Forms) -> bool:
    """Put an adverb between a verb and its object, or between a determiner and its noun."""
    if not _plain(draft, at, at + 1):
        return False
    mover = draft.words[at]
    rest = draft.words[:at] + draft.words[at + 1 :]
    positions = [
        i
        for i in range(1, len(rest) - 1)
        if abs(i - at) <= 6
        and i != at
        and rest[i].text not in MARKS
        and (
            rest[i - 1].tag in ("DT", "PRP$", "IN", "TO")
            or (rest[i - 1].tag.startswith("VB") and rest[i].tag in ("DT", "PRP", "NN", "NNS"))
        )
    ]
    to = pick(rng, positions)
    if to is None:
        return False
    mover.kind = "order"
    draft.words[:] = [*rest[:to], mover, *rest[to:]]
    draft.kinds.append("order")
    return True
