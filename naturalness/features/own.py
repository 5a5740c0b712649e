"""Groups made from their names: `lm:…`, `parser:…`, `embedding:…`, `vectors:N`, `words:N`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from naturalness.features import constituency, embedding, language, vectors, words
from naturalness.features.base import FeatureGroup, Requirement
from naturalness.models.encoders.spec import encoder_checksum
from naturalness.models.language.spec import checksum_of
from naturalness.models.parsers.spec import parser_checksum


class Kind(NamedTuple):
    """One kind of such groups."""

    group: Callable[[str], FeatureGroup]
    need: str = ""
    """The kind of the `Requirement` that names the model, if there is one."""
    checksum: Callable[[str], str] | None = None
    """Of that model."""


KINDS: Mapping[str, Kind] = {
    language.OWN_MODEL: Kind(language.own_group, "language model", checksum_of),
    constituency.OWN_PARSER: Kind(constituency.own_group, "parser", parser_checksum),
    embedding.OWN_ENCODER: Kind(embedding.own_group, embedding.KIND, encoder_checksum),
    vectors.OWN_VECTORS: Kind(vectors.own_group, vectors.KIND, vectors.vectors_checksum),
    words.OWN_WORDS: Kind(words.own_group),
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
        if kind.checksum is not None and need.kind == kind.need:
            return f"{start}{need.name}", kind.checksum(need.name)
    return None
