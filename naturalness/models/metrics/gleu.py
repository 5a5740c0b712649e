"""GLEU: fluency from what parsers say of a text, without a reference.

Mutton, Dras, Wan & Dale (ACL 2007) count the fragments of Connexor's dependency parser, take the log-probability of
Collins's parser, and Link Grammar's null count and share of invalid linkages. Theirs are texts of 24 tokens; here every
count and sum is per token, so that texts of any length compare. `structure` is ours.

GLEU itself is the distance of these parts from a hyperplane. A linear SVM learned it from real sentences against texts
glued of single words (`python -m training.gleu CORPORA`), as in the paper. What the paper takes from the data set at
hand, the largest number of fragments and the least log-probability, is frozen with it. `gleu-link` has the four parts
of the paper; the metrics called `gleu-structure` hold `structure`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.models.language import shipped as language
from naturalness.models.metrics.documents import DocMetric
from naturalness.models.parsers.base import ParsedSentence, parsed, words_of
from naturalness.models.parsers.chart.parser import chart
from naturalness.models.parsers.doubts import arc_probabilities
from naturalness.models.parsers.generative import store as grammars
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAN = float("nan")
DOUBTED = 0.95
"""An arc of a lower probability is one that the parser doubts: the sentence falls apart there."""
PAIR_ORDER, LONG_ORDER = 2, 5
"""Orders of the tag models that tell what neighbours alone, and what longer stretches expect."""


@dataclass(frozen=True, slots=True)
class Part:
    """One parser metric."""

    measure: Callable[[Sequence[Doc]], list[float]]
    link: bool = False
    """Whether it is Link Grammar's."""


def fragments(docs: Sequence[Doc]) -> list[float]:
    """Return (sentences + arcs that the dependency parser doubts) / tokens, 0..1; lower is better."""
    shares = []
    for doc, arcs in zip(docs, arc_probabilities(docs), strict=True):
        seen = view(doc)
        certainties = [arcs[i] for i in seen.positions]
        pieces = len(seen.sentences) + sum(arc < DOUBTED for arc in certainties)
        read = seen.words and not any(map(math.isnan, certainties))
        shares.append(pieces / len(seen.texts) if read else NAN)
    return shares


def parse(docs: Sequence[Doc]) -> list[float]:
    """Return ln P(best tree, its tags, words) / tokens under a treebank grammar, below 0."""
    grammar = grammars.grammar()
    logprobs = []
    for doc, sentences in zip(docs, parsed(chart(), docs), strict=True):
        seen = view(doc)
        texts = words_of(seen)
        total, tokens = 0.0, _tokens(sentences)
        for sentence in sentences if tokens else ():
            inside = slice(sentence.start, sentence.stop)
            total += grammar.logprob(sentence.best, texts[inside], seen.tags[inside])
        logprobs.append(total / tokens if tokens else NAN)
    return logprobs


def structure(docs: Sequence[Doc]) -> list[float]:
    """Return how much likelier tree and tags are than pairs of tags alone would make them, per token.

    ln P(tags) by n-grams of five, and ln P(best tree | words), minus ln P(tags) by n-grams of two.
    """
    longer = language.tags(LONG_ORDER).token_logprobs(docs)
    pairs = language.tags(PAIR_ORDER).token_logprobs(docs)
    gains = []
    for sentences, far, near in zip(parsed(chart(), docs), longer, pairs, strict=True):
        tokens, units = _tokens(sentences), len(far.units)
        if not tokens or not units:
            gains.append(NAN)
            continue
        sure = sum(sentence.logprobs[0] for sentence in sentences)
        gains.append(float(far.logprobs.sum() - near.logprobs.sum()) / units + sure / tokens)
    return gains


def nulls(docs: Sequence[Doc]) -> list[float]:
    """Return the words that Link Grammar leaves out to get a parse / tokens, 0..1; lower is better."""
    from naturalness.models.parsers.link.parser import parsed as linked

    return [
        sum(s.nulls for s in sentences) / sum(s.tokens for s in sentences)
        if sentences and not any(s.problem for s in sentences)
        else NAN
        for sentences in linked(docs)
    ]


def invalid(docs: Sequence[Doc]) -> list[float]:
    """Return the linkages that break Link Grammar's rules / linkages looked at, 0..1, over all sentences."""
    from naturalness.models.parsers.link.parser import parsed as linked

    shares = []
    for sentences in linked(docs):
        seen = sum(s.valid + s.violating for s in sentences)
        sound = sentences and not any(s.problem for s in sentences)
        shares.append(sum(s.violating for s in sentences) / seen if sound and seen else NAN)
    return shares


def _tokens(sentences: Sequence[ParsedSentence]) -> int:
    """Return the number of tokens of the sentences; 0 where one was not parsed."""
    if any(sentence.problem for sentence in sentences):
        return 0
    return sum(sentence.stop - sentence.start for sentence in sentences)


PARTS: Mapping[str, Part] = {
    "fragments": Part(fragments),
    "parse": Part(parse),
    "structure": Part(structure),
    "nulls": Part(nulls, link=True),
    "invalid": Part(invalid, link=True),
}
"""The parser metrics; features/tables/gleu_link.csv describes them."""


def measure_parts(docs: Sequence[Doc], names: Sequence[str]) -> FloatArray:
    """Measure parts of shape (n_docs, n_names); NaN where one cannot be measured."""
    columns = [PARTS[name].measure(docs) for name in names]
    return np.array(columns, dtype=np.float64).reshape(len(names), len(docs)).T


