"""The model cards in the package are current."""

from __future__ import annotations

import json

import pytest

from naturalness.files.resources import load_manifest
from training.default_model.card import card
from training.default_model.products import PRODUCTS


@pytest.mark.parametrize("name", ["default", "fast"])
def test_cards_are_current(name: str) -> None:
    """The shipped card equals the one written from the manifest; `--card` writes it again."""
    product = PRODUCTS[name]
    folder = product.folder
    sources = json.loads((folder / "manifest.json").read_text("utf-8"))["training"]["sources"]
    names = [source["name"] for source in sources if "texts" in source]
    figures = dict(load_manifest()[product.asset].figures["sets"])
    shipped = (folder / "card.md").read_text("utf-8")
    assert shipped == card(product, names, sources, figures)
