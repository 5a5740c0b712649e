"""Words that are possible and wrong: what an n-gram model finds likely in a word's place, less than the word.

Replaced words that look right nearby are the hardest to tell (Clark et al., 2020, ELECTRA).
"""

from __future__ import annotations

import math
import random
from typing import Protocol

from training.detector.drafts import Draft, pick
from training.detector.kinds.small_words import PREPOSITIONS
from training.detector.kinds.wording import OPEN, Neighbours

CANDIDATES = 24
"""Words of the same tag, and neighbours' neighbours, that are weighed."""
BESIDE = 4
"""Words on either side that the model looks at."""
LESS = (1.0, 4.0)
"""How much less likely than the word a candidate is, in powers of ten: nearer ones may be as good."""


class Likelihood(Protocol):
    """The part of a KenLM model that is used here."""

    def score(self, sentence: str, bos: bool, eos: bool) -> float:
        """Return log10 of the probability of words."""


def possible(draft: Draft, rng: random.Random, near: Neighbours, model: Likelihood) -> bool:
    """Another word of the same tag, or preposition, drawn by what the model thinks of it there."""
    at = pick(rng, draft.sound(lambda w: w.tag in OPEN or w.text in PREPOSITIONS))
    if at is None:
        return False
    word = draft.words[at]
    if word.text in PREPOSITIONS:
        pool = [text for text in PREPOSITIONS if text != word.text]
    else:
        listed = near.by_tag.get(word.tag, ())
        pool = rng.sample(listed, min(len(listed), CANDIDATES))
        before = draft.words[at - 1].text if at else ""
        after = draft.words[at + 1].text if at + 1 < len(draft.words) else ""
        pool += [text for text, tag in [*near.after.get(before, ()), *near.before.get(after, ())] if tag == word.tag]
    texts = [w.text for w in draft.words[max(0, at - BESIDE) : at + BESIDE + 1]]
    i = min(at, BESIDE)

    def score(text: str) -> float:
        return model.score(" ".join([*texts[:i], text, *texts[i + 1 :]]), False, False)

    own = score(word.text)
    less = {text: own - score(text) for text in set(pool) - {word.text}}
    chosen = sorted(text for text, by in less.items() if LESS[0] <= by <= LESS[1])
    if not chosen:
        return False
    text = rng.choices(chosen, [math.exp(-less[text]) for text in chosen])[0]
    return draft.change(at, text, "preposition" if word.text in PREPOSITIONS else "wrong")
