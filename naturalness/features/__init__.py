"""What is measured: groups of numbers over parsed documents.

CONTRIBUTING.md lists what a new feature or group touches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import NaturalnessError, UnknownName, close_name
from naturalness.features import requirements
from naturalness.features.base import Feature, FeatureGroup, WithGaps, column_prefix, feature_names
from naturalness.features.constituency import ConstituencyFeatures
from naturalness.features.damage import DamageFeatures
from naturalness.features.dependency import DependencyFeatures
from naturalness.features.gleu import gleu_groups
from naturalness.features.grammar import GrammarFeatures
from naturalness.features.gruen import GruenFeatures
from naturalness.features.impression import ImpressionFeatures
from naturalness.features.language import shipped_groups
from naturalness.features.lexical import LexicalFeatures
from naturalness.features.link import LinkFeatures
from naturalness.features.named import named_column, named_group
from naturalness.features.neural import NeuralFeatures, PseudoFeatures
from naturalness.features.passage import PassageFeatures
from naturalness.features.pos import PosFeatures
from naturalness.features.prose import ProseFeatures
from naturalness.features.rating import RatingFeatures
from naturalness.features.readability import ReadabilityFeatures
from naturalness.features.repetition import RepetitionFeatures
from naturalness.features.requirements import Requirement
from naturalness.features.rules import RuleFeatures
from naturalness.features.selected import BETWEEN, merged, select, whole_of
from naturalness.features.surface import SurfaceFeatures
from naturalness.features.typing import TypingFeatures
from naturalness.models.detector import FAST_ASSET, LARGE_ASSET
from naturalness.text.parsing import ENGLISH

if TYPE_CHECKING:
    from spacy.tokens import Doc

GLEU, GLEU_LINK = gleu_groups()
GROUPS: Mapping[str, FeatureGroup] = {
    group.name: group
    for group in (
        SurfaceFeatures(),
        TypingFeatures(),
        LexicalFeatures(),
        RepetitionFeatures(),
        ReadabilityFeatures(),
        PosFeatures(),
        DependencyFeatures(),
        ConstituencyFeatures(),
        RuleFeatures(),
        GLEU,
        *shipped_groups(),
        NeuralFeatures(),
        DamageFeatures(),
        PassageFeatures(),
        ProseFeatures(),
    )
}
"""What is measured unless groups are named: all that the package brings with it."""
APART: Mapping[str, FeatureGroup] = {
    group.name: group
    for group in (
        GrammarFeatures(),
        LinkFeatures(),
        GLEU_LINK,
        PseudoFeatures(),
        GruenFeatures(),
        DamageFeatures("damage_fast", FAST_ASSET),
        DamageFeatures("damage_large", LARGE_ASSET),
        ImpressionFeatures(),
        ImpressionFeatures("impression_fast", FAST_ASSET),
        ImpressionFeatures("impression_large", LARGE_ASSET),
        RatingFeatures(),
        RatingFeatures("rating_fast", FAST_ASSET),
        RatingFeatures("rating_large", LARGE_ASSET),
    )
}
"""Groups that are slow, for texts of several sentences, over programs that are installed apart, a quicker or
slower form of another, or of columns that mean nothing by themselves; measured where they are named."""
EVERY: Mapping[str, FeatureGroup] = {**GROUPS, **APART}
NETWORKS = frozenset({"chart", "neural", "detector", FAST_ASSET, LARGE_ASSET})
"""Assets of which each, but for the narrow detector, costs more than the parse and all groups without them together."""
PARAGRAPHS = frozenset({PassageFeatures.name, ProseFeatures.name})
"""Groups that say little of a single sentence."""
LIGHT = tuple(
    name
    for name, group in GROUPS.items()
    if name not in PARAGRAPHS and NETWORKS.isdisjoint(need.name for need in group.requires)
)
"""Groups of sentences that read no network and no trees (benchmarks/results/speed.md): counts, tags, arcs, rules
and n-grams."""
COMMON = (
    "surface",
    "typing",
    *(f"lexical{BETWEEN}{name}" for name in ("n_tokens", "n_digits", "mtld", "mattr", "hdd")),
    *(
        f"repetition{BETWEEN}{name}"
        for name in ("distinct_share", "neighbour_share", "bigram_share", "trigram_share", "longest_repeat_share")
    ),
    "readability",
    "passage",
    "word_lm",
    "piece_lm",
)
"""What all models that ship read: counts of tokens and n-grams, which take no parse."""
FAST = (*COMMON, "damage_fast", "impression_fast", "rating_fast")
"""What the shipped model ``fast`` reads: a narrow detector, its impression and its rating."""
DEFAULT = (*COMMON, "damage", "impression", "rating")
"""What the default model reads. Trees and the small language model, which cost nearly as much as all of these
together, added next to nothing to it (training/README.md)."""
LARGE = (*COMMON, "damage_large", "impression_large", "rating_large")
"""What the large model reads, which comes in a package of its own: a detector of twice as many layers."""
ALL = "all"
"""In a list of names: every group of `GROUPS`."""
SETS: Mapping[str, tuple[str, ...]] = {
    "default": DEFAULT,
    "fast": FAST,
    "large": LARGE,
    "light": LIGHT,
    "groves-best-11": (
        "lexical__root_ttr",
        "lexical__corrected_ttr",
        "lexical__lexical_repetition",
        "constituency__parser_logprob",
        "constituency__reranker_logprob",
        "constituency__nbest_kurtosis",
        "constituency__nbest_skew",
        "constituency__vp_length_mean",
        "tag_lm__score_2",
        "word_lm__score",
        "word_lm__perplexity",
    ),
}
"""Groups or columns under one name: those of the models that ship; those without networks; those that recursive
elimination left to Groves et al. (2018)."""
SIGNIFICANT_DIGITS = 6
GAP = "no values of"
"""How a reason begins that is about one group alone."""

__all__ = [
    "ALL",
    "APART",
    "COMMON",
    "DEFAULT",
    "EVERY",
    "FAST",
    "GAP",
    "GROUPS",
    "LARGE",
    "LIGHT",
    "SETS",
    "Feature",
    "FeatureGroup",
    "FloatArray",
    "Requirement",
    "check_requirements",
    "column_names",
    "extract",
    "feature_names",
    "gaps",
    "resolve",
]


def __dir__() -> list[str]:
    return sorted(__all__)


def resolve(features: Sequence[str | FeatureGroup] | None = None) -> list[FeatureGroup]:
    """Groups by name, each once; an object that is a group already passes through.

    ``GROUP__FEATURE`` is one column of a group, and a name of `SETS` several of them or groups. Columns stand in the
    order of their group; the whole group beside them has them all.

    None means all of `GROUPS`; so does ``all``, beside which others can stand:
    ``["all", "grammar"]``.

    ``lm:MODEL`` is a group over a language model of one's own: a folder that `naturalness lm train`
    or `lm mix` made, an ARPA or KenLM file. ``parser:SPEC`` is `constituency` over another parser.
    ``embedding:PATH`` is the vector that a sentence encoder gives a text: a folder, ``hf:NAME``, or
    ``embedding:shipped``. ``vectors:N`` are the vectors of the first N words, ``words:N`` counts of
    words and pairs of words in N columns. ``reply:COLUMN`` compares a reply with its context.
    """
    if isinstance(features, str):
        raise TypeError("features takes a list of group names, not a single string")
    groups: list[FeatureGroup] = []
    for item in [ALL] if features is None else features:
        groups += _named(item) if isinstance(item, str) else [item]
    different = merged(groups)  # "all" may hold what is named beside it
    _check_columns(different)
    return different


def _named(name: str) -> list[FeatureGroup]:
    """The groups of one name."""
    if name == ALL:
        return list(GROUPS.values())
    if name in SETS:
        return [group for column in SETS[name] for group in _named(column)]
    if name in EVERY:
        return [EVERY[name]]
    head, _, feature = name.rpartition(BETWEEN)
    if head in EVERY:
        return [select(EVERY[head], feature)]
    named = named_column(name) or named_group(name)
    if named is not None:
        return [named]
    columns = column_names(list(EVERY.values())) if head else []
    close = close_name(name, columns)
    raise UnknownName("feature group", name, [close] if close else [*EVERY, *SETS, ALL])


def _check_columns(groups: Sequence[FeatureGroup]) -> None:
    """Refuse two groups whose columns would have the same names."""
    seen: dict[str, str] = {}
    for group in groups:
        prefix = column_prefix(group.name)
        if prefix in seen:
            raise NaturalnessError(
                f"{seen[prefix]!r} and {group.name!r} would both have the columns {prefix}__…; "
                "rename one of the folders"
            )
        seen[prefix] = group.name


def check_requirements(groups: Sequence[FeatureGroup], *, language: str = ENGLISH) -> None:
    """Raise one error that names everything the groups need and that is not here.

    ``language`` is that of the pipeline (`parsing.pipeline_language`): most groups know English
    alone, and are refused for another.
    """
    requirements.check_requirements(groups, language=language, known=EVERY)


def column_names(groups: Sequence[FeatureGroup]) -> list[str]:
    """Columns of `extract` in their order."""
    return [name for group in groups for name in feature_names(group)]


def extract(docs: Sequence[Doc], groups: Sequence[FeatureGroup]) -> FloatArray:
    """Numbers of shape (n_docs, n_columns), rounded to six significant digits; NaN is undefined."""
    blocks = [group.extract(docs) for group in groups]
    table = np.hstack(blocks) if blocks else np.empty((len(docs), 0))
    return round_significant(table)


def gaps(docs: Sequence[Doc], groups: Sequence[FeatureGroup]) -> list[str]:
    """Why a Doc that can be measured has no values in some group; empty where all have values."""
    reasons = [""] * len(docs)
    for group in groups:
        whole = whole_of(group)
        if isinstance(whole, WithGaps):
            for i, reason in enumerate(whole.gaps(docs)):
                if reason and not reasons[i]:
                    reasons[i] = f"{GAP} {group.name}: {reason}"
    return reasons


def round_significant(table: FloatArray, digits: int = SIGNIFICANT_DIGITS) -> FloatArray:
    """Round to a number of significant digits, so that a row's company cannot show in the last."""
    with np.errstate(divide="ignore", invalid="ignore"):
        magnitude = np.floor(np.log10(np.abs(table)))
    magnitude = np.where(np.isfinite(magnitude), magnitude, 0.0)
    decimals = (digits - 1 - magnitude).astype(int)
    scale = np.power(10.0, np.clip(decimals, -300, 300))
    rounded: FloatArray = np.round(table * scale) / scale
    return rounded


def significant(value: float) -> float:
    """Round one number like a table's, so that nobody reads the last bits of a sum."""
    return float(round_significant(np.array([value], dtype=np.float64))[0])
