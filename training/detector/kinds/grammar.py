"""Damage to grammar: agreement, verb forms and the number of nouns."""

from __future__ import annotations

import random

from naturalness.text.view import word_set
from training.detector.drafts import Draft, Word, pick, somewhere
from training.detector.forms import Forms
from training.detector.words import WORDS

SUBJECTS = ("nsubj", "expl", "csubj")
BE_OTHER = WORDS["be"]
PLAIN = WORDS["plain"]
NUMBERED = WORDS["numbered"]
COUNTED = word_set(
    "a an this these those many several each every two three four five six ten few "
    "both one another other various different all some"
)
MASS = word_set(
    "information advice equipment knowledge furniture homework research software traffic luggage "
    "evidence news progress work weather money music help advice behavior transportation water "
    "education health happiness freedom experience time pollution technology luck fun housework "
    "vocabulary scenery machinery jewelry clothing food violence"
)
DEFINITE = word_set("the my his her our their your")
MODALS = word_set("can could will would shall should may might must 'll ca wo")
WRONG = WORDS["wrong_forms"]
HELPERS = ("aux", "aux:pass", "auxpass", "cop")


def subject_of(draft: Draft, at: int) -> int | None:
    """Return the position of the subject that a finite verb agrees with."""
    verb = draft.words[at]
    for i, word in enumerate(draft.words):
        if word.dep.startswith(SUBJECTS) and (
            word.head == verb.position or (verb.dep in HELPERS and word.head == verb.head)
        ):
            return i
    return None


