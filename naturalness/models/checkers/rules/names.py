"""Whether a sentence writes its names with capitals: where it does not, any noun may be one.

The first word and *I* have their capitals anyway; commas and figures are no letters. A tagger knows
some names without them, and more names in small letters than capitals mean a text without.
"""

from __future__ import annotations

from naturalness.models.checkers.rules.pattern import NAMED, Sentence


def names_are_large(sentence: Sentence, i: int) -> bool:
    """Whether the words beside one in small letters show that names have capitals here."""
    large, small = _beside(sentence, i)
    return large > small


def names_are_small(sentence: Sentence, i: int) -> bool:
    """Whether they show that names have none."""
    large, small = _beside(sentence, i)
    return small > large


def _beside(sentence: Sentence, i: int) -> tuple[int, int]:
    """Capitals and small names, a token in small letters left out: it is the one in question."""
    large, small = sentence.names
    view = sentence.view
    counted = i > sentence.start and view.tags[i] in NAMED and view.texts[i].islower()
    return large, small - counted
