"""Frequencies of the kinds of damage, and their severity."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from training.detector.drafts import Draft, Sentence
from training.detector.forms import Forms
from training.detector.kinds import grammar, order, small_words, wording
from training.detector.kinds.machine import generated
from training.detector.kinds.possible import Likelihood, possible
from training.detector.kinds.wording import Neighbours
from training.detector.words import WORDS

Grammatical = Callable[[Draft, random.Random, Forms], bool]
Worded = Callable[[Draft, random.Random, Neighbours, Forms], bool]

GRAMMAR: Mapping[Grammatical, float] = {
    grammar.agreement: 8,
    grammar.verb_form: 7,
    grammar.learner_verb: 6,
    grammar.noun: 7,
    small_words.article: 8,
    small_words.preposition: 8,
    small_words.pronoun: 3,
    order.swap: 5,
    order.move: 4,
    order.shuffle: 2,
    order.phrase: 3,
    order.question: 4,
    order.late_verb: 2,
    order.adjective: 2,
    order.adverb: 2,
}
WORDING: Mapping[Worded, float] = {
    wording.confused: 4,
    wording.likely: 6,
    wording.same_tag: 4,
    wording.derived: 4,
    wording.spelling: 5,
    wording.repeated: 5,
    wording.drop: 7,
    wording.extra: 6,
    wording.cut_off: 2,
}
SEVERITY: Mapping[str, float] = WORDS["severity"]
"""Share of a sentence's soundness that one damage removes."""


@dataclass(frozen=True)
class Source:
    """Words, neighbours and forms from which damage is made."""

    sentences: Sequence[Sentence]
    near: Neighbours
    forms: Forms
    model: Likelihood | None = None
    """Model of lower-case words; without it no possible words are drawn."""
    mixture: Mapping[Kind, float] | None = None
    """How often each kind is drawn; None for `MIXTURE`."""

    @classmethod
    def of(cls, sentences: Sequence[Sentence], model: Likelihood | None = None) -> Source:
        """Learn neighbours and forms from the sentences."""
        return cls(sentences, Neighbours.of(sentences, random.Random(0)), Forms.of(sentences), model)


Kind = Callable[[Draft, random.Random, Source], bool]
"""A function that damages a draft and returns whether it could."""


def join(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Continue with a later part of another sentence."""
    other = rng.choice(source.sentences)
    cuts = [i for i in draft.sound() if 1 < i < len(draft.words) - 1]
    if not cuts or len(other) < 6:
        return False
    cut, start = rng.choice(cuts), rng.randrange(2, len(other) - 2)
    tail = Draft.of(other).words[start:]
    if not tail[0].text[0].isalnum() or (
        tail[0].tag == draft.words[cut].tag and draft.words[cut - 1].text == other[start - 1].text
    ):
        return False
    draft.words[cut:] = tail
    for word in tail:
        word.position = word.head = -1
    tail[0].kind = "join"
    draft.kinds.append("join")
    return True


def possible_word(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Replace a word by a plausible one, if there is a language model."""
    return source.model is not None and possible(draft, rng, source.near, source.model)


def as_generators(draft: Draft, rng: random.Random, source: Source) -> bool:
    """Damage a draft as text generators do."""
    return generated(draft, rng, rng.choice(source.sentences))


def _grammatical(kind: Grammatical) -> Kind:
    return lambda draft, rng, source: kind(draft, rng, source.forms)


def _worded(kind: Worded) -> Kind:
    return lambda draft, rng, source: kind(draft, rng, source.near, source.forms)


MIXTURE: Mapping[Kind, float] = {
    **{_grammatical(kind): weight for kind, weight in GRAMMAR.items()},
    **{_worded(kind): weight for kind, weight in WORDING.items()},
    join: 5,
    as_generators: 28,
    possible_word: 32,
}
"""How often each kind is drawn."""


def damage(draft: Draft, n: int, rng: random.Random, source: Source) -> Draft:
    """Damage a draft ``n`` more times, by kinds drawn from the mixture."""
    mixture = source.mixture or MIXTURE
    kinds, weights = list(mixture), list(mixture.values())
    goal = len(draft.kinds) + n
    for _ in range(12 * n):
        rng.choices(kinds, weights)[0](draft, rng, source)
        if len(draft.kinds) >= goal:
            break
    return draft


def soundness(draft: Draft) -> float:
    """Return the soundness after damage: 1 without damage, approaching 0 with more."""
    left = 1.0
    for kind in draft.kinds:
        left *= 1 - SEVERITY[kind]
    return left ** dilution(draft)


def dilution(draft: Draft) -> float:
    """Return the exponent that reduces the effect of one error in a long sentence."""
    return min(1.5, max(0.6, 3 / max(1.0, len(draft.words)) ** 0.5))
