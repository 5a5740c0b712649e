"""Groups made from their names: `lm:MODEL`, `parser:SPEC`, `embedding:PATH`, `vectors:N`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from naturalness.features import constituency, embedding, language, vectors
from naturalness.features.base import FeatureGroup, Requirement
from naturalness.models.encoders.spec import encoder_checksum
from naturalness.models.language.spec import checksum_of
from naturalness.models.parsers.spec import parser_checksum


class Kind(NamedTuple):
    """One kind of such groups."""

    need: str
    """The kind of the `Requirement` that names the model."""
    group: Callable[[str], FeatureGroup]
    checksum: Callable[[str], str]


KINDS: Mapping[str, Kind] = {
    language.OWN_MODEL: Kind("language model", language.own_group, checksum_of),
    constituency.OWN_PARSER: Kind("parser", constituency.own_group, parser_checksum),
    embedding.OWN_ENCODER: Kind(embedding.KIND, embedding.own_group, encoder_checksum),
    vectors.OWN_VECTORS: Kind(vectors.KIND, vectors.own_group, vectors.vectors_checksum),
}
"""By how the name of a group begins."""


def own_group(name: str) -> FeatureGroup | None:
    """The group of a name, or None where it names none of these."""
    return next((kind.group(name) for start, kind in KINDS.items() if name.startswith(start)), None)


def is_own_group(group: FeatureGroup) -> bool:
    """Whether a group can be made again from its name."""
    made = own_group(group.name)
    return made is not None and type(made) is type(group)


def own_checksum(need: Requirement) -> tuple[str, str] | None:
    """Name and checksum of the model that a group's name names; None for other needs.

    Raises where the model is missing or damaged.
    """
    for start, kind in KINDS.items():
        if need.kind == kind.need:
            return f"{start}{need.name}", kind.checksum(need.name)
    return None
