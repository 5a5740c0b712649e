"""The shipped models: their features and descriptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from naturalness.features import DEFAULT, FAST, LARGE
from training.manifest import ASSETS, LARGE_ASSETS

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
    assets: Path = ASSETS
    """Folder of assets that contains it."""

    @property
    def folder(self) -> Path:
        """Return the folder of the shipped model."""
        return self.assets / self.asset


PRODUCTS: Mapping[str, Product] = {
    "default": Product(
        "model",
        DEFAULT,
        COMMAND,
        "The default model",
        f"the rating that a network expects, the damage detector's features, {CHEAP}",
    ),
    "fast": Product(
        "fast",
        FAST,
        f"{COMMAND} --fast",
        "The fast model",
        f"the rating that a narrow network expects, its features of damage, {CHEAP}",
    ),
    "large": Product(
        "large",
        LARGE,
        f"{COMMAND} --large",
        "The large model",
        f"the rating that a network of twelve layers expects, its features of damage, {CHEAP}",
        LARGE_ASSETS,
    ),
}
