"""Groups created from their names: `lm:…`, `parser:…`, `embedding:…`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from naturalness.features import constituency, embedding, language
from naturalness.features.base import FeatureGroup
from naturalness.features.selected import BETWEEN, select
from naturalness.files.storage import exists
from naturalness.models.encoders import sentences as encoders
from naturalness.models.language import spec as language_models
from naturalness.models.language.base import OWN_MODEL
from naturalness.models.parsers import spec as parsers


class GroupKind(NamedTuple):
    """A kind of group that is created from its name."""

    group: Callable[[str], FeatureGroup]
    path: Callable[[str], str | None]
    """Return the path in ``spec`` (a group's name without its prefix); None if ``spec`` contains no path."""
    files: Callable[[str], Mapping[str, Path | bytes]] | None = None
    """Return the files of the model at a path. This is None for models whose files are unsafe to share."""


KINDS: Mapping[str, GroupKind] = {
    OWN_MODEL: GroupKind(language.model_group, language_models.path_in, language_models.files_of),
    # Parsers contain pickles, which can run code and are safe only for their author.
    constituency.OWN_PARSER: GroupKind(constituency.parser_group, parsers.path_in),
    embedding.OWN_ENCODER: GroupKind(embedding.EmbeddingFeatures, encoders.path_in, encoders.files_of),
}
"""The kinds of groups, keyed by the prefix of the group's name."""


def named_group(name: str) -> FeatureGroup | None:
    """Return the group with this name; None if the name has none of the prefixes."""
    return next((kind.group(name) for start, kind in KINDS.items() if name.startswith(start)), None)


def named_column(name: str) -> FeatureGroup | None:
    """Return a column of a group that is created from its name, as in ``lm:MODEL__slor``.

    Return None for any other name, including the name of a whole group.
    """
    head, _, feature = name.rpartition(BETWEEN)
    start = next((start for start in KINDS if head.startswith(start)), None)
    if start is None:
        return None
    path = KINDS[start].path(name.removeprefix(start))
    if path is not None and exists(path):
        return None
    group, path = KINDS[start].group(head), KINDS[start].path(head.removeprefix(start))
    if path is not None and not exists(path):
        return None
    return select(group, feature)


def is_named_group(group: FeatureGroup) -> bool:
    """Return whether a group's name is enough to create the group again."""
    named = named_group(group.name)
    return named is not None and type(named) is type(group)
