"""Draw a uniform random sample from a stream of texts."""

from __future__ import annotations

import random
from collections.abc import Callable


class Sample:
    """A uniform random sample of the usable texts in a stream (reservoir sampling, Vitter 1985, algorithm R).

    The same seed gives the same sample. If no size is given, the sample contains all usable texts.
    """

    def __init__(self, seed: int, size: int | None, usable: Callable[[str], bool]) -> None:
        self._rng = random.Random(seed)
        self._size = size
        self._usable = usable
        self._drawn: list[tuple[int, str]] = []
        self._seen = 0

    def add(self, text: str) -> None:
        """Take the next text of the stream into the sample, or skip it at random."""
        if not self._usable(text):
            return
        self._seen += 1
        if self._size is None or len(self._drawn) < self._size:
            self._drawn.append((self._seen, text))
        elif (i := self._rng.randrange(self._seen)) < self._size:
            self._drawn[i] = (self._seen, text)

    def texts(self) -> list[str]:
        """Return the sampled texts in the order of the stream."""
        return [text for _, text in sorted(self._drawn)]
