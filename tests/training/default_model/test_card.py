"""The cards in the package are those that the command writes."""

from __future__ import annotations

import json

import pytest

from naturalness.files.resources import load_manifest
from training.default_model.card import card
from training.default_model.products import PRODUCTS


@pytest.mark.parametrize("name", ["default", "fast"])
def test_cards_tell_what_was_measured(name: str) -> None:
    """Run `python -m training.default_model RATINGS CORPORA TREEBANKS --card` if this fails."""
    product = PRODUCTS[name]
    folder = product.folder
    sources = json.loads((folder / "manifest.json").read_text("utf-8"))["training"]["sources"]
    names = [source["name"] for source in sources if "texts" in source]
    figures = dict(load_manifest()[product.asset].figures["sets"])
    shipped = (folder / "card.md").read_text("utf-8")
    assert shipped == card(product, names, sources, figures)
