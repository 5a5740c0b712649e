"""What Link Grammar says of a text: words that no linkage takes in, linkages, and their costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import MEAN, NAN, TOTAL, Feature, mean
from naturalness.features.requirements import LINK_GRAMMAR, Requirement, asset
from naturalness.models.parsers.link import CAP, DEFAULTS, LinkedSentence, parsed

if TYPE_CHECKING:
    from spacy.tokens import Doc

MUTTON = "Mutton et al. 2007"
SLEATOR = "Sleator & Temperley 1993"
UNDEFINED = (
    f"no words, or a sentence that Link Grammar has no figures for (more than {DEFAULTS.tokens} "
    f"tokens, or {DEFAULTS.seconds} seconds)"
)
BEST = "the best linkage at the fewest nulls"
LINKS = f"its links, of {BEST}, those to its walls left out"
NO_LINK = f"{UNDEFINED}; no such link"

FEATURES = (
    Feature(
        "null_count",
        "tokens that no linkage takes in: the fewest for which there is one",
        "0..",
        "more that does not fit",
        MUTTON,
        TOTAL,
        UNDEFINED,
        words="number of words without a link",
    ),
    Feature(
        "null_count_word",
        "null_count / tokens",
        "0..",
        "more that does not fit, per token",
        MUTTON,
        undefined=UNDEFINED,
        words="words without a link",
    ),
    Feature(
        "complete",
        "there is a linkage of all tokens that keeps the post-processing rules",
        "0..1",
        "grammatical, as Link Grammar sees it",
        MUTTON,
        "all of them",
        UNDEFINED,
        words="complete linkage",
    ),
    Feature(
        "linkages_log",
        f"log10(1 + linkages at the fewest nulls), at most {CAP:,}",
        "0..9",
        "longer, more ambiguous",
        several=MEAN,
        undefined=UNDEFINED,
        words="number of possible linkages",
    ),
    Feature(
        "invalid_share",
        "linkages that break the post-processing rules / those looked at (at "
        f"most {DEFAULTS.linkages}), at the fewest nulls",
        "0..1",
        "less fits together",
        MUTTON,
        MEAN,
        UNDEFINED,
        words="linkages that break rules",
    ),
    Feature(
        "disjunct_cost",
        f"cost of its words' uses in {BEST}",
        "0..",
        "rarer uses of words",
        SLEATOR,
        MEAN,
        UNDEFINED,
        words="cost of the word uses",
    ),
    Feature(
        "disjunct_cost_word",
        "sum of disjunct costs / tokens",
        "0..",
        "rarer uses, per token",
        SLEATOR,
        undefined=UNDEFINED,
        words="cost of the word uses per word",
    ),
    Feature(
        "link_cost",
        f"lengths of all links, each less 1, added up, of {BEST}",
        "0..",
        "longer, and longer links",
        SLEATOR,
        MEAN,
        UNDEFINED,
        words="cost of long links",
    ),
    Feature(
        "link_cost_word",
        "sum of link costs / tokens",
        "0..",
        "longer links",
        SLEATOR,
        undefined=UNDEFINED,
        words="cost of long links per word",
    ),
    Feature(
        "link_length_mean",
        f"words from end to end, mean over {LINKS}",
        "1..",
        "longer links",
        several=MEAN,
        undefined=NO_LINK,
        words="mean length of the links",
    ),
    Feature(
        "link_length_max",
        f"words from end to end, longest of {LINKS}",
        "1..",
        "a long link",
        several="largest",
        undefined=NO_LINK,
        words="length of the longest link",
    ),
)


class LinkFeatures:
    """Numbers over the linkages of each sentence, and the best one's costs."""

    name: ClassVar = "link"
    features: ClassVar = FEATURES
    requires: ClassVar[tuple[Requirement, ...]] = (LINK_GRAMMAR, asset("words"))

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        rows = [row(sentences) for sentences in parsed(docs)]
        return np.array(rows, dtype=np.float64).reshape(len(docs), len(FEATURES))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        return [
            next((sentence.problem for sentence in sentences if sentence.problem), "") for sentences in parsed(docs)
        ]


def row(sentences: Sequence[LinkedSentence]) -> tuple[float, ...]:
    """The values of a text, in the order of `FEATURES`."""
    if not sentences or any(sentence.problem for sentence in sentences):
        return (NAN,) * len(FEATURES)
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
