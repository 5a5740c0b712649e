"""Feature groups: numbers measured on parsed documents.

CONTRIBUTING.md lists the files to change for a new feature or group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import REPLICATION, NaturalnessError, UnknownName, close_name
from naturalness.features.base import Feature, FeatureGroup, Requirement, WithGaps, column_prefix, feature_names
from naturalness.features.groups import Groups
from naturalness.features.requirements import knows_english_alone
from naturalness.features.selected import BETWEEN, merge_groups, select, whole_of
from naturalness.files.toml import read_beside
from naturalness.text.parsing import ENGLISH, is_english
from naturalness.text.view import Doc

_TABLES = read_beside(__file__, "groups")
GROUPS: Mapping[str, FeatureGroup] = Groups(_TABLES["all"])
"""The groups that ``all`` measures; they need nothing outside this package."""
APART: Mapping[str, FeatureGroup] = Groups(_TABLES["apart"])
"""Groups that are measured only if named, because they are slow, need texts of several sentences, do not concern
soundness, need a separately installed program, are a faster version of another group, or have columns that mean nothing
individually."""
EVERY: Mapping[str, FeatureGroup] = Groups(_TABLES["all"] | _TABLES["apart"])
LIGHT = tuple(_TABLES["sets"]["light"])
"""Fast groups for single sentences (benchmarks/results/speed.md): they use counts, tags, arcs, rules and n-grams, but
neither networks nor constituency trees."""
COMMON = tuple(_TABLES["sets"]["common"])
"""Groups and columns that every shipped model uses; they need no parse, only tokens and n-gram models."""
FAST = (*COMMON, "damage_fast", "impression_fast", "rating_fast")
"""Groups of the shipped model ``fast``, which takes damage, impression and rating from the narrow detector."""
DEFAULT = (*COMMON, "damage", "impression", "rating")
"""Groups of the default model. Constituency trees and the small language model are left out, because measuring them
would nearly double the time and improved the scores very little (training/README.md)."""
ALL = "all"
"""The name that stands for all groups in `GROUPS`."""
SETS: Mapping[str, tuple[str, ...]] = {
    "default": DEFAULT,
    "fast": FAST,
    "light": LIGHT,
    "groves-best-11": tuple(_TABLES["sets"]["groves-best-11"]),
}
"""Named sets of groups or columns: the sets of the shipped models, the set that uses no networks, and the 11 columns
that recursive feature elimination selected in Groves et al. (2018)."""
SIGNIFICANT_DIGITS = 6
FORMER: Mapping[str, str] = {
    **dict.fromkeys(("link", "gleu_link", "vectors:", "bllip:"), REPLICATION),
    **dict.fromkeys(("words:", "pll"), "it has been removed; leave it out, and retrain models that read it"),
    **{
        f"{group}_large": f"it has been removed with the large model; use {group!r}, and retrain models that read it"
        for group in ("damage", "impression", "rating")
    },
}
"""For the beginnings of names of groups that are not here any more, a message that says what to do."""
GAP = "no values of"
"""The beginning of a note that says why a single group has no values."""

__all__ = [
    "ALL",
    "APART",
    "COMMON",
    "DEFAULT",
    "EVERY",
    "FAST",
    "GAP",
    "GROUPS",
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
    """Return the groups with these names, without duplicates; group objects are returned unchanged.

    ``GROUP__FEATURE`` is one column of a group, and a name from `SETS` stands for several groups or columns. Columns
    keep the order that they have in the group; naming a column in addition to its whole group changes nothing.

    None means all of `GROUPS`. So does ``all``, which can be combined with other names: ``["all", "grammar"]``.

    ``lm:MODEL`` uses your own language model: a folder made by `naturalness lm train`, a KenLM file,
    or an ARPA file (extra ``kenlm``).
    ``parser:benepar:MODEL`` is `constituency` with a benepar parser. ``embedding:PATH`` is the text's embedding by a
    sentence encoder: a folder, ``hf:NAME``, or ``shipped``.
    """
    if isinstance(features, str):
        raise TypeError("features takes a list of group names, not a single string")
    groups: list[FeatureGroup] = []
    for item in [ALL] if features is None else features:
        groups += _named(item) if isinstance(item, str) else [item]
    different = merge_groups(groups)  # "all" may include groups that are also named individually
    seen: dict[str, str] = {}
    for group in different:
        prefix = column_prefix(group.name)
        if prefix in seen:
            raise NaturalnessError(
                f"{seen[prefix]!r} and {group.name!r} would both have the columns {prefix}__…; "
                "rename one of the folders"
            )
        seen[prefix] = group.name
    return different


def _named(name: str) -> list[FeatureGroup]:
    """Return the groups that a single name stands for."""
    if name == ALL:
        return list(GROUPS.values())
    if name in SETS:
        return [group for column in SETS[name] for group in _named(column)]
    if (whole := EVERY.get(name)) is not None:
        return [whole]
    head, _, feature = name.rpartition(BETWEEN)
    if head in EVERY:
        return [select(EVERY[head], feature)]
    # Imported here, because few models have such groups and their modules are slow to import.
    from naturalness.features.named import named_column, named_group

    named = named_column(name) or named_group(name)
    if named is not None:
        return [named]
    hint = next((hint for start, hint in FORMER.items() if name.startswith(start)), "")
    columns = column_names(list(EVERY.values())) if head else []
    close = close_name(name, columns)
    raise UnknownName("feature group", name, [close] if close else [*EVERY, *SETS, ALL], hint)


def check_requirements(groups: Sequence[FeatureGroup], *, language: str = ENGLISH) -> None:
    """Raise one error that lists all unmet requirements of the groups, if there are any.

    ``language`` is the language of the pipeline (`parsing.pipeline_language`). In a language other than
    English, most groups would measure nothing meaningful (to English n-grams, every French word is unknown). Such
    groups are refused with an error that lists the groups that work in any language.
    """
    if not is_english(language) and (english := [group.name for group in groups if knows_english_alone(group)]):
        fit = [name for name, group in EVERY.items() if not knows_english_alone(group)]
        raise NaturalnessError(
            f"the pipeline reads {language!r}, and the groups {', '.join(english)} support only English; name those "
            f"that fit (`features={','.join(fit)}`), and language models of your own as lm:FOLDER"
        )
    missing = [
        f"group {group.name!r}: {problem}" for group in groups for need in group.requires if (problem := need.problem())
    ]
    if missing:
        raise NaturalnessError("; ".join(missing))


def column_names(groups: Sequence[FeatureGroup]) -> list[str]:
    """Return the names of the columns that `extract` computes for these groups, in order."""
    return list(chain.from_iterable(map(feature_names, groups)))


def extract(docs: Sequence[Doc], groups: Sequence[FeatureGroup]) -> FloatArray:
    """Return an array of shape (n_docs, n_columns), rounded to six significant digits; undefined values are NaN."""
    blocks = [group.extract(docs) for group in groups]
    table = np.hstack(blocks) if blocks else np.empty((len(docs), 0))
    return round_significant(table)


def gaps(docs: Sequence[Doc], groups: Sequence[FeatureGroup]) -> list[str]:
    """Return, for each Doc, why a group has no values for it; an empty string if all groups have values.

    If several groups have no values, the reason of the first group is returned.
    """
    reasons = [""] * len(docs)
    for group in groups:
        whole = whole_of(group)
        if isinstance(whole, WithGaps):
            for i, reason in enumerate(whole.gaps(docs)):
                if reason and not reasons[i]:
                    reasons[i] = f"{GAP} {group.name}: {reason}"
    return reasons


def round_significant(table: FloatArray) -> FloatArray:
    """Round each value to `SIGNIFICANT_DIGITS`, to hide rounding errors that depend on the other rows."""
    with np.errstate(divide="ignore", invalid="ignore"):
        magnitude = np.floor(np.log10(np.abs(table)))
    magnitude = np.where(np.isfinite(magnitude), magnitude, 0.0)
    decimals = (SIGNIFICANT_DIGITS - 1 - magnitude).astype(int)
    scale = np.power(10.0, np.clip(decimals, -300, 300))
    rounded: FloatArray = np.round(table * scale) / scale
    return rounded


def significant(value: float) -> float:
    """Round a number to six significant digits, as `round_significant` does."""
    return float(round_significant(np.array([value], dtype=np.float64))[0])
