"""What was found out lately, kept for when it is asked again; bounded in number and in size."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """The ``most`` values used last, whose sizes add up to ``size`` at most."""

    def __init__(self, most: int, size: int) -> None:
        self.most = most
        self.size = size
        self._held = 0
        self._known: OrderedDict[Hashable, tuple[int, Value]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: Hashable) -> Value | None:
        """The value of a key; None where it is not known, or no more."""
        found = self._known.get(key)
        if found is None:
            return None
        self._known.move_to_end(key)
        return found[1]

    def put(self, key: Hashable, value: Value, size: int) -> None:
        """Keep a value, and forget those that were used least lately."""
        if key in self._known:
            self._held -= self._known.pop(key)[0]
        self._known[key] = (size, value)
        self._held += size
        while self._known and (len(self._known) > self.most or self._held > self.size):
            _, (gone, _) = self._known.popitem(last=False)
            self._held -= gone
