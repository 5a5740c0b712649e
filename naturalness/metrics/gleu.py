"""GLEU: fluency from parsers, without a reference.

Mutton, Dras, Wan & Dale (ACL 2007) count the fragments of Connexor's dependency parser, take the log-probability of
Collins's parser, and Link Grammar's null count and share of invalid linkages. Their texts
have 24 tokens; here counts and sums are per token, so that texts of any length can be compared. `structure`
is ours.

GLEU is the distance of these parts from a hyperplane. As in the paper, a linear SVM learns it from real
sentences and texts glued from single words (`python -m training.gleu CORPORA`). The maximum number of
fragments and minimum log-probability, which the paper takes from the data set at hand, are fixed in
training. `gleu-link` has the paper's four parts; the metrics called `gleu-structure` include `structure`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.metrics.base import ComputedMetric
from naturalness.models.language import shipped as language
from naturalness.models.parsers import link
from naturalness.models.parsers.base import ParsedSentence, parsed, words_of
from naturalness.models.parsers.chart.parser import chart
from naturalness.models.parsers.doubts import arc_probabilities
from naturalness.models.parsers.generative import store as grammars
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAN = float("nan")
DOUBTED = 0.95
"""Probability below which an arc is doubted and splits the sentence into fragments."""
PAIR_ORDER, LONG_ORDER = 2, 5
"""Orders of the tag models: bigrams, and longer contexts."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of GLEU."""

    measure: Callable[[Sequence[Doc]], list[float]]
    link: bool = False
    """Whether it needs Link Grammar."""


def fragments(docs: Sequence[Doc]) -> list[float]:
    """Return (sentences + doubted dependency arcs) / tokens, 0..1; lower is better."""
    shares = []
    for doc, arcs in zip(docs, arc_probabilities(docs), strict=True):
        seen = view(doc)
        certainties = [arcs[i] for i in seen.positions]
        pieces = len(seen.sentences) + sum(arc < DOUBTED for arc in certainties)
        read = seen.words and not any(map(math.isnan, certainties))
        shares.append(pieces / len(seen.texts) if read else NAN)
    return shares


def parse(docs: Sequence[Doc]) -> list[float]:
    """Return ln P(best tree, its tags, words) / tokens under a treebank grammar; below 0, higher is likelier."""
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
    """Return the log-probability of tree and tags minus that of the tags under a bigram model, per token.

    The result is (ln P(tags) under 5-grams - ln P(tags) under bigrams) / units + ln P(best tree | words) / tokens,
    where the units of the tag models include sentence ends. Higher is better.
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
    """Return the share of tokens that Link Grammar must skip to get a parse, 0..1; lower is better."""
    return [
        _share(sentences, [s.nulls for s in sentences], [s.tokens for s in sentences])
        for sentences in link.parsed(docs)
    ]


def invalid(docs: Sequence[Doc]) -> list[float]:
    """Return the share of sampled linkages that violate Link Grammar's rules, over all sentences, 0..1; lower is
    better."""
    return [
        _share(sentences, [s.violating for s in sentences], [s.valid + s.violating for s in sentences])
        for sentences in link.parsed(docs)
    ]


def _share(sentences: Sequence[link.LinkedSentence], parts: Sequence[int], wholes: Sequence[int]) -> float:
    """Return the sum of parts divided by the sum of wholes; NaN if it is undefined or a sentence has a problem."""
    return sum(parts) / sum(wholes) if any(wholes) and not any(s.problem for s in sentences) else NAN


def _tokens(sentences: Sequence[ParsedSentence]) -> int:
    """Return the number of tokens of the sentences; 0 if one was not parsed."""
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
    """Return the named parts of each Doc, (n_docs, n_names); NaN for those that cannot be measured."""
    columns = [PARTS[name].measure(docs) for name in names]
    return np.array(columns, dtype=np.float64).reshape(len(names), len(docs)).T


STRUCTURE, STRUCTURE_LINK, PAPER = "three", "five", "four"
"""Variants, named by their number of parts."""
ASSET_OF: Mapping[str, str] = {STRUCTURE: "gleu", STRUCTURE_LINK: "gleu", PAPER: "gleu_paper"}
"""Asset of each variant's hyperplane. Shipped models record the checksum of `gleu`, so the paper's variant has a
separate file."""
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
        """Return signed distances of rows of shape (n, parts) from the plane; above 0 is more like real text."""
        standard = (table - np.array(self.mean)) / np.array(self.scale)
        # Column by column, so that a row's sum does not depend on the number of rows.
        sums = np.full(len(table), self.intercept)
        for column, weight in zip(standard.T, self.coef, strict=True):
            sums = sums + column * weight
        distances: FloatArray = sums / math.hypot(*self.coef)
        return distances


@dataclass(frozen=True, slots=True)
class Fitted:
    """The asset: normalisation constants and one hyperplane per variant."""

    largest_fragments: float
    least_parse: float
    fitted_with: Mapping[str, str]
    """Checksums and versions of the models and programs that measured the parts for training."""
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
    """Return the shipped asset of a variant, opened once per process."""
    return _open(ASSET_OF[variant])


@opened_once
def _open(asset: str) -> Fitted:
    return read_fitted(locate(asset))


def read_fitted(path: Path) -> Fitted:
    """Read a GLEU file; raise `AssetError` if it is damaged."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format_version"] != FORMAT_VERSION:
            raise ValueError(f"format version {data['format_version']}, expected {FORMAT_VERSION}")
        asset = Fitted(
            float(data["largest_fragments"]),
            float(data["least_parse"]),
            dict(data["fitted_with"]),
            {
                name: Hyperplane(
                    tuple(plane["parts"]),
                    tuple(map(float, plane["mean"])),
                    tuple(map(float, plane["scale"])),
                    tuple(map(float, plane["coef"])),
                    float(plane["intercept"]),
                )
                for name, plane in data["variants"].items()
            },
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AssetError(
            f"{path} holds no GLEU ({error}); reinstall naturalness, or run: python -m training.gleu CORPORA"
        ) from error
    return asset


def score_parts(docs: Sequence[Doc], variant: str) -> tuple[FloatArray, FloatArray]:
    """Return normalised parts of shape (n, parts) and their distances from the hyperplane, (n,)."""
    asset = fitted(variant)
    plane = asset.variants[variant]
    table = asset.normalised(measure_parts(docs, plane.parts), plane.parts)
    return table, plane.distance(table)


def distances(variant: str, docs: Sequence[Doc]) -> FloatArray:
    """Return distances from the hyperplane; above 0 is more like real text; (n_docs,).

    NaN for a Doc without words or with an unparsed sentence.
    """
    return score_parts(docs, variant)[1]


def settings_of(variant: str) -> str:
    """Return the variant, its parts, the asset's checksum, and Link Grammar's version if it has a part.

    The version is ``missing`` without the library; the metric then has a signature but no values.
    """
    parts = fitted(variant).variants[variant].parts
    settings = f"variant:{variant}({'+'.join(parts)})|fitted:{load_manifest()[ASSET_OF[variant]].checksum}"
    if any(PARTS[name].link for name in parts):
        # Metrics are listed, compared and documented without the library, too.
        settings += "|link-grammar:missing" if link.available() else f"|{link.version()}"
    return settings


def _metric(name: str, variant: str, description: str) -> ComputedMetric:
    return ComputedMetric(name, partial(distances, variant), partial(settings_of, variant), description)


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
