"""Differences between two recordings: changed numbers and changed words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

DIGITS = 9
"""Significant digits in which floats are compared."""
EXACT = frozenset(
    ("label", "labels", "cause", "causes", "kind", "kinds", "column", "columns", "brackets", "words", "tags",
     "suggestions", "before", "after", "level", "ruleId", "classes", "learner", "units", "metric", "system", "better",
     "learner_of_each_split", "sha256", "not finite")
)  # fmt: skip
"""Keys whose strings are results, not prose: a difference there counts as one of numbers."""
WIDTH = 80
"""Characters of a value that are shown."""
VERSION = re.compile(r"\bv?:?\d+\.\d+\.\d+\w*\b")
CHECKSUM = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{12,64}\b")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
PROSE = frozenset(("command", "signature", "checksum", "checksums", "assets", "pipeline", "columns_hash"))
"""Keys beneath which names, versions and checksums of files stand."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A leaf, or a branch that only one of the recordings has."""

    path: str
    old: str
    new: str
    numeric: bool

    def __str__(self) -> str:
        return f"{self.path}: {self.old} -> {self.new}"


def differences(old: Any, new: Any, path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """Yield the differences of two trees of dicts, lists and leaves, in the order of the old one."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            if key not in old:
                yield _absent(new[key], (*path, key), in_old=False)
            elif key not in new:
                yield _absent(old[key], (*path, key), in_old=True)
            else:
                yield from differences(old[key], new[key], (*path, key))
    elif _is_list(old) and _is_list(new):
        for i, (before, after) in enumerate(zip(old, new, strict=False)):
            yield from differences(before, after, (*path, f"[{i}]"))
        longer = old if len(old) > len(new) else new
        for i in range(min(len(old), len(new)), len(longer)):
            yield _absent(longer[i], (*path, f"[{i}]"), in_old=longer is old)
    elif not _same(old, new):
        pairs = enumerate(zip(repr(old), repr(new), strict=False))
        around = next((i for i, (before, after) in pairs if before != after), 0)
        yield Difference(_written(path), _shown(old, around), _shown(new, around), _differ_in_number(old, new, path))


def holds_numbers(tree: Any, path: tuple[str, ...] = ()) -> bool:
    """Return whether a leaf of the tree is not a string, or is a string that is a result."""
    if isinstance(tree, Mapping):
        return any(holds_numbers(branch, (*path, key)) for key, branch in tree.items())
    if _is_list(tree):
        return any(holds_numbers(branch, path) for branch in tree)
    return not isinstance(tree, str) or _exact(path)


def _is_list(tree: Any) -> bool:
    return isinstance(tree, Sequence) and not isinstance(tree, str)


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if isinstance(old, int | float) and isinstance(new, int | float):
        return f"{old:.{DIGITS}g}" == f"{new:.{DIGITS}g}"
    return bool(old == new)


def _differ_in_number(old: Any, new: Any, path: tuple[str, ...]) -> bool:
    """Return whether two strings differ in numbers: they are results, or contain different figures."""
    if not (isinstance(old, str) and isinstance(new, str)) or _exact(path):
        return True
    return not _is_prose(path) and _figures(old) != _figures(new)


def _figures(text: str) -> list[str]:
    return NUMBER.findall(CHECKSUM.sub("", VERSION.sub("", text)))


def _exact(path: tuple[str, ...]) -> bool:
    keys = [key for key in path if not key.startswith("[")]
    return bool(keys) and keys[-1] in EXACT and not _is_prose(path)


def _is_prose(path: tuple[str, ...]) -> bool:
    return not PROSE.isdisjoint(path)


def _absent(branch: Any, path: tuple[str, ...], *, in_old: bool) -> Difference:
    numeric = holds_numbers(branch, path)
    sides = (_shown(branch), "nothing") if in_old else ("nothing", _shown(branch))
    return Difference(_written(path), *sides, numeric)


def _shown(tree: Any, around: int = 0) -> str:
    """Return a leaf or branch, shortened; of a long string, the part around the first difference."""
    text = repr(tree)
    start = max(0, around - WIDTH // 4)
    cut = text[start : start + WIDTH]
    return f"{'...' if start else ''}{cut}{'...' if start + WIDTH < len(text) else ''}"


def _written(path: tuple[str, ...]) -> str:
    return "/".join(path).replace("/[", "[")