STRUCTURE, STRUCTURE_LINK, PAPER = "three", "five", "four"
"""Variants, by the number of their parts."""
ASSET_OF: Mapping[str, str] = {STRUCTURE: "gleu", STRUCTURE_LINK: "gleu", PAPER: "gleu_paper"}
"""Where the hyperplane of each variant is; shipped models name the checksum of `gleu`."""
FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Hyperplane:
    """A linear SVM over normalised parts; ``mean`` and ``scale`` standardise them."""

    parts: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    coef: tuple[float, ...]
    intercept: float

    def distance(self, table: FloatArray) -> FloatArray:
        """Return signed distances of rows of shape (n, parts) from the plane; above 0 is real text."""
        standard = (table - np.array(self.mean)) / np.array(self.scale)
        # Column by column: a row's sum does not depend on how many rows there are.
        sums = np.full(len(table), self.intercept)
        for column, weight in zip(standard.T, self.coef, strict=True):
            sums = sums + column * weight
        distances: FloatArray = sums / math.hypot(*self.coef)
        return distances


@dataclass(frozen=True, slots=True)
class Fitted:
    """The asset: constants of the normalisation and one hyperplane per variant."""

    largest_fragments: float
    least_parse: float
    fitted_with: Mapping[str, str]
    """Checksums and versions of what measured the parts."""
    variants: Mapping[str, Hyperplane]

    def normalised(self, table: FloatArray, names: Sequence[str]) -> FloatArray:
        """Apply the paper's normalisations to measured parts."""
        out = np.array(table, dtype=np.float64)
        for at, name in enumerate(names):
            if name == "fragments":
                out[:, at] /= self.largest_fragments
            elif name == "parse":
                out[:, at] = 1.0 - out[:, at] / self.least_parse
        return out


def fitted(variant: str) -> Fitted:
    """Return the shipped asset that holds a variant, opened once per process."""
    return _open(ASSET_OF[variant])


@opened_once
def _open(asset: str) -> Fitted:
    return read_fitted(locate(asset))


def read_fitted(path: Path) -> Fitted:
    """Read the file; raises `AssetError` where it cannot have come from training."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format_version"] != FORMAT_VERSION:
            raise ValueError(f"format version {data['format_version']}, expected {FORMAT_VERSION}")
        asset = Fitted(
            float(data["largest_fragments"]),
            float(data["least_parse"]),
            dict(data["fitted_with"]),
            {name: _hyperplane(plane) for name, plane in data["variants"].items()},
        )
        if not (asset.largest_fragments > 0 > asset.least_parse):
            raise ValueError("constants of the wrong sign")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AssetError(
            f"{path} holds no GLEU ({error}); reinstall naturalness, or run: python -m training.gleu CORPORA"
        ) from error
    return asset


def _hyperplane(data: Mapping[str, Any]) -> Hyperplane:
    parts = tuple(data["parts"])
    rows = [tuple(map(float, data[name])) for name in ("mean", "scale", "coef")]
    intercept = float(data["intercept"])
    sound = all(len(row) == len(parts) for row in rows) and set(parts) <= set(PARTS)
    numbers = [*rows[0], *rows[1], *rows[2], intercept]
    if not (sound and all(map(math.isfinite, numbers)) and all(v > 0 for v in rows[1])):
        raise ValueError(f"an impossible hyperplane over {', '.join(map(str, parts))}")
    return Hyperplane(parts, rows[0], rows[1], rows[2], intercept)


def score_parts(docs: Sequence[Doc], variant: str) -> tuple[FloatArray, FloatArray]:
    """Return normalised parts of shape (n, parts) and their distances from the hyperplane, (n,)."""
    asset = fitted(variant)
    plane = asset.variants[variant]
    table = asset.normalised(measure_parts(docs, plane.parts), plane.parts)
    return table, plane.distance(table)


def distances(variant: str, docs: Sequence[Doc]) -> FloatArray:
    """Return distances from the hyperplane: any number, above 0 for what is more like real text.

    NaN for a Doc without words or with a sentence not parsed.
    """
    return score_parts(docs, variant)[1]


def settings_of(variant: str) -> str:
    """Return variant, its parts, the checksum of the asset, and Link Grammar's version where it has a part.

    Without the library the version is ``missing``: the metric has a signature, and no values.
    """
    parts = fitted(variant).variants[variant].parts
    settings = f"variant:{variant}({'+'.join(parts)})|fitted:{load_manifest()[ASSET_OF[variant]].checksum}"
    if any(PARTS[name].link for name in parts):
        from naturalness.models.parsers.link.parser import available, version

        # Metrics are listed, compared and documented where the library is missing, too.
        settings += "|link-grammar:missing" if available() else f"|{version()}"
    return settings


def _metric(name: str, variant: str, description: str) -> DocMetric:
    return DocMetric(name, partial(distances, variant), partial(settings_of, variant), description)


SOURCE = "any number; Mutton et al. (2007)"
GLEU_STRUCTURE = _metric(
    "gleu-structure",
    STRUCTURE,
    "distance of fragments, parse log-probability and structure, a "
    "part of ours, from a hyperplane between real and shuffled text; without Link Grammar's parts; "
    f"{SOURCE}, changed",
)
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
