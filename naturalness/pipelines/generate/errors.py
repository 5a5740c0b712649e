"""Damage by kind: word order, agreement, verb forms, articles, prepositions, and plain accidents.

Each kind is a function that changes a draft and says whether it could. Drawing is deterministic:
the same text, seed and settings give the same damage, whatever else is generated.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from naturalness.errors import UnknownName
from naturalness.models.inflection import inflect
from naturalness.parsing import source_of
from naturalness.pipelines.generate.damage import Damaged, Draft, Word

if TYPE_CHECKING:
    from spacy.tokens import Doc

    Kind = Callable[[Draft, random.Random, Sequence[Doc]], bool]

ARTICLES = ("a", "an", "the")
PREPOSITIONS = ("in", "on", "at", "to", "for", "of", "with", "from", "by", "about", "into", "over")
INSERTED = ("the", "of", "to", "that", "is", "it", "in", "and", "for", "be", "has", "was", "do")
BE_FLIPS = {"is": "are", "are": "is", "was": "were", "were": "was", "am": "is", "'s": "are",
            "'re": "is", "'m": "is"}  # fmt: skip
DETERMINER_FLIPS = {"this": "these", "these": "this", "that": "those", "those": "that"}
NUMBERED = frozenset({"a", "an", "this", "these", "that", "those", "many", "several", "each",
                      "every", "two", "three", "few", "both", "one"})  # fmt: skip
# Forms that are wrong where the form on the left was right; another tense alone is no error.
WRONG_FORMS = {"VB": ("VBZ", "VBD", "VBG"), "VBD": ("VB", "VBG"), "VBN": ("VB", "VBZ"),
               "VBG": ("VB", "VBZ"), "VBZ": ("VBG",), "VBP": ("VBG",)}  # fmt: skip


def word_order(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Swap two neighbours, or move a word by two to four places."""
    fresh = set(draft.fresh())
    distance = 1 if rng.random() < 0.5 else rng.randint(2, 4)
    starts = [
        i for i in fresh
        if all(i + k in fresh for k in range(distance + 1)) and _differ(draft.words, i, distance)
    ]  # fmt: skip
    if not starts:
        return False
    start = rng.choice(sorted(starts))
    order = list(range(distance + 1))
    order = [*order[1:], 0] if rng.random() < 0.5 else [order[-1], *order[:-1]]
    draft.reorder("word_order", start, order)
    return True


def _differ(words: Sequence[Word], start: int, distance: int) -> bool:
    inside = words[start : start + distance + 1]
    tight = any(not word.space for word in inside[:-1])
    return not tight and len({word.text.lower() for word in inside}) > 1


