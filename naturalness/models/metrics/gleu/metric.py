"""GLEU itself: the distance of a text's parser metrics from a hyperplane.

A linear SVM learned it from real sentences against texts glued of single words (`python -m
training.gleu CORPORA`), as in Mutton et al. (2007). What the paper takes from the data set at hand,
the largest number of fragments and the least log-probability, is frozen with it. `gleu-link` has
the four parts of the paper; the metrics called `gleu-structure` hold a part of our own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness import __version__
from naturalness.arrays import FloatArray
from naturalness.errors import AssetError
from naturalness.files.resources import assets_folder, load_manifest, locate
from naturalness.models.metrics.base import References
from naturalness.models.metrics.gleu.parts import PARTS, measure_parts

if TYPE_CHECKING:
    from spacy.tokens import Doc

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
        """Signed distances of rows of shape (n, parts) from the plane; above 0 is real text."""
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
        """The paper's normalisations of measured parts."""
        out = np.array(table, dtype=np.float64)
        for at, name in enumerate(names):
            if name == "fragments":
                out[:, at] /= self.largest_fragments
            elif name == "parse":
                out[:, at] = 1.0 - out[:, at] / self.least_parse
        return out


def fitted(variant: str) -> Fitted:
    """The shipped asset that holds a variant, opened once per process."""
    return _open(ASSET_OF[variant], str(assets_folder()))


@cache
def _open(asset: str, folder: str) -> Fitted:
    return read_fitted(locate(asset))


def read_fitted(path: Path) -> Fitted:
    """Read the file; raises `AssetError` where it cannot have come from training."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format_version"] != FORMAT_VERSION:
            raise ValueError(f"format version {data['format_version']}, expected {FORMAT_VERSION}")
        made = Fitted(
            float(data["largest_fragments"]),
            float(data["least_parse"]),
            dict(data["fitted_with"]),
            {name: _hyperplane(plane) for name, plane in data["variants"].items()},
        )
        if not (made.largest_fragments > 0 > made.least_parse):
            raise ValueError("constants of the wrong sign")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AssetError(
            f"{path} holds no GLEU ({error}); reinstall naturalness, or run: python -m training.gleu CORPORA"
        ) from error
    return made


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
    """Normalised parts of shape (n, parts) and their distances from the hyperplane, (n,)."""
    made = fitted(variant)
    plane = made.variants[variant]
    table = made.normalised(measure_parts(docs, plane.parts), plane.parts)
    return table, plane.distance(table)


@dataclass(frozen=True)
class GleuMetric:
    """Distance from the hyperplane: any number, above 0 for what is more like real text."""

    name: str
    variant: str
    description: str
    higher_is_better: bool = True
    needs_references: bool = False
    set_dependent: bool = False
    package: str = ""

    @property
    def signature(self) -> str:
        """Variant, its parts, checksum, version, and that of Link Grammar where it has a part."""
        parts = fitted(self.variant).variants[self.variant].parts
        told = f"{self.name}|variant:{self.variant}({'+'.join(parts)})"
        told += f"|fitted:{load_manifest()[ASSET_OF[self.variant]].checksum}"
        if any(PARTS[name].link for name in parts):
            from naturalness.models.parsers.link.parser import version

            told += f"|{version()}"
        return f"{told}|v:{__version__}"

    def score(self, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
        """One number per Doc; NaN for a Doc without words or with a sentence not parsed."""
        return score_parts(docs, self.variant)[1]


SOURCE = "any number; Mutton et al. (2007)"
GLEU_STRUCTURE = GleuMetric(
    "gleu-structure",
    STRUCTURE,
    "distance of fragments, parse log-probability and structure, a "
    "part of ours, from a hyperplane between real and shuffled text; without Link Grammar's parts; "
    f"{SOURCE}, changed",
)
GLEU_LINK = GleuMetric(
    "gleu-link",
    PAPER,
    "distance of fragments, parse log-probability, and Link Grammar's null "
    "count and share of invalid linkages from a hyperplane between real and shuffled text; "
    f"{SOURCE}, its four parts by other parsers",
)
GLEU_STRUCTURE_LINK = GleuMetric(
    "gleu-structure-link",
    STRUCTURE_LINK,
    f"gleu-structure with Link Grammar's null count and share of invalid linkages; {SOURCE}, changed",
)
