"""Text embeddings as features; they serve as a baseline for the other features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from naturalness.arrays import FloatArray
from naturalness.features.base import Feature, Requirement, numbered_table
from naturalness.features.requirements import named_model, package
from naturalness.models.encoders.sentences import SHIPPED, encoder_checksum, encoder_width, open_encoder
from naturalness.models.huggingface import NEEDED
from naturalness.text.view import Doc

OWN_ENCODER = "embedding:"


@dataclass(frozen=True)
class EmbeddingFeatures:
    """The embedding of a text by a sentence encoder; a single coordinate means nothing."""

    name: str

    @property
    def spec(self) -> str:
        """The name of the encoder."""
        return self.name.removeprefix(OWN_ENCODER)

    @property
    def requires(self) -> tuple[Requirement, ...]:
        """The encoder, and the packages needed to open it."""
        shipped = self.spec == SHIPPED
        needed = () if shipped else tuple(package(name, "neural") for name in NEEDED)
        return (*needed, named_model(OWN_ENCODER, self.spec, encoder_checksum, english=shipped))

    @property
    def features(self) -> tuple[Feature, ...]:
        """One feature for each coordinate."""
        return numbered_table("named/embedding", encoder_width(self.spec))

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        return open_encoder(self.spec).embed(docs)

    def prepare(self) -> None:
        """Open the encoder."""
        open_encoder(self.spec)
