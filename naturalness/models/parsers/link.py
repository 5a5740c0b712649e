"""Link Grammar's measurements of a text, stored beside its Doc. `research.link` loads the library on first use."""

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
    """Number of linkages checked against the post-processing rules; a sample if there are more."""
    short_length: int = 4
    """Longest span of most links, in words; the dictionary's unlimited links may span any number."""
    seconds: int = 5
    """Maximum processor time per sentence, in seconds."""
    tokens: int = 70
    """Maximum sentence length in tokens: time and memory grow with the cube of the length, and time again with each
    word left out."""

    @property
    def signature(self) -> str:
        """Return the settings as written beside numbers."""
        return f"linkages:{self.linkages}|short:{self.short_length}|seconds:{self.seconds}|tokens:{self.tokens}"


DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """Link Grammar's measurements of one sentence of a Doc.

    All refer to the smallest null count with a linkage, valid or not: validity is judged on a sample, and the null
    count must not depend on that sample. A sentence with a problem has counts of 0 and NaN for costs and lengths, which
    mean nothing.
    """

    start: int
    stop: int
    """Tokens of the Doc's view, punctuation included."""
    nulls: int = 0
    """Number of words and punctuation marks outside every linkage; 0 if all can be linked."""
    linkages: int = 0
    """Number of linkages with this null count before post-processing, at most `CAP`."""
    valid: int = 0
    """Number of sampled linkages that satisfy the post-processing rules."""
    violating: int = 0
    """Number of sampled linkages that violate them."""
    disjunct_cost: float = math.nan
    """Cost of the best linkage, valid ones first; higher for unusual uses of words."""
    link_cost: float = math.nan
    """Sum of (length - 1) over the links of the best linkage."""
    link_length_mean: float = math.nan
    link_length_max: float = math.nan
    """Maximum length of the best linkage's links, as `link_length_mean` is their mean; 1 between neighbours; NaN if all
    links lead to the walls."""
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
    """Return why Link Grammar cannot be used here, or an empty string if it can."""
    try:
        version()
    except NaturalnessError as error:
        return str(error)
    return ""
