"""The grammar that comes with the package, opened once per process."""

from __future__ import annotations

from functools import cache
from threading import Lock

from naturalness.files.resources import assets_folder, locate
from naturalness.models.parsers.generative.grammar import Grammar
from naturalness.models.parsers.generative.store import open_grammar

ASSET = "pcfg"
OPENING = Lock()
"""A thread may have begun: others wait for what it opens."""


def grammar() -> Grammar:
    """Read off GUM and CRAFT; its words are from corpora, too."""
    with OPENING:
        return _open(str(assets_folder()))


@cache
def _open(folder: str) -> Grammar:
    return open_grammar(locate(ASSET))
