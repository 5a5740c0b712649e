"""Texts damaged by kind, any number of times.

Each kind is a function that changes a draft and says whether it could. Drawing is deterministic:
the same text, seed and settings give the same damage, whatever else is generated.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from naturalness.errors import UnknownName
from naturalness.generating.accidents import drop, insert, repeat, splice, word_order
from naturalness.generating.damage import Damaged, Draft
from naturalness.generating.grammar import agreement, article, preposition, tense
from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

    Kind = Callable[[Draft, random.Random, Sequence[Doc]], bool]

KINDS: Mapping[str, Kind] = {
    function.__name__: function
    for function in (word_order, agreement, tense, article, preposition, drop, insert, repeat, splice)
}


def damage_docs(
    docs: Sequence[Doc], *, kinds: Sequence[str] | None = None, n_damages: tuple[int, int] = (1, 1), seed: int = 0
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
