"""Which groups know English alone: they are refused where texts are parsed as another language.

Their numbers would be defined and mean nothing: to English n-grams every French word is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from naturalness.errors import NaturalnessError
from naturalness.features.base import FeatureGroup, Requirement
from naturalness.features.programs import PROGRAM
from naturalness.models.language.spec import is_shipped
from naturalness.text.parsing import PIPELINE, is_english

ALWAYS = frozenset({"asset", "rules", "parser", "word vectors", PROGRAM})
"""Kinds of needs that are English whatever they are called. LanguageTool and Link Grammar are asked
for English; the parsers that can be named are those of English treebanks."""


def knows_english_alone(group: FeatureGroup) -> bool:
    """Whether a group reads anything that was made of English text."""
    return any(_english(need) for need in group.requires)


def _english(need: Requirement) -> bool:
    if need.kind == "language model":
        return is_shipped(need.name)
    if need.kind == "sentence encoder":
        return need.name == "shipped"
    return need.kind in ALWAYS and need.name != PIPELINE


def check_language(groups: Sequence[FeatureGroup], language: str, known: Mapping[str, FeatureGroup]) -> None:
    """Refuse groups that know English alone for texts of another language.

    ``language`` is that of the pipeline; of the groups ``known`` by name the message lists those
    that fit.
    """
    if is_english(language):
        return
    if english := [group.name for group in groups if knows_english_alone(group)]:
        fit = [name for name, group in known.items() if not knows_english_alone(group)]
        raise NaturalnessError(
            f"the pipeline reads {language!r}, and the groups {', '.join(english)} know English "
            f"alone; name those that fit (--features {','.join(fit)}), and language models of your "
            "own as lm:FOLDER"
        )
