"""The reference of all features: as rows, as the Markdown of docs/features.md, and what people call them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from naturalness.features import EVERY
from naturalness.features.base import FeatureGroup, column_prefix, feature_names
from naturalness.features.selected import whole_of
from naturalness.models.learners.prepared import measured

HEADER = (
    "feature",
    "in words",
    "formula",
    "range",
    "a higher value means",
    "several sentences",
    "undefined (NaN)",
    "source",
)


NO_VALUE = "no value for"


def words_of(groups: Sequence[FeatureGroup]) -> dict[str, str]:
    """Return what each column of these groups is called for people; no two are called the same.

    Where groups have features of the same words, as two detectors do, the name of the group follows in brackets.
    """
    titles = Counter(feature.title for group in groups for feature in group.features)
    return {
        name: _beside(feature.title, group.name) if titles[feature.title] > 1 else feature.title
        for group in groups
        for name, feature in zip(feature_names(group), group.features, strict=True)
    }


def in_words(columns: Sequence[str]) -> dict[str, str]:
    """Return the same of columns by their names alone; of a group that is not here, the name with spaces."""
    titles = {column: _title(column) for column in columns}
    counts = Counter(titles.values())
    return {
        column: _beside(title, measured(column).partition("__")[0]) if counts[title] > 1 else title
        for column, title in titles.items()
    }


def _title(column: str) -> str:
    name = measured(column)
    prefix, _, feature = name.partition("__")
    known = {described.name: described.title for described in EVERY[prefix].features} if prefix in EVERY else {}
    words = known.get(feature) or " ".join(name.replace("_", " ").split())
    return words if name == column else f"{NO_VALUE} {words}"


def titled(column: str, words: Mapping[str, str]) -> str:
    """Return what a column is called, by the words of all; of ``undefined(column)`` that this has no value."""
    name = measured(column)
    return words[name] if name == column else f"{NO_VALUE} {words[name]}"


def _beside(title: str, group: str) -> str:
    name = column_prefix(group).replace("_", " ")
    return f"{title} ({name})" if name else title


def as_rows(groups: Sequence[FeatureGroup]) -> list[dict[str, str]]:
    """One row per feature."""
    return [
        {
            "feature": name,
            "words": feature.title,
            "formula": feature.formula,
            "range": feature.range,
            "higher_means": feature.direction,
            "several_sentences": feature.several,
            "undefined": feature.undefined,
            "source": feature.source,
        }
        for group in groups
        for name, feature in zip(feature_names(group), group.features, strict=True)
    ]


def as_markdown(groups: Sequence[FeatureGroup]) -> str:
    """A section per group with a table of its features."""
    lines: list[str] = []
    for group in groups:
        lines += [f"## {group.name}", "", _first_paragraph(group), ""]
        lines += ["| " + " | ".join(HEADER) + " |", "| --- " * len(HEADER) + "|"]
        for feature in group.features:
            cells = (
                f"`{feature.name}`",
                feature.title,
                feature.formula,
                feature.range,
                feature.direction,
                feature.several,
                feature.undefined,
                feature.source,
            )
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def _first_paragraph(group: FeatureGroup) -> str:
    return (type(whole_of(group)).__doc__ or "").strip().split("\n\n")[0]
