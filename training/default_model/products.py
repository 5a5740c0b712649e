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
    teacher: str = ""
    """Name of the model whose margins it learns beside ratings; empty if it learns ratings alone."""

    @property
    def folder(self) -> Path:
        """Return the folder of the shipped model."""
        return ASSETS / self.asset


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
        teacher="default",
    ),
}
