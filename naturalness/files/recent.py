"""A least-recently-used cache, bounded in the number and the total size of its values."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Recent(Generic[Value]):
    """A cache of at most ``max_values`` values, whose sizes add up to at most ``max_size``."""

    def __init__(self, max_values: int, max_size: float = math.inf) -> None:
        self.max_values = max_values
        self.max_size = max_size
        self._size = 0
        self._entries: OrderedDict[Hashable, tuple[int, Value]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> Value | None:
        """Return the value of a key and mark it as just used; None if it is not in the cache."""
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][1]

    def put(self, key: Hashable, value: Value, size: int = 1) -> None:
        """Store a value, and drop the least recently used ones until the bounds are met."""
        if key in self._entries:
            self._size -= self._entries.pop(key)[0]
        self._entries[key] = (size, value)
        self._size += size
        while self._entries and (len(self._entries) > self.max_values or self._size > self.max_size):
            _, (dropped, _) = self._entries.popitem(last=False)
            self._size -= dropped
