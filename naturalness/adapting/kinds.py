"""The kinds of damage, and a function that damages texts one or more times.

Each kind is a function that changes a draft in a random suitable place, and returns whether there was one. The same
texts, seed and settings always give the same damage.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from naturalness.adapting.damage import Damaged, Draft, Word
from naturalness.english.inflection import inflect
from naturalness.errors import UnknownName
from naturalness.files.toml import read_beside
from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    Kind = Callable[[Draft, random.Random], bool]

DATA: Mapping[str, Any] = read_beside(__file__)
"""Word lists and tags that the kinds of damage use, keyed by purpose."""
FLIPS: Mapping[str, Mapping[str, str]] = {name: DATA[name] for name in ("be", "determiners")}
"""Determiners and forms of *be*, each mapped to the form of the other number, such as *is* to *are*."""

# Accidents: moved, missing, inserted or repeated words, and sentences that run together.


def word_order(draft: Draft, rng: random.Random) -> bool:
    """Swap two neighbouring words, or move a word by two to four places."""
    whole = set(draft.whole())
    drawn = 1 if rng.random() < 0.5 else rng.randint(2, 4)
    for distance in (drawn, 1):
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
    """Return whether all words are followed by a space, except perhaps the last, and no two of them are equal."""
    apart = all(word.space for word in inside[:-1])
    return apart and len({word.text.lower() for word in inside}) == len(inside)


def drop(draft: Draft, rng: random.Random) -> bool:
    """Drop a word that the sentence needs."""
    choices = [i for i in draft.whole() if _needed(draft.words[i].token)]
    if len(draft.words) < 3 or not choices:
        return False
    draft.drop("drop", rng.choice(choices))
    return True


def _needed(token: Token | None) -> bool:
    return token is not None and token.pos_ in DATA["needed"] and token.dep_ not in DATA["optional"]


def insert(draft: Draft, rng: random.Random) -> bool:
    """Insert a function word where it does not belong."""
    spots = [i for i in draft.fresh() if i and draft.words[i - 1].space]
    if not spots:
        return False
    at = rng.choice(spots)
    near = {draft.words[k].text.lower() for k in (at - 1, at)}
    draft.insert("insert", at, [rng.choice([w for w in DATA["inserted"] if w not in near])])
    return True


def repeat(draft: Draft, rng: random.Random) -> bool:
    """Repeat one or two words."""
    whole = [i for i in draft.whole() if draft.words[i].space]
    if not whole:
        return False
    at = rng.choice(whole)
    pair = at - 1 in whole and rng.random() < 0.3
    repeated = draft.words[at - 1 : at + 1] if pair else [draft.words[at]]
    draft.insert("repeat", at + 1, [_in_the_middle(word) for word in repeated])
    return True


def _in_the_middle(word: Word) -> str:
    """Return a word as it would be written in the middle of a sentence, without an initial capital."""
    name = word.token is not None and word.token.pos_ == "PROPN"
    return word.text if name or word.text == "I" or not word.text.istitle() else word.text.lower()


def splice(draft: Draft, rng: random.Random, others: Sequence[Doc] = ()) -> bool:
    """Replace the end of the sentence with the end of another sentence."""
    damaged = next((word.token.doc for word in draft.words if word.token is not None), None)
    donors = [doc for doc in others if len(doc) > 5 and doc is not damaged]
    cuts = [i for i in draft.fresh() if 2 <= i < len(draft.words) - 2 and draft.words[i - 1].space]
    if not donors or not cuts:
        return False
    donor = rng.choice(donors)
    cut = rng.choice(cuts)
    starts = [t.i for t in donor[2 : len(donor) - 2] if t.is_alpha and donor[t.i - 1].whitespace_]
    if not starts:
        return False
    tail = donor[rng.choice(starts) :]
    if "".join(w.text + " " * w.space for w in draft.words[cut:]).strip() == tail.text.strip():
        return False
    del draft.words[cut:]
    words = {id(word) for word in draft.words}
    draft.changes = [c for c in draft.changes if all(id(word) in words for word in c.words)]
    draft.insert("splice", cut, [token.text for token in tail])
    for word, token in zip(draft.words[cut:], tail, strict=True):
        word.space, word.token = bool(token.whitespace_), token
    return True


# Grammar: agreement, verb forms, articles, prepositions.

SUBJECTS = ("nsubj", "expl")


def agreement(draft: Draft, rng: random.Random) -> bool:
    """Change the number of a verb, of a determiner, or of a noun whose number is fixed by a determiner or numeral."""
    choices = [
        (i, form)
        for i in draft.fresh()
        if (form := _other_number(draft.words[i])) and form != draft.words[i].text.lower()
    ]
    return _replace_any("agreement", draft, rng, choices)


def _other_number(word: Word) -> str | None:
    token = word.token
    if token is None:
        return None
    low, tag = token.lower_, token.tag_
    if tag in {"VBZ", "VBP", "VBD"} and token.lemma_ == "be":
        return FLIPS["be"].get(low) if _subject(token) is not None else None
    if tag in {"VBZ", "VBP"} and token.is_alpha and _subject(token) is not None:
        return token.lemma_.lower() if tag == "VBZ" else inflect(token.lemma_, "VBZ")
    if low in FLIPS["determiners"] and token.dep_ == "det":
        return FLIPS["determiners"][low]
    if tag in {"NN", "NNS"} and any(c.lower_ in DATA["numbered"] for c in token.children):
        return inflect(token.lemma_, "NNS") if tag == "NN" else token.lemma_.lower()
    return None


def _subject(token: Token) -> Token | None:
    """Return the subject with which a finite verb or the first auxiliary agrees; None if there is none."""
    subject = next((c for c in token.children if c.dep_.startswith(SUBJECTS)), None)
    if subject is not None or token.dep_ not in {"aux", "cop", "aux:pass", "auxpass"}:
        return subject
    helpers = [c for c in token.head.children if c.dep_.startswith(("aux", "cop"))]
    if any(helper.i < token.i for helper in helpers):
        return None
    return next((c for c in token.head.children if c.dep_.startswith(SUBJECTS)), None)


def tense(draft: Draft, rng: random.Random) -> bool:
    """Put a verb into a form that does not fit, such as the base form for a past form, or -ing for a present form."""
    choices = []
    for i in draft.whole():
        token = draft.words[i].token
        if token is None or token.pos_ not in {"VERB", "AUX"} or not token.is_alpha:
            continue
        tags = DATA["wrong_forms"].get(token.tag_, ())
        if token.tag_ == "VBD" and not _is_third_singular(_subject(token)):
            tags = ["VBG"]  # they walked -> they walk changes the tense but is not an error
        forms = {inflect(token.lemma_, tag) for tag in tags}
        choices += [(i, form) for form in sorted(forms - {token.lower_})]
    return _replace_any("tense", draft, rng, choices)


def _is_third_singular(subject: Token | None) -> bool:
    if subject is None:
        return False
    return subject.lower_ in {"he", "she", "it"} or subject.tag_ in {"NN", "NNP"}


def article(draft: Draft, rng: random.Random) -> bool:
    """Drop the article of a singular noun, use a wrong one, or insert one where none belongs.

    *The* and *a* are not exchanged for each other, because the result usually reads well.
    """
    drops, swaps, inserts = [], [], []
    for i in draft.fresh():
        token = draft.words[i].token
        if token is None:
            continue
        low, head = token.lower_, token.head
        if low in DATA["articles"] and head.tag_ == "NN":
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


def preposition(draft: Draft, rng: random.Random) -> bool:
    """Drop a preposition, unless it is the only word, or replace it with one that does not fit."""
    present = [
        i
        for i in draft.fresh()
        if draft.words[i].text.lower() in DATA["prepositions"]
        and (t := draft.words[i].token) is not None
        and t.pos_ == "ADP"
    ]
    if not present:
        return False
    at = rng.choice(present)
    if rng.random() < 0.3 and len(draft.words) > 1:
        draft.drop("preposition", at)
    else:
        now = draft.words[at].text.lower()
        wrong = [p for p in DATA["prepositions"] if p != now and p not in DATA["alike"][now]]
        draft.replace("preposition", at, rng.choice(wrong))
    return True


def _replace_any(kind: str, draft: Draft, rng: random.Random, choices: Sequence[tuple[int, str]]) -> bool:
    if not choices:
        return False
    at, form = rng.choice(choices)
    draft.replace(kind, at, form)
    return True


KINDS: Mapping[str, Kind] = {
    function.__name__: function
    for function in (word_order, agreement, tense, article, preposition, drop, insert, repeat, splice)
}


def damage_docs(
    docs: Sequence[Doc], *, kinds: Sequence[str] | None = None, n_damages: tuple[int, int] = (1, 1), seed: int = 0
) -> Iterator[Damaged]:
    """Yield a damaged version of each text; the number of damages is drawn from the range ``n_damages``.

    A text gets fewer damages if no more can be applied. Kinds are drawn uniformly from those that can be applied.
    The result of ``splice`` depends on the other texts, since it takes the ends of sentences from them; the results of
    the other kinds do not.
    """
    functions: Mapping[str, Kind] = {**KINDS, "splice": partial(splice, others=docs)}
    names = list(KINDS if kinds is None else kinds)
    for name in names:
        if name not in KINDS:
            raise UnknownName("kind of damage", name, KINDS)
    for doc in docs:
        # A text may contain lone surrogates, which `Random` cannot encode; for any other string, it has these bytes.
        rng = random.Random(f"{seed}:{source_of(doc).original}".encode("utf-8", "surrogatepass"))
        draft = Draft.of(doc)
        for _ in range(rng.randint(*n_damages)):
            order = rng.sample(names, len(names))
            if not any(functions[name](draft, rng) for name in order):
                break
        yield draft.finish(doc.text)
