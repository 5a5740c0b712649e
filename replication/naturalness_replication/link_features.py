"""Link Grammar's analysis of a text: words that it cannot link, linkages and their costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, Columns, Requirement, first_problems, mean, stack
from naturalness.features.requirements import asset
from naturalness.text.view import Doc
from naturalness_replication.link import LinkedSentence, available, parsed, version

TABLES = Path(__file__).with_name("tables")
"""The folder of the tables that describe features, as those of the core do."""
LINK_GRAMMAR = Requirement("link-grammar", available, version)


class LinkFeatures:
    """Measures of each sentence's linkages, and the costs of the best linkage."""

    name: ClassVar = "link"
    features = Columns("link", TABLES)
    requires: ClassVar[tuple[Requirement, ...]] = (LINK_GRAMMAR, asset("words"))

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return stack(map(row, parsed(docs)), len(self.features))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it has no values although it has words; an empty string if it has values."""
        return first_problems(parsed(docs))


def row(sentences: Sequence[LinkedSentence]) -> tuple[float, ...] | None:
    """Return the values of a text in the order of ``tables/link.csv``; None if it could not be analysed."""
    if not sentences or any(sentence.problem for sentence in sentences):
        return None
    tokens = sum(s.tokens for s in sentences)
    nulls = sum(s.nulls for s in sentences)
    disjuncts = sum(s.disjunct_cost for s in sentences)
    links = sum(s.link_cost for s in sentences)
    longest = [s.link_length_max for s in sentences if not math.isnan(s.link_length_max)]
    return (
        nulls,
        nulls / tokens,
        float(all(s.complete for s in sentences)),
        mean([math.log10(1 + s.linkages) for s in sentences]),
        mean([s.violating / (s.valid + s.violating) for s in sentences]),
        disjuncts / len(sentences),
        disjuncts / tokens,
        links / len(sentences),
        links / tokens,
        mean([s.link_length_mean for s in sentences]),
        max(longest, default=NAN),
    )
