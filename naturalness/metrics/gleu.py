"""GLEU: a measure of fluency that is computed from parsers' output and needs no references.

Mutton, Dras, Wan & Dale (ACL 2007) use four parts: the number of fragments in the output of Connexor's dependency
parser, the log-probability from Collins's parser, and Link Grammar's null count and share of invalid linkages. Their
texts have 24 tokens; here counts and sums are divided by the number of tokens, so that texts of any length can be
compared. The part `structure` is our own, in place of Link Grammar's; the package of replications has the paper's four.

GLEU is the signed distance of the vector of parts from a hyperplane. As in the paper, the hyperplane is a linear SVM
trained to separate real sentences from texts glued together from single words (`python -m training.gleu CORPORA`). The
paper normalises by the maximum number of fragments and the minimum log-probability of the data set at hand; here both
are fixed in training.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.files.resources import load_manifest, locate, opened_once
from naturalness.metrics.base import ComputedMetric
from naturalness.models.language import shipped as language
from naturalness.models.parsers.base import ParsedSentence, parsed, words_of
from naturalness.models.parsers.chart.parser import chart
from naturalness.models.parsers.doubts import arc_probabilities
from naturalness.models.parsers.generative import store as grammars
from naturalness.text.view import Doc, view

NAN = float("nan")
DOUBTED = 0.95
"""The probability below which a dependency arc is doubted, so that it splits the sentence into two fragments."""
PAIR_ORDER, LONG_ORDER = 2, 5
"""The orders of the two tag models: bigrams and 5-grams."""


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
    """Return ln P(best tree, its tags, words) / tokens under a treebank grammar: below 0, higher is more probable."""
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
    """Return how much more probable the tree and tags are than under a bigram model of tags, as a log ratio per token.

    The result is (ln P(tags) under 5-grams - ln P(tags) under bigrams) / units + ln P(best tree | words) / tokens.
    Units are the tags and sentence ends that the tag models predict. Higher is better.
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


def _tokens(sentences: Sequence[ParsedSentence]) -> int:
    """Return the total number of tokens in the sentences; 0 if a sentence could not be parsed."""
    if any(sentence.problem for sentence in sentences):
        return 0
    return sum(sentence.stop - sentence.start for sentence in sentences)


Measure = Callable[[Sequence[Doc]], list[float]]
PARTS: Mapping[str, Measure] = {"fragments": fragments, "parse": parse, "structure": structure}
"""The parts of GLEU, by name; features/tables/gleu.csv describes them."""
STRUCTURE = "three"
"""The variant of GLEU with these parts, named after their number."""
ASSET = "gleu"
FORMAT_VERSION = 1


def measure_parts(docs: Sequence[Doc], names: Sequence[str], parts: Mapping[str, Measure] = PARTS) -> FloatArray:
    """Return the named parts of each Doc, of shape (n_docs, n_names); NaN for a part that cannot be measured."""
    columns = [parts[name](docs) for name in names]
    return np.array(columns, dtype=np.float64).reshape(len(names), len(docs)).T


@dataclass(frozen=True, slots=True)
class Hyperplane:
    """A linear SVM whose inputs are normalised parts, standardised by ``mean`` and ``scale``."""

    parts: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    coef: tuple[float, ...]
    intercept: float

    def distance(self, table: FloatArray) -> FloatArray:
        """Return the signed distance of each row from the hyperplane; it is positive on the side of real text.

        ``table`` has the shape (n, parts).
        """
        standard = (table - np.array(self.mean)) / np.array(self.scale)
        # Summed column by column, so that rounding does not depend on the number of rows.
        sums = np.full(len(table), self.intercept)
        for column, weight in zip(standard.T, self.coef, strict=True):
            sums = sums + column * weight
        return sums / math.hypot(*self.coef)


@dataclass(frozen=True, slots=True)
class FittedGleu:
    """The content of an asset: normalisation constants, and a hyperplane for each variant."""

    largest_fragments: float
    least_parse: float
    fitted_with: Mapping[str, str]
    """The checksums and versions of the models and programs that measured the training texts."""
    variants: Mapping[str, Hyperplane]

    def normalised(self, table: FloatArray, names: Sequence[str]) -> FloatArray:
        """Return measured parts with the paper's normalisations applied."""
        out = np.array(table, dtype=np.float64)
        for at, name in enumerate(names):
            if name == "fragments":
                out[:, at] /= self.largest_fragments
            elif name == "parse":
                out[:, at] = 1.0 - out[:, at] / self.least_parse
        return out


@opened_once
def fitted() -> FittedGleu:
    """Return the content of the shipped asset, which is opened once per process."""
    return read_fitted(locate(ASSET))


def read_fitted(path: Path) -> FittedGleu:
    """Return the content of a GLEU asset; raise `AssetError` if the file is damaged."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format_version"] != FORMAT_VERSION:
            raise ValueError(f"format version {data['format_version']}, expected {FORMAT_VERSION}")
        asset = FittedGleu(
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


def score_parts(
    docs: Sequence[Doc], asset: FittedGleu, variant: str = STRUCTURE, parts: Mapping[str, Measure] = PARTS
) -> tuple[FloatArray, FloatArray]:
    """Return the normalised parts of Docs, of shape (n, parts), and their distances from the hyperplane, (n,)."""
    plane = asset.variants[variant]
    table = asset.normalised(measure_parts(docs, plane.parts, parts), plane.parts)
    return table, plane.distance(table)


def distances(docs: Sequence[Doc]) -> FloatArray:
    """Return the signed distance of each Doc from the hyperplane, (n_docs,); it is positive on the side of real text.

    The distance is NaN if a Doc has no words or one of its sentences could not be parsed.
    """
    return score_parts(docs, fitted())[1]


def settings_of(variant: str, asset: FittedGleu, checksum: str) -> str:
    """Return a variant's parts and the checksum of its constants, for its signature."""
    return f"variant:{variant}({'+'.join(asset.variants[variant].parts)})|fitted:{checksum}"


def _settings() -> str:
    return settings_of(STRUCTURE, fitted(), load_manifest()[ASSET].checksum)


SOURCE = "any number; Mutton et al. (2007)"
GLEU_STRUCTURE = ComputedMetric(
    "gleu-structure",
    distances,
    _settings,
    "distance of fragments, parse log-probability and structure, a "
    "part of ours, from a hyperplane between real and shuffled text; without Link Grammar's parts; "
    f"{SOURCE}, changed",
)
