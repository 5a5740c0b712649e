"""Find the most natural row for each value of a column, for reranking a generator's candidates."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any


class Best:
    """The best row for each value, updated as rows are read."""

    def __init__(self) -> None:
        self._best: dict[str, tuple[float, int]] = {}
        self._alone: set[int] = set()

    def see(self, first: int, values: Sequence[Any], scores: Sequence[float]) -> None:
        """Add rows, numbered from ``first`` on, with the values to group them by and their scores (NaN if unscored)."""
        for row, (value, score) in enumerate(zip(values, scores, strict=True), start=first):
            if value is None or value == "":
                self._alone.add(row)  # a row without a value is always chosen
                continue
            rank = -math.inf if math.isnan(score) else score
            before = self._best.setdefault(key := json.dumps(value, sort_keys=True, default=str), (rank, row))
            if rank > before[0]:  # of rows with equal scores, the first is kept
                self._best[key] = (rank, row)

    def rows(self) -> set[int]:
        """Return the numbers of the chosen rows, which include every row whose value is empty."""
        return self._alone | {row for _, row in self._best.values()}
