"""Find the categories that each text belongs to, and the error rates of a model by category.

Groves, Tian & Douratsos (2018) name constructions that misled their classifier: subordinate clauses, and fragments and
titles. Categories are length bands, values of features of clauses and typing, kinds of findings, and values of columns.
Only findings that a reader would also notice are counted (`shown.SURE`), because almost every text has weak findings of
every kind.

Texts of one source are not independent. Intervals are therefore Wilson's (1927) for the effective number of texts given
the variance between sources (Korn & Graubard 1998). A score test with variances summed over sources (Liang & Zeger
1986) shows whether a category differs from the rest; p is corrected for the number of categories (Holm 1979).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from naturalness.arrays import BoolArray, FloatArray, IntArray
from naturalness.english.rules import FAMILIES
from naturalness.explaining.causes import TABLES
from naturalness.explaining.findings import OTHER, WEIGHT_OF_SEVERITY, damaged
from naturalness.explaining.shown import SURE
from naturalness.features import column_names, resolve
from naturalness.features.measuring import measure_docs
from naturalness.features.rules import rule_checker
from naturalness.reports.raters.judged import Advance, JudgedTexts
from naturalness.statistics.measures import share_ends
from naturalness.statistics.significance import ALPHA, holm
from naturalness.text.matches import checked
from naturalness.text.parsing import parse, short_memory, unusable
from naturalness.text.view import Doc

BAND_ENDS = (0, 5, 10, 15, 20, 30, 40, math.inf)
"""The bounds of the length bands: 0, and then the largest number of words in each band."""
MEASURED = (
    ("clauses", "relative clauses", "dependency__n_relative_clauses", 1, math.inf),
    ("clauses", "adverbial clauses", "dependency__n_adverbial_clauses", 1, math.inf),
    ("clauses", "complement clauses", "dependency__n_complement_clauses", 1, math.inf),
    ("clauses", "passive clauses", "dependency__n_passives", 1, math.inf),
    ("clauses", "no subject", "dependency__subject_share", 0, 0),
    ("clauses", "several sentences", "surface__n_sentences", 2, math.inf),
    ("writing", "no capital letter", "typing__all_lower", 1, 1),
    ("writing", "spaces before punctuation", "typing__spaced_mark_share", 1e-9, 1),
    ("writing", "no punctuation at the end", "typing__ends_marked", 0, 0),
)
"""Categories by the value of a feature: the dimension, the category, the column, and its smallest and largest value."""
FINDING_KINDS: Mapping[str, Sequence[str]] = TABLES["categories"]
"""The kinds of findings in each category; agreement, prepositions and order are categories of Groves et al. (2018)."""
NO_FINDINGS = "nothing found"
DIMENSIONS: Mapping[str, str] = {
    "length": "Length",
    "clauses": "Clauses and sentences",
    "writing": "Typing",
    "found": "What is odd in the text",
}
"""The titles of the dimensions; any other dimension is a column of the table."""
BATCH = 64


@dataclass(frozen=True, slots=True)
class Category:
    """A category, with a mask of the texts that belong to it."""

    dimension: str
    """One of `DIMENSIONS`, or the name of a column."""
    name: str
    rows: BoolArray


def odd_kinds(doc: Doc) -> set[str]:
    """Return the kinds of confident findings by the rules and the detector, the only fast sources that name kinds."""
    if unusable(doc):
        return set()
    (result,) = checked(rule_checker(), [doc])
    kinds = {finding.kind for finding in damaged(doc) if finding.weight >= SURE}
    return kinds | {
        FAMILIES.get(match.category, OTHER) for match in result.matches if WEIGHT_OF_SEVERITY[match.severity] >= SURE
    }


def categorise(
    texts: Sequence[str], columns: Mapping[str, Sequence[str]], *, nlp: str, advance: Advance = lambda done, total: None
) -> list[Category]:
    """Return all categories that contain a text, grouped by dimension.

    ``columns`` has additional dimensions, each with one value per text.
    """
    groups = resolve([column for *_, column, _, _ in MEASURED])
    tables: list[FloatArray] = []
    odd: list[set[str]] = []
    advance(0, len(texts))
    for start in range(0, len(texts), BATCH):
        with short_memory(nlp=nlp):
            docs = parse(texts[start : start + BATCH], nlp=nlp)
            tables.append(measure_docs(docs, groups).table)
            odd += map(odd_kinds, docs)
            del docs
        advance(len(odd), len(texts))
    values = dict(zip(column_names(groups), np.vstack(tables).T, strict=True))
    n_words = np.array([len(text.split()) for text in texts])
    categories = [
        Category("length", band(low, high), (n_words > low) & (n_words <= high)) for low, high in pairwise(BAND_ENDS)
    ]
    for dimension, name, column, least, most in MEASURED:
        categories.append(Category(dimension, name, (values[column] >= least) & (values[column] <= most)))
    categories += _by_finding(odd)
    for column, cells in columns.items():
        dimension = f"{column} (column)" if column in DIMENSIONS else column
        for value, _ in Counter(sorted(cells)).most_common():
            categories.append(Category(dimension, value, np.array([cell == value for cell in cells], dtype=bool)))
    return [category for category in categories if category.rows.any()]


def band(low: float, high: float) -> str:
    """Return the name of a length band."""
    return f"over {low} words" if high == math.inf else f"{low + 1}–{high} words"


def _by_finding(odd: Sequence[set[str]]) -> list[Category]:
    """Return the categories of texts by the kinds of their findings."""
    rows = {name: [not kinds.isdisjoint(of_name) for kinds in odd] for name, of_name in FINDING_KINDS.items()}
    rows[NO_FINDINGS] = [not any(of_text) for of_text in zip(*rows.values(), strict=True)]
    return [Category("found", name, np.array(mask, dtype=bool)) for name, mask in rows.items()]


MIN_TEXTS = 10
"""A category is tested only if at least this many labelled texts belong to it and at least as many do not."""
WORSE, BETTER = "worse", "better"


@dataclass(frozen=True, slots=True)
class Rate:
    """The errors in a category. Shares are 0..1, and NaN if no text is labelled."""

    dimension: str
    name: str
    texts: int
    """The number of labelled texts."""
    errors: int
    rate: float
    """The share of texts whose predicted label differs from the raters' label."""
    low: float
    high: float
    too_high: float
    """The share of texts that get a better label than the raters gave; with two labels, they are falsely natural."""
    too_low: float
    """The share of texts that get a worse label than the raters gave; with two labels, they are falsely unnatural."""
    rest: float
    """The error rate of all texts outside the category."""
    p: float
    """The p-value of the difference from the rest, corrected for the number of categories; NaN if not tested."""
    verdict: str = ""
    """``worse`` or ``better`` if the category differs significantly from the rest, else empty."""


