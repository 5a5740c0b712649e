"""The shipped models: their features and descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from naturalness.features import DEFAULT, FAST
from training.manifest import ASSETS

COMMAND = "python -m training.default_model RATINGS CORPORA TREEBANKS --work DIR"
CHEAP = "n-grams, and counts of tokens (typing, length, variety, repetition); nothing is parsed"


@dataclass(frozen=True, slots=True)
class Product:
    """One model; all learn by the same recipe."""

    asset: str
    """Name of the asset and of its folder."""
    groups: tuple[str, ...]
    """Feature groups."""
    command: str
    title: str
    reads: str
    """Description of its features."""

    @property
    def folder(self) -> Path:
        """Return the folder of the shipped model."""
        return ASSETS / self.asset


PRODUCTS: Mapping[str, Product] = {
    name: Product(asset, groups, COMMAND + options, f"The {name} model", f"{reads}, {CHEAP}")
    for name, asset, groups, options, reads in (
        ("default", "model", DEFAULT, "", "the rating that a network expects, the damage detector's features"),
        ("fast", "fast", FAST, " --fast", "the rating that a narrow network expects, its features of damage"),
    )
}
