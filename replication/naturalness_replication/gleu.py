"""GLEU with the paper's parts of Link Grammar (Mutton, Dras, Wan & Dale, ACL 2007), as metrics and as features.

`GLEU_LINK` has the paper's four parts; `GLEU_STRUCTURE_LINK` also has the core's part `structure`. The hyperplanes were
trained by `python -m training.gleu CORPORA`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import Columns, Requirement
from naturalness.features.constituency import ConstituencyFeatures
from naturalness.features.gleu import SHIPPED
from naturalness.files.resources import load_manifest, verified
from naturalness.metrics import gleu as core
from naturalness.metrics.base import ComputedMetric
from naturalness.metrics.gleu import NAN, SOURCE, FittedGleu, Measure, read_fitted, score_parts, settings_of
from naturalness.text.view import Doc
from naturalness_replication.link import LinkedSentence, available, parsed, version
from naturalness_replication.link_features import LINK_GRAMMAR, TABLES, LinkFeatures


def nulls(docs: Sequence[Doc]) -> list[float]:
    """Return the tokens that Link Grammar must skip to get a parse, per token; lower is better.

    It may skip the walls at the sentence's ends as well, so a short sentence may have a value above 1.
    """
    return [
        _share(sentences, [s.nulls for s in sentences], [s.tokens for s in sentences]) for sentences in parsed(docs)
    ]


def invalid(docs: Sequence[Doc]) -> list[float]:
    """Return the share of sampled linkages that violate Link Grammar's rules, 0..1; lower is better."""
    return [
        _share(sentences, [s.violating for s in sentences], [s.valid + s.violating for s in sentences])
        for sentences in parsed(docs)
    ]


def _share(sentences: Sequence[LinkedSentence], parts: Sequence[int], wholes: Sequence[int]) -> float:
    """Return sum(parts) / sum(wholes); NaN if sum(wholes) is 0 or a sentence could not be analysed."""
    return sum(parts) / sum(wholes) if any(wholes) and not any(s.problem for s in sentences) else NAN


PARTS: Mapping[str, Measure] = {**core.PARTS, "nulls": nulls, "invalid": invalid}
"""The parts of GLEU, by name; ``tables/gleu_link.csv`` describes them."""
STRUCTURE_LINK, PAPER = "five", "four"
"""The variants with Link Grammar's parts, named after their number of parts."""
ASSETS = Path(__file__).with_name("assets")
ASSET = "gleu_paper"
"""The hyperplane of the paper's variant; that of `STRUCTURE_LINK` is in the core's asset."""


@cache
def fitted(variant: str) -> FittedGleu:
    """Return the constants and the hyperplane of a variant, opened once per process."""
    return read_fitted(verified(load_manifest(ASSETS)[ASSET])) if variant == PAPER else core.fitted()


def _distances(variant: str, docs: Sequence[Doc]) -> FloatArray:
    return score_parts(docs, fitted(variant), variant, PARTS)[1]


def _settings(variant: str) -> str:
    """Return the parts, the checksum of the constants and Link Grammar's version, which may be ``missing``."""
    asset = load_manifest(ASSETS)[ASSET] if variant == PAPER else load_manifest()[core.ASSET]
    settings = settings_of(variant, fitted(variant), asset.checksum)
    return f"{settings}|link-grammar:missing" if available() else f"{settings}|{version()}"


def _metric(name: str, variant: str, description: str) -> ComputedMetric:
    return ComputedMetric(name, partial(_distances, variant), partial(_settings, variant), description)


GLEU_LINK = _metric(
    "gleu-link",
    PAPER,
    "distance of fragments, parse log-probability, and Link Grammar's null "
    "count and share of invalid linkages from a hyperplane between real and shuffled text; "
    f"{SOURCE}, its four parts by other parsers",
)
GLEU_STRUCTURE_LINK = _metric(
    "gleu-structure-link",
    STRUCTURE_LINK,
    f"gleu-structure with Link Grammar's null count and share of invalid linkages; {SOURCE}, changed",
)


class GleuLinkFeatures:
    """The five parts of GLEU, and the distance of `GLEU_STRUCTURE_LINK`."""

    name: ClassVar = "gleu_link"
    features = Columns("gleu_link", TABLES)
    requires: ClassVar[tuple[Requirement, ...]] = (*SHIPPED, LINK_GRAMMAR)

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return np.column_stack(score_parts(docs, fitted(STRUCTURE_LINK), STRUCTURE_LINK, PARTS))

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it lacks some values although it has words; an empty string if it lacks none."""
        trees, links = ConstituencyFeatures().gaps(docs), LinkFeatures().gaps(docs)
        return [tree or of_links for tree, of_links in zip(trees, links, strict=True)]
