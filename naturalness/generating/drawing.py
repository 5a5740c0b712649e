"""Draw texts one by one: each has random numbers of its own, and is drawn again where it fails."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import CorpusError
from naturalness.generating.damage import Damaged

Draw = Callable[[random.Random], Damaged | None]
Count = Callable[[str], int]

MAX_TRIES = 1000


def draw_texts(n: int, draw: Draw, *, key: str, length: int, count: Count | None = None) -> Iterator[Damaged]:
    """Texts by number: the same key and number give the same text, whatever else is drawn.

    ``count``: how many tokens a text is read as; one that is not read as ``length`` of them is
    drawn again, as is one that could not be finished.
    """
    for number in range(n):
        rng = random.Random(f"{key}:{number}")
        for _ in range(MAX_TRIES):
            found = draw(rng)
            if found is not None and (count is None or count(found.text) == length):
                yield found
                break
        else:
            raise CorpusError(
                f"no text of {length} tokens was found in {MAX_TRIES} tries; give more text, or choose another length"
            )


def token_count(nlp: str = "en") -> Count:
    """How many tokens a text is read as by a pipeline's tokeniser."""
    from naturalness.text.parsing import tokenise

    def count(text: str) -> int:
        return sum(not token.is_space for doc in tokenise([text], nlp=nlp) for token in doc)

    return count


def pick(rng: random.Random, weights: FloatArray) -> int:
    """A place, drawn by weight."""
    sums = np.cumsum(weights)
    # Rounded up to the whole sum it would lie behind the last place that has a weight.
    drawn = min(rng.random() * sums[-1], np.nextafter(sums[-1], 0.0))
    return int(np.searchsorted(sums, drawn, side="right"))
