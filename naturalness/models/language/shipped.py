"""The language models that come with the package, opened once per process."""

from __future__ import annotations

from functools import cache

from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.store import open_model
from naturalness.resources import assets_folder, locate

ASSETS = ("words", "pieces", "tags")


def words() -> NgramModel:
    """n-grams of words, up to five."""
    return shipped("words")


def pieces() -> NgramModel:
    """n-grams of word pieces, up to five."""
    return shipped("pieces")


def tags(order: int) -> NgramModel:
    """n-grams of Penn tags, up to two, three, four or five."""
    return shipped("tags", order)


def shipped(name: str, order: int | None = None) -> NgramModel:
    """A shipped model by name: one of `ASSETS`."""
    return _open(name, order, str(assets_folder()))


@cache
def _open(name: str, order: int | None, folder: str) -> NgramModel:
    return open_model(locate(name), order=order, verified=True)  # by `locate`
