"""A sorted list of a hundred thousand forms, looked up where it lies: a dict takes long to make."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator

import numpy as np

SEPARATOR = b"\n"


class Forms:
    """Different forms, in the order of their bytes in UTF-8; none is empty or holds a line end."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == SEPARATOR[0])
        self.starts = array("q", np.concatenate([[0], ends + 1]).astype(np.int64).tobytes())
        if text and not text.endswith(SEPARATOR):
            raise ValueError("the list of forms has no end")

    @classmethod
    def of(cls, forms: Iterable[str]) -> Forms:
        """The list of some forms."""
        return cls(b"".join(form + SEPARATOR for form in sorted(f.encode() for f in forms)))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[str]:
        return (self._at(place).decode("utf-8") for place in range(len(self)))

    def find(self, form: str) -> int:
        """Place of a form in the list, or -1."""
        sought = form.encode("utf-8", "surrogatepass")
        at = bisect_left(range(len(self)), sought, key=self._at)
        return at if at < len(self) and self._at(at) == sought else -1

    def _at(self, place: int) -> bytes:
        return self.text[self.starts[place] : self.starts[place + 1] - 1]