def agreement(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Give a verb the other number, or a noun behind a determiner that has one."""
    choices = [(i, form) for i in draft.fresh() if (form := _other_number(draft.words[i]))]
    return _replace_one("agreement", draft, rng, choices)


def _other_number(word: Word) -> str | None:
    token = word.token
    if token is None:
        return None
    low = token.lower_
    has_subject = any(c.dep_.startswith(("nsubj", "expl")) for c in token.children) or (
        token.dep_ in {"aux", "cop", "aux:pass", "auxpass"}
        and any(c.dep_.startswith(("nsubj", "expl")) for c in token.head.children)
        and all(c.i >= token.i for c in token.head.children if c.dep_.startswith(("aux", "cop")))
    )
    if token.tag_ in {"VBZ", "VBP", "VBD"} and token.lemma_ == "be":
        return BE_FLIPS.get(low) if has_subject else None
    if token.tag_ in {"VBZ", "VBP"} and has_subject:
        return token.lemma_.lower() if token.tag_ == "VBZ" else inflect(token.lemma_, "VBZ")
    if low in DETERMINER_FLIPS and token.dep_ == "det":
        return DETERMINER_FLIPS[low]
    if token.tag_ in {"NN", "NNS"} and any(c.lower_ in NUMBERED for c in token.children):
        return inflect(token.lemma_, "NNS") if token.tag_ == "NN" else token.lemma_.lower()
    return None


def tense(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Give a verb a form that does not fit: base for past, -ing for present, and so on."""
    choices = []
    for i in draft.fresh():
        token = draft.words[i].token
        if token is None or token.pos_ not in {"VERB", "AUX"} or not token.text.isalpha():
            continue
        forms = {inflect(token.lemma_, tag) for tag in WRONG_FORMS.get(token.tag_, ())}
        choices += [(i, form) for form in sorted(forms - {token.lower_})]
    return _replace_one("tense", draft, rng, choices)


def article(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Drop an article, replace it by another, or put one where none belongs."""
    fresh = draft.fresh()
    present = [i for i in fresh if draft.words[i].text.lower() in ARTICLES]
    bare = [
        i for i in fresh
        if (t := draft.words[i].token) is not None and t.pos_ in {"PROPN", "PRON", "NOUN"}
        and i and draft.words[i - 1].space and not any(c.dep_ == "det" for c in t.children)
    ]  # fmt: skip
    if bare and (not present or rng.random() < 0.2):
        draft.insert("article", rng.choice(bare), [rng.choice(("a", "the"))])
        return True
    if not present:
        return False
    at = rng.choice(present)
    if rng.random() < 0.6:
        draft.drop("article", at)
    else:
        following = draft.words[at + 1].text[:1].lower() if at + 1 < len(draft.words) else ""
        indefinite = "an" if following in set("aeiou") else "a"
        definite = draft.words[at].text.lower() == "the"
        draft.replace("article", at, indefinite if definite else "the")
    return True


def preposition(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Drop a preposition, or put a wrong one in its place."""
    present = [
        i for i in draft.fresh()
        if draft.words[i].text.lower() in PREPOSITIONS
        and (t := draft.words[i].token) is not None and t.pos_ == "ADP"
    ]  # fmt: skip
    if not present:
        return False
    at = rng.choice(present)
    if rng.random() < 0.3:
        draft.drop("preposition", at)
    else:
        now = draft.words[at].text.lower()
        draft.replace("preposition", at, rng.choice([p for p in PREPOSITIONS if p != now]))
    return True


def drop(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Leave out any word."""
    fresh = draft.fresh()
    if len(draft.words) < 3 or not fresh:
        return False
    draft.drop("drop", rng.choice(fresh))
    return True


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
    fresh = [i for i in draft.fresh() if draft.words[i].space]
    if not fresh:
        return False
    at = rng.choice(fresh)
    pair = at - 1 in fresh and rng.random() < 0.3
    said = [draft.words[k].text for k in ((at - 1, at) if pair else (at,))]
    proper = [w.token is not None and w.token.pos_ == "PROPN" for w in draft.words[at - pair :]]
    again = [w if p or w == "I" else w.lower() for w, p in zip(said, proper, strict=False)]
    draft.insert("repeat", at + 1, again)
    return True


def splice(draft: Draft, rng: random.Random, others: Sequence[Doc]) -> bool:
    """Go on with the second half of another sentence."""
    donors = [doc for doc in others if len(doc) > 5]
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
    del draft.words[cut:]
    gone = {id(word) for word in draft.words}
    draft.changes = [c for c in draft.changes if all(id(w) in gone for w in c.words)]
    draft.insert("splice", cut, [t.text for t in tail])
    for word, token in zip(draft.words[cut:], tail, strict=True):
        word.space = bool(token.whitespace_)
    change = draft.changes[-1]
    change.before, change.n_touched = before, len(tail)
    return True


def _replace_one(
    kind: str, draft: Draft, rng: random.Random, choices: Sequence[tuple[int, str]]
) -> bool:
    if not choices:
        return False
    at, form = rng.choice(choices)
    draft.replace(kind, at, form)
    return True


KINDS: Mapping[str, Kind] = {
    function.__name__: function
    for function in (
        word_order, agreement, tense, article, preposition, drop, insert, repeat, splice,
    )
}  # fmt: skip


def damage_docs(
    docs: Sequence[Doc],
    *,
    kinds: Sequence[str] | None = None,
    n_damages: tuple[int, int] = (1, 1),
    seed: int = 0,
) -> Iterator[Damaged]:
    """Damage each text a number of times drawn from a range; fewer where nothing more fits.

    A kind is drawn evenly among those that can be applied. ``splice`` takes its second halves from
    the other texts given, so its outcome depends on them; no other kind's does.
    """
    names = list(KINDS) if kinds is None else list(kinds)
    for name in names:
        if name not in KINDS:
            raise UnknownName("kind of damage", name, KINDS)
    for doc in docs:
        rng = random.Random(f"{seed}:{source_of(doc).original}")
        draft = Draft.of(doc)
        for _ in range(rng.randint(*n_damages)):
            order = rng.sample(names, len(names))
            if not any(KINDS[name](draft, rng, docs) for name in order):
                break
        yield draft.finish(doc.text)