def agreement(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Give a verb the other number, preferably far from its subject."""
    near: list[tuple[int, str]] = []
    far: list[tuple[int, str]] = []
    for i in draft.sound(lambda w: w.tag in ("VBZ", "VBP", "VBD")):
        new = _other_number(draft.words[i], forms, rng)
        subject = subject_of(draft, i) if new else None
        if subject is not None:
            (far if abs(subject - i) > 2 else near).append((i, new))
    pool = far if far and rng.random() < 0.6 else near or far
    return bool(pool) and draft.change(*rng.choice(pool), "agreement")


def _other_number(word: Word, forms: Forms, rng: random.Random) -> str:
    if word.text in BE_OTHER:
        return rng.choice(BE_OTHER[word.text])
    if word.text in PLAIN:
        return PLAIN[word.text]
    if word.tag == "VBD":
        return ""
    return forms.other(word.text, word.tag, "VBP" if word.tag == "VBZ" else "VBZ")


def verb_form(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Use another form of a verb: *to went*, *is go*, *have see*, *he going*."""
    positions = draft.sound(lambda w: w.tag in WRONG and w.text not in ("be", "'s", "'d"))
    if (at := pick(rng, positions)) is None:
        return False
    word = draft.words[at]
    before = draft.words[at - 1] if at else None
    tags = WRONG[word.tag]
    if word.tag == "VB" and before is not None and before.text in MODALS and rng.random() < 0.2:
        return draft.insert(at, ["to"], "verb")
    if word.tag == "VBD" and subject_of(draft, at) is None:
        tags = ("VBG",)
    new = forms.other(word.text, word.tag, rng.choice(tags))
    if word.tag in ("VBD", "VBN") and new == "":
        return False
    if word.tag == "VBD" and _harmless(draft, at, new):
        return False
    return draft.change(at, new, "verb")


def _harmless(draft: Draft, at: int, new: str) -> bool:
    """Return whether *they walked* would become *they walk*, which is only another tense."""
    subject = subject_of(draft, at)
    singular = subject is not None and draft.words[subject].tag in ("NN", "NNP", "PRP")
    return not new.endswith("ing") and not singular


def learner_verb(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Make a typical learner's error: *I am agree*, *did he went*, *he going*, *enjoy to swim*, *want going*."""
    choices = [_needless_be, _lost_be, _did_went, _other_complement, _bare_to]
    rng.shuffle(choices)
    return any(choice(draft, rng, forms) for choice in choices)


@somewhere(lambda w: w.tag in ("VBP", "VBZ", "VBD") and w.dep not in HELPERS)
def _needless_be(draft: Draft, at: int, rng: random.Random, forms: Forms) -> bool:
    if (subject := subject_of(draft, at)) is None or draft.words[at].text in BE_OTHER:
        return False
    who, verb = draft.words[subject].text, draft.words[at]
    be = "am" if who == "i" else "is" if verb.tag == "VBZ" else "are"
    be = {"am": "was", "is": "was", "are": "were"}[be] if verb.tag == "VBD" else be
    base = forms.other(verb.text, verb.tag, "VB")
    if base and rng.random() < 0.5:
        verb.text = base
    return draft.insert(at, [be], "verb")


@somewhere(lambda w: w.text in (*BE_OTHER, "be", "been") and w.dep in HELPERS)
def _lost_be(draft: Draft, at: int, rng: random.Random, forms: Forms) -> bool:
    return draft.drop(at, kind="missing")


def _did_went(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    helped = {w.head for w in draft.words if w.text in ("did", "does", "do") and w.dep == "aux"}
    at = pick(rng, draft.sound(lambda w: w.tag == "VB" and w.position in helped))
    if at is None:
        return False
    return draft.change(at, forms.other(draft.words[at].text, "VB", "VBD"), "verb")


@somewhere(lambda w: w.dep in ("xcomp", "advcl") and w.tag in ("VBG", "VB"))
def _other_complement(draft: Draft, at: int, rng: random.Random, forms: Forms) -> bool:
    """Replace a gerund by an infinitive, or an infinitive by a gerund."""
    if at < 2:
        return False
    word, before = draft.words[at], draft.words[at - 1]
    if word.tag == "VBG" and (base := forms.other(word.text, "VBG", "VB")):
        return draft.change(at, base, "verb") and draft.insert(at, ["to"], "verb")
    if before.text == "to" and (gerund := forms.other(word.text, "VB", "VBG")):
        if rng.random() < 0.5:
            del draft.words[at - 1]
            at -= 1
        return draft.change(at, gerund, "verb")
    return False


@somewhere(lambda w: w.text == "to" and w.tag == "TO")
def _bare_to(draft: Draft, at: int, rng: random.Random, forms: Forms) -> bool:
    """Drop *to*: *want go*."""
    return at > 0 and draft.drop(at)


def noun(draft: Draft, rng: random.Random, forms: Forms) -> bool:
    """Put a noun into the other number, preferably where a word before it shows its number."""
    positions = draft.sound(lambda w: w.tag in ("NN", "NNS") and w.dep != "compound")
    shown = [i for i in positions if _shows_number(draft, i)]
    pool = shown if shown and rng.random() < 0.6 else positions
    if rng.random() < 0.15:
        dets = draft.sound(lambda w: w.text in NUMBERED and w.dep in ("det", "amod"))
        if (at := pick(rng, dets)) is not None:
            return draft.change(at, NUMBERED[draft.words[at].text], "noun")
    if (at := pick(rng, pool)) is None:
        return False
    word = draft.words[at]
    new = forms.other(word.text, word.tag, "NNS" if word.tag == "NN" else "NN")
    if word.tag == "NN" and at not in shown and word.text not in MASS:
        return False  # *the cats* for *the cat* is another sentence, not a worse one
    if word.tag == "NNS" and at not in shown and _has_article(draft, at):
        return False
    return draft.change(at, new, "noun")


def _before(draft: Draft, at: int) -> list[str]:
    """Return the words of the noun phrase before its noun."""
    texts = []
    for i in range(at - 1, max(-1, at - 4), -1):
        if draft.words[i].tag not in ("JJ", "NN", "DT", "CD", "PRP$", "JJR", "JJS", "RB", "VBN"):
            break
        texts.append(draft.words[i].text)
    return texts


def _shows_number(draft: Draft, at: int) -> bool:
    texts = _before(draft, at)
    numbers = any(text.isdigit() and text != "1" for text in texts)
    agrees = draft.words[at].dep.startswith("nsubj") and any(
        w.tag in ("VBZ", "VBP") and w.position == draft.words[at].head for w in draft.words
    )
    return numbers or agrees or any(text in COUNTED for text in texts)


def _has_article(draft: Draft, at: int) -> bool:
    return not DEFINITE.isdisjoint(_before(draft, at))
