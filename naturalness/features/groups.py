"""A mapping of groups that imports a group's module when the group is first requested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module

from naturalness.features.base import FeatureGroup


class Groups(Mapping[str, FeatureGroup]):
    """Groups by name.

    ``homes`` gives each group's module and attribute, and arguments if the attribute is a function.
    """

    def __init__(self, homes: Mapping[str, Sequence[str]]) -> None:
        self._homes = homes

    def __getitem__(self, name: str) -> FeatureGroup:
        return _group(*self._homes[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)

    def __contains__(self, name: object) -> bool:
        return name in self._homes


@cache
def _group(module: str, attribute: str, *arguments: str) -> FeatureGroup:
    home = getattr(import_module(f"naturalness.features.{module}"), attribute)
    group: FeatureGroup = home(*arguments) if callable(home) else home
    return group
