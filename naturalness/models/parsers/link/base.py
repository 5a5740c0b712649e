"""What Link Grammar says of a sentence, and how it is asked."""

from __future__ import annotations

import math
from dataclasses import dataclass

CAP = 1_000_000_000
"""Most linkages that are told apart: the library's own count ends at 2,147,483,647."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a sentence is parsed. `benchmarks.link` measures what each choice costs."""

    linkages: int = 50
    """Of more than these, so many are drawn and judged by the post-processing rules."""
    short_length: int = 4
    """Words that most links span at most; those that the dictionary calls unlimited span any."""
    seconds: int = 5
    """Of processor time per sentence."""
    tokens: int = 70
    """A sentence of more is not parsed: time and memory grow with the cube of its length, and time
    again with each word that has to be left out."""

    @property
    def signature(self) -> str:
        """In a form to write beside numbers."""
        return f"linkages:{self.linkages}|short:{self.short_length}|seconds:{self.seconds}|tokens:{self.tokens}"


@dataclass(frozen=True, slots=True)
class Figures:
    """What the library tells of a sentence."""

    nulls: int
    found: int
    valid: int
    violating: int
    disjunct_cost: float
    link_cost: float
    links: tuple[int, ...]
    """Lengths of the links of the best linkage, those to walls left out."""


class Unlinked(Exception):
    """The library has no figures for a sentence; the message says why, for the text's reason."""


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """Link Grammar's figures for one sentence of a Doc.

    All figures are those at the fewest nulls that give a linkage, valid or not: whether one is
    valid is told from a sample, and the null count must not depend on a draw. Where there is a
    problem, the counts are 0 and costs and lengths NaN: none of them says anything.
    """

    start: int
    stop: int
    """Tokens of the Doc's view, marks included."""
    nulls: int = 0
    """Words and marks that no linkage can take in; 0 where all can be joined."""
    found: int = 0
    """Linkages with so many nulls, before post-processing, at most `CAP`."""
    valid: int = 0
    """Linkages that keep the post-processing rules, among those looked at."""
    violating: int = 0
    """Linkages that break them; with `valid`, at most as many as are looked at."""
    disjunct_cost: float = math.nan
    """Of the best linkage, valid ones before others: how unusual its words' uses are."""
    link_cost: float = math.nan
    """Of the best linkage: lengths of its links, each less one, added up."""
    link_length_mean: float = math.nan
    link_length_max: float = math.nan
    """Of the best linkage: words from end to end of a link, 1 for neighbours; links to the walls
    left out; NaN where there are no others."""
    problem: str = ""
    """Why the sentence could not be measured."""

    @property
    def tokens(self) -> int:
        """Tokens of the sentence, marks included."""
        return self.stop - self.start

    @property
    def complete(self) -> bool:
        """Whether there is a valid linkage of all its words."""
        return not self.problem and self.nulls == 0 and self.valid > 0
