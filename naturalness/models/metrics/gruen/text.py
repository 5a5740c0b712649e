"""A text as GRUEN reads it: its sentences, and what the detector's lower layers make of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from naturalness.arrays import Float32Array
from naturalness.models.detector import detector
from naturalness.models.pieces import END, START
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

MOST = 100
"""Sentences of a text that is still read: each is compared with all others."""
TOO_MANY = f"more than {MOST} sentences"
States = Float32Array
"""Of the pieces of one sentence: (1, pieces, width)."""


def problem_of(doc: Doc) -> str:
    """Why a Doc with words is not read; empty where it is, or has none."""
    return TOO_MANY if len(view(doc).sentences) > MOST else ""


@dataclass(frozen=True)
class Text:
    """A Doc with words."""

    doc: Doc

    @property
    def seen(self) -> View:
        """Tokens, and where sentences begin and end."""
        return view(self.doc)

    @cached_property
    def sentences(self) -> list[str]:
        """As they are written; those without a word are left out."""
        seen = self.seen
        places = [(seen.places[a], seen.places[b - 1] + 1) for a, b in seen.sentences]
        return [self.doc[start:end].text for start, end in places]

    @cached_property
    def inner(self) -> list[States]:
        """States of each sentence, worked out once for all heads; a long one is cut at its end."""
        network = detector().network
        start, end = (network.pieces.rows[mark] for mark in (START, END))
        found = []
        for a, b in self.seen.sentences:
            row = [place for word in self.seen.lower[a:b] for place in network.cut(word)]
            ids = [start, *row[: network.max_pieces - 2], end]
            found.append(network.session.run(("inner",), {"ids": [ids]})[0])
        return found