def find_rates(judged: JudgedTexts, categories: Sequence[Category]) -> tuple[Rate, ...]:
    """Return the error rate of all texts, named ``all``, and the error rate of each category.

    Categories to which all labelled texts belong, or none, are left out.
    """
    known, groups = judged.known, judged.data.groups
    everything = np.ones(len(known), dtype=bool)
    rates = [_rate(judged, Category("all", "all", everything))]
    ps: list[float] = []
    for category in categories:
        if not (category.rows & known).any() or not (~category.rows & known).any():
            continue
        rates.append(_rate(judged, category))
        inside = category.rows[known]
        ps.append(p_of_difference(judged.wrong[known], inside, groups[known]))
    corrected = [math.nan, *holm(ps)]
    pairs = zip(rates, corrected, strict=True)
    return tuple(replace(rate, p=p, verdict=_verdict(rate, p)) for rate, p in pairs)


def _rate(judged: JudgedTexts, category: Category) -> Rate:
    rows, rest = category.rows & judged.known, ~category.rows & judged.known
    n, wrong = int(rows.sum()), judged.wrong[rows].astype(np.float64)
    return Rate(
        category.dimension,
        category.name,
        n,
        int(wrong.sum()),
        _share(judged.wrong, rows),
        *share_ends(wrong, judged.data.groups[rows]),
        too_high=_share(judged.too_high, rows),
        too_low=_share(judged.too_low, rows),
        rest=_share(judged.wrong, rest),
        p=math.nan,
    )


def _share(what: BoolArray, rows: BoolArray) -> float:
    return float(what[rows].mean()) if rows.any() else math.nan


def _verdict(rate: Rate, p: float) -> str:
    if math.isnan(p) or p >= ALPHA:
        return ""
    return WORSE if rate.rate > rate.rest else BETTER


def p_of_difference(wrong: BoolArray, inside: BoolArray, groups: IntArray) -> float:
    """Return the two-sided p-value of the difference between the error rates inside and outside a category; NaN for
    too few texts.
    """
    n, m = int(inside.sum()), int((~inside).sum())
    if n < MIN_TEXTS or m < MIN_TEXTS or wrong.all() or not wrong.any():
        return math.nan
    pull = (inside - inside.mean()) * (wrong - wrong.mean())
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], weights=pull)
    variance = float((sums**2).sum())
    return math.erfc(abs(float(pull.sum())) / math.sqrt(2 * variance)) if variance else math.nan
