"""Link Grammar's figures for a text, stored beside its Doc. The library is opened by `research.link` when asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from naturalness.errors import NaturalnessError
from naturalness.extensions import extension
from naturalness.text.view import stored_beside

if TYPE_CHECKING:
    from spacy.tokens import Doc

CAP = 1_000_000_000
"""Highest number of linkages reported: the library's own count saturates at 2,147,483,647."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Parse settings."""

    linkages: int = 50
    """Linkages checked against the post-processing rules; a sample where there are more."""
    short_length: int = 4
    """Longest span of most links, in words; the dictionary's unlimited links may span any number."""
    seconds: int = 5
    """Limit of processor time per sentence."""
    tokens: int = 70
    """Longest sentence parsed: time and memory grow with the cube of the length, and time again with
    each word left out."""

    @property
    def signature(self) -> str:
        """Settings as written beside numbers."""
        return f"linkages:{self.linkages}|short:{self.short_length}|seconds:{self.seconds}|tokens:{self.tokens}"


DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """Link Grammar's figures for one sentence of a Doc.

    All figures belong to the smallest null count with a linkage, valid or not: validity is judged on a
    sample, and the null count must not depend on a draw. A sentence with a problem has counts of 0,
    and NaN for costs and lengths; none of them means anything.
    """

    start: int
    stop: int
    """Tokens of the Doc's view, punctuation included."""
    nulls: int = 0
    """Words and punctuation marks outside every linkage; 0 where all can be joined."""
    linkages: int = 0
    """Linkages with this null count before post-processing, at most `CAP`."""
    valid: int = 0
    """Sampled linkages that satisfy the post-processing rules."""
    violating: int = 0
    """Sampled linkages that violate them."""
    disjunct_cost: float = math.nan
    """Cost of the best linkage, valid ones first: how unusual its uses of words are."""
    link_cost: float = math.nan
    """Sum of (length - 1) over the links of the best linkage."""
    link_length_mean: float = math.nan
    link_length_max: float = math.nan
    """Lengths of the best linkage's links, 1 between neighbours; NaN where all links lead to the walls."""
    problem: str = ""
    """Why the sentence could not be measured."""

    @property
    def tokens(self) -> int:
        """Number of tokens, punctuation included."""
        return self.stop - self.start

    @property
    def complete(self) -> bool:
        """Whether a valid linkage joins all words."""
        return not self.problem and self.nulls == 0 and self.valid > 0


def parsed(docs: Sequence[Doc], settings: Settings = DEFAULTS) -> list[list[LinkedSentence]]:
    """Return the sentences of each Doc that contain a word."""
    key = f"naturalness.links.{version()}|{settings.signature}"
    return stored_beside(docs, key, lambda new: extension("link").link_docs(new, settings))


def version() -> str:
    """Return the versions of library and dictionary, as a saved model records them."""
    opened: str = extension("link").opened().version
    return opened


def available() -> str:
    """Return why Link Grammar cannot be used here; empty if it can."""
    try:
        version()
    except NaturalnessError as error:
        return str(error)
    return ""
