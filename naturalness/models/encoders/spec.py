"""Sentence encoders by name: `shipped`, the path of a folder, or `hf:NAME`."""

from __future__ import annotations

from pathlib import Path

from naturalness.files.resources import load_manifest
from naturalness.models.detector import ASSET
from naturalness.models.encoders import huggingface
from naturalness.models.encoders.base import Encoder
from naturalness.models.encoders.shipped import WIDTH, DetectorEncoder
from naturalness.models.huggingface import PREFIX, path_after

SHIPPED = "shipped"


def open_encoder(spec: str) -> Encoder:
    """The encoder of a name; opened once per process."""
    return DetectorEncoder() if spec == SHIPPED else huggingface.open_huggingface_encoder(spec)


def encoder_width(spec: str) -> int:
    """How many numbers its vectors have; nothing is opened."""
    return WIDTH if spec == SHIPPED else huggingface.huggingface_width(spec)


def path_in(spec: str) -> str | None:
    """The path that ends a spec; None where it names an encoder that is shipped or downloaded."""
    return None if spec == SHIPPED else path_after(PREFIX, spec)


def files_of(spec: str) -> dict[str, Path | bytes]:
    """The files that an encoder at a path is read from, by their names in a copy of it."""
    return {**huggingface.files_of_encoder(spec)}


def encoder_checksum(spec: str) -> str:
    """A short checksum of its files."""
    if spec == SHIPPED:
        return load_manifest()[ASSET].checksum
    return huggingface.huggingface_encoder_checksum(spec)
