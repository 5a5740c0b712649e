"""The reference of all features: as rows, and as the Markdown of docs/features.md."""

from __future__ import annotations

from collections.abc import Sequence

from naturalness.features.base import FeatureGroup, feature_names
from naturalness.features.selected import whole_of

HEADER = ("feature", "formula", "range", "a higher value means", "several sentences", "undefined (NaN)", "source")


def as_rows(groups: Sequence[FeatureGroup]) -> list[dict[str, str]]:
    """One row per feature."""
    return [
        {
            "feature": name,
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
