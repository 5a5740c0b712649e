"""Link Grammar's measurements of a text, stored beside its Doc. `research.link` loads the library on first use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.errors import NaturalnessError
from naturalness.extensions import extension
from naturalness.text.view import Doc, stored_beside

CAP = 1_000_000_000
"""Upper limit for the reported number of linkages, since the library's own count saturates at 2,147,483,647."""


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """Link Grammar's measurements of one sentence of a Doc.

    They refer to linkages with the smallest possible null count, whether or not any of these linkages is valid:
    validity is judged on a sample, and the null count must not depend on the sample. If there is a problem, the
    counts are 0 and the costs and lengths are NaN; none of them is meaningful.
    """

    start: int
    stop: int
    """Index in the Doc's view just after the sentence's last token, which may be punctuation."""
    nulls: int = 0
    """The null count: the number of words and punctuation marks that have to be left out of a linkage; 0 if all can be
    linked."""
    linkages: int = 0
    """Number of linkages with this null count before post-processing, at most `CAP`."""
    valid: int = 0
    """Number of sampled linkages that satisfy the post-processing rules."""
    violating: int = 0
    """Number of sampled linkages that violate the post-processing rules."""
    disjunct_cost: float = math.nan
    """Disjunct cost of the best linkage (a valid one, if there is any); higher for unusual uses of words."""
    link_cost: float = math.nan
    """Sum of (length - 1) over the links of the best linkage."""
    link_length_mean: float = math.nan
    link_length_max: float = math.nan
    """Length of the best linkage's longest link (`link_length_mean` is the mean length); a link between neighbours has
    length 1. NaN if all links lead to the walls, which stand for the start and end of the sentence."""
    problem: str = ""
    """Why the sentence could not be measured; empty if it was."""

    @property
    def tokens(self) -> int:
        """Number of the sentence's tokens, including punctuation."""
        return self.stop - self.start

    @property
    def complete(self) -> bool:
        """Whether a valid linkage joins all words."""
        return not self.problem and self.nulls == 0 and self.valid > 0


def parsed(docs: Sequence[Doc]) -> list[list[LinkedSentence]]:
    """Return the measurements of each Doc's sentences; sentences without a word are left out."""
    return stored_beside(docs, f"naturalness.links.{version()}", extension("link").link_docs)


def version() -> str:
    """Return the versions of the library and its dictionary, as saved models record them."""
    opened: str = extension("link").opened().version
    return opened


def available() -> str:
    """Return the reason why Link Grammar cannot be used here; empty if it can."""
    try:
        version()
    except NaturalnessError as error:
        return str(error)
    return ""
