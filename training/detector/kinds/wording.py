"""Wrong, missing and needless words: likely beside a neighbour, unlikely in the sentence."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from training.detector.drafts import Draft, Sentence, Word, pick, somewhere
from training.detector.forms import Forms
from training.detector.words import WORDS

CONFUSED = WORDS["confused"]
OPEN = ("NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBZ", "VBP", "JJ", "RB")
NEEDED = ("VB", "VBD", "VBG", "VBN", "VBZ", "VBP", "NN", "NNS", "PRP", "IN", "TO", "MD", "WDT", "WP", "CC", "PRP$")
LAST = ("DT", "IN", "TO", "PRP$", "CC", "MD", "VBZ", "JJ")
"""Tags of words that a sentence hardly ends with."""
INSERTED = WORDS["inserted"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAX_NEIGHBOURS = 60
"""Neighbours stored per word."""


@dataclass(frozen=True)
class Neighbours:
    """Which words follow and precede which, with their tags; as often as they do, up to `MOST`."""

    after: Mapping[str, Sequence[tuple[str, str]]]
    before: Mapping[str, Sequence[tuple[str, str]]]
    by_tag: Mapping[str, Sequence[str]]
    known: frozenset[str]

    @classmethod
    def of(cls, sentences: Iterable[Sentence], rng: random.Random) -> Neighbours:
        """Count pairs; a reservoir of each word's neighbours is kept."""
        after: dict[str, list[tuple[str, str]]] = defaultdict(list)
        before: dict[str, list[tuple[str, str]]] = defaultdict(list)
        seen: Counter[str] = Counter()
        tags: dict[str, list[str]] = defaultdict(list)
        for sentence in sentences:
            for word in sentence:
                seen[word.text] += 1
                if word.text.isalpha():
                    tags[word.tag].append(word.text)
            for left, right in pairwise(sentence):
                if left.text[0].isalpha() and right.text[0].isalpha():
                    _keep(after[left.text], (right.text, right.tag), seen[left.text], rng)
                    _keep(before[right.text], (left.text, left.tag), seen[right.text], rng)
        some = {tag: rng.sample(texts, min(len(texts), 20_000)) for tag, texts in tags.items()}
        return cls(dict(after), dict(before), some, frozenset(seen))


def _keep(pool: list[tuple[str, str]], item: tuple[str, str], n: int, rng: random.Random) -> None:
    if len(pool) < MAX_NEIGHBOURS:
        pool.append(item)
    elif (slot := rng.randrange(n)) < MAX_NEIGHBOURS:
        pool[slot] = item


PAIRS: Mapping[str, tuple[str, ...]] = {
    word: tuple(other for row in CONFUSED if word in row.split() for other in row.split() if other != word)
    for word in {w for row in CONFUSED for w in row.split()}
}


@somewhere(lambda w: w.text in PAIRS)
def confused(draft: Draft, at: int, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """A word that learners take for another."""
    return draft.change(at, rng.choice(PAIRS[draft.words[at].text]), "wrong")


@somewhere()
def likely(draft: Draft, at: int, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """A word that often stands beside one of the neighbours, in place of one of another kind."""
    word = draft.words[at]
    neighbours = _beside(draft, at, at + 1, near, rng)
    pool = [text for text, tag in neighbours if _unlike(word, text, tag)]
    return bool(pool) and draft.change(at, rng.choice(pool), "wrong")


def _beside(draft: Draft, left: int, right: int, near: Neighbours, rng: random.Random) -> Sequence[tuple[str, str]]:
    """What follows the word before ``left`` or precedes the one at ``right``."""
    before = draft.words[left - 1].text if left else ""
    other = draft.words[right].text if right < len(draft.words) else ""
    pools = [near.after.get(before, ()), near.before.get(other, ())]
    rng.shuffle(pools)
    return pools[0] or pools[1]


def _unlike(word: Word, text: str, tag: str) -> bool:
    return text != word.text and (tag[:2] != word.tag[:2] or tag not in OPEN)


def same_tag(draft: Draft, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """Any word of the same tag: fits the grammar and hardly ever the meaning."""
    at = pick(rng, draft.sound(lambda w: w.tag in OPEN and w.text in near.known))
    if at is None:
        return False
    return draft.change(at, rng.choice(near.by_tag[draft.words[at].tag]), "wrong")


def derived(draft: Draft, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """*quick* for *quickly*, *success* for *successful*."""
    at = pick(rng, draft.sound(lambda w: w.text in forms.families))
    return at is not None and draft.change(at, rng.choice(forms.families[draft.words[at].text]), "form")


@somewhere(lambda w: w.text.isalpha() and len(w.text) > 3)
def spelling(draft: Draft, at: int, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """One letter more, less, other, or two changed round."""
    text = draft.words[at].text
    i = rng.randrange(1, len(text) - 1)
    new = rng.choice(
        (
            text[:i] + text[i + 1 :],
            text[:i] + text[i] + text[i:],
            text[:i] + text[i + 1] + text[i] + text[i + 2 :],
            text[:i] + rng.choice(LETTERS) + text[i + 1 :],
        )
    )
    return new not in near.known and draft.change(at, new, "spelling")


def repeated(draft: Draft, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """One to four words said twice, at once or a little later."""
    n = rng.choice((1, 1, 1, 2, 2, 3, 4))
    starts = [
        i
        for i in draft.sound()
        if i + n <= len(draft.words) and all(w.kind == "sound" and w.text[0].isalpha() for w in draft.words[i : i + n])
    ]
    at = pick(rng, starts)
    if at is None:
        return False
    said = draft.words[at : at + n]
    to = at + n
    if rng.random() < 0.35:
        to = min(len(draft.words) - 1, to + rng.randint(1, 6))
    texts = [w.text for w in said]
    if rng.random() < 0.2 and to > at + n:
        texts = ["and", *texts]
    return draft.insert(to, texts, "repeated", [w.tag for w in said] + [""])


@somewhere(lambda w: w.tag in NEEDED and w.dep not in ("compound", "advmod"))
def drop(draft: Draft, at: int, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """A word that the sentence needs is left out; at times two or three together."""
    n = rng.choice((1, 1, 1, 1, 2, 3))
    together = draft.words[at : at + n]
    if not all(w.kind == "sound" and w.text[0].isalpha() for w in together):
        n = 1
    return draft.drop(at, n)


def extra(draft: Draft, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """A function word, or one that often stands beside a neighbour, where none belongs."""
    positions = [i for i in draft.sound() if i and draft.words[i - 1].kind == "sound"]
    at = pick(rng, positions)
    if at is None:
        return False
    if rng.random() < 0.5:
        text = rng.choice(INSERTED)
    else:
        neighbours = _beside(draft, at, at, near, rng)
        if not neighbours:
            return False
        text, tag = rng.choice(neighbours)
        if tag in ("JJ", "RB", "NNP") and rng.random() < 0.8:
            return False  # *the (old) house*: nothing is wrong
    if text in (draft.words[at - 1].text, draft.words[at].text):
        return False
    return draft.insert(at, [text], "extra")


def cut_off(draft: Draft, rng: random.Random, near: Neighbours, forms: Forms) -> bool:
    """The sentence ends too early; its last mark stays."""
    ends = [i for i in draft.sound(lambda w: w.tag in LAST) if i > 2 and i < len(draft.words) - 2]
    at = pick(rng, ends)
    if at is None:
        return False
    tail = draft.words[-1:] if not draft.words[-1].text[0].isalnum() else []
    draft.words[at + 1 :] = tail
    draft.words[-1].kind = "missing"
    draft.kinds.append("missing")
    return True
