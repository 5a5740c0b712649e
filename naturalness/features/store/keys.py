"""Keys of stored features: hashes of the text, the group, everything that the group reads, and the code.

A key depends on everything that could change a value. Values measured under other conditions have other keys, so a
store never has to be cleared by hand.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import naturalness
from naturalness.features import EVERY, FeatureGroup, feature_names
from naturalness.features.base import column_prefix
from naturalness.features.named import named_group
from naturalness.features.requirements import package_version
from naturalness.features.selected import whole_of
from naturalness.files.resources import assets_folder, load_manifest
from naturalness.models.networks import CPU, device
from naturalness.text.parsing import pipeline_checksum

KEY_BYTES = 16
LEARNED = "model"
"""The kind of assets that are trained on features; no feature reads these assets, so they do not affect keys."""
READERS = ("numpy", "spacy", "thinc", "onnxruntime", "kenlm", "sentencepiece")
"""Packages whose versions may affect the values."""
PREFIX_LENGTH = 40


@dataclass(frozen=True, slots=True)
class GroupKey:
    """The key of a group and of the conditions under which it is measured."""

    name: str
    """The name of the subfolder: the group's name, for readability, and a checksum of all conditions."""
    digest: bytes
    width: int
    """The number of columns."""


def text_key(text: str) -> bytes:
    """Return a 128-bit hash of the exact text, from which the text cannot be recovered."""
    if not isinstance(text, str):
        raise TypeError(f"a text must be a string, not {type(text).__name__}: {text!r:.60}")
    # Lone surrogates are encoded too, because two texts must never share a key.
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def group_key(group: FeatureGroup, nlp: str) -> GroupKey | None:
    """Return the key of a group; None for a user-defined group, whose code a key would not cover."""
    if not _is_ours(group):
        return None
    columns = feature_names(group)
    conditions = {
        "group": group.name,
        "columns": columns,
        "pipeline": pipeline_checksum(nlp),
        "assets": _assets(),
        "needs": [(need.name, need.version()) for need in group.requires],
        "packages": {name: package_version(name) for name in READERS},
        "python": platform.python_version(),
        "machine": platform.machine(),
        **({} if device() == CPU else {"device": device()}),
        "code": code_checksum(),
    }
    spelt = json.dumps(conditions, sort_keys=True).encode()
    digest = hashlib.blake2b(spelt, digest_size=KEY_BYTES).digest()
    prefix = re.sub(r"[^0-9A-Za-z]+", "_", column_prefix(group.name))[:PREFIX_LENGTH]
    return GroupKey(f"{prefix}-{digest.hex()}", digest, len(columns))


def _is_ours(group: FeatureGroup) -> bool:
    """Return whether a group is the one that this package creates for the group's name."""
    group = whole_of(group)
    if group.name in EVERY:
        return group == EVERY[group.name]
    named = named_group(group.name)
    return type(named) is type(group) and named is not None and named.requires == group.requires


def _assets() -> dict[str, str]:
    """Return the checksums of all assets of the package, including assets that the group does not require.

    All are included because some assets are read through shared code. This costs no stored rows: new assets come with
    new code, which changes the keys anyway.
    """
    manifest = load_manifest(assets_folder())
    return {name: asset.checksum for name, asset in manifest.items() if asset.kind != LEARNED}


@cache
def code_checksum() -> str:
    """Return a checksum of the package's source files and of the data stored with them, such as rules."""
    root = Path(naturalness.__file__).parent
    total = hashlib.sha256()
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
        total.update(f"{path.relative_to(root).as_posix()}:".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
