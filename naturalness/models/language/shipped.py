"""The language models that come with the package, opened once per process."""

from __future__ import annotations

import re

from naturalness.errors import ModelError
from naturalness.files.resources import assets_folder, file_checksum, load_manifest, locate, opened_once
from naturalness.models.language.neural.model import NeuralModel, open_network
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.store import MANIFEST, open_model

ASSETS = ("words", "pieces", "tags")
"""Names of the shipped n-gram models."""
SPEC = re.compile(rf"({'|'.join(ASSETS)})(?::([0-9]{{1,2}}))?")
"""Pattern for the names of shipped n-gram models, such as `words`, or `tags:3` with an order."""
NEURAL = "neural"


def words() -> NgramModel:
    """Return the shipped n-gram model of words, of order 5."""
    return shipped("words", None)


def pieces() -> NgramModel:
    """Return the shipped n-gram model of word pieces, of order 5."""
    return shipped("pieces", None)


def tags(order: int) -> NgramModel:
    """Return the shipped n-gram model of Penn tags; its order is 2, 3, 4 or 5."""
    return shipped("tags", order)


@opened_once
def shipped(name: str, order: int | None) -> NgramModel:
    """Return the shipped n-gram model with this name, one of `ASSETS`; by default with its highest order.

    The manifest of the model must be the shipped one, and its files must match the manifest.
    """
    root = assets_folder()
    asset = load_manifest(root).get(name)
    described = f"{name}/{MANIFEST}"
    sums = {file.path: file.sha256 for file in asset.files} if asset else {}
    path = root / described
    if not path.is_file() or file_checksum(path) != sums.get(described):
        locate(name)  # raises an error that says what is wrong
        raise ModelError(f"asset {name!r} has no {described}; expected a language model")
    try:
        return open_model(root / name, order=order, trusted=True)
    except ModelError:
        locate(name)  # raises an error that says which file is damaged, and how to repair it
        raise


@opened_once
def neural() -> NeuralModel:
    """Return the shipped neural model: a small network over word pieces, mixed with the n-gram model of word pieces."""
    network, companion = open_network(locate(NEURAL)), pieces()
    checksum = f"{load_manifest()[NEURAL].checksum}+{companion.checksum}"
    return NeuralModel(NEURAL, f"{NEURAL}:{checksum}", network, companion, network.weight)
