"""Keys of stored tables: hashes of what was measured, of everything that it depends on, and of the code.

A key depends on everything that could change a value. Values measured under other conditions have other keys, so a
store never has to be cleared by hand.
"""

from __future__ import annotations

import hashlib
import json
import platform
from functools import cache
from pathlib import Path
from typing import Any

import naturalness
from naturalness.features import EVERY, FeatureGroup, feature_names
from naturalness.features.requirements import package_version
from naturalness.features.selected import whole_of
from naturalness.files.resources import load_manifest
from naturalness.files.store import KEY_BYTES, StoreKey
from naturalness.text.parsing import pipeline_checksum

LEARNED = "model"
"""The kind of assets that are trained on features; no feature reads these assets, so they do not affect keys."""
READERS = ("numpy", "spacy", "thinc", "onnxruntime", "kenlm", "sentencepiece")
"""Packages whose versions may affect the values."""


def store_key(name: str, width: int, nlp: str, **conditions: Any) -> StoreKey:
    """Return the key of a table of ``width`` columns, measured with a pipeline under these conditions.

    It also covers all assets of the package, since some are read through shared code. This costs no stored rows: new
    assets come with new code, which changes the keys anyway.
    """
    manifest = load_manifest()
    conditions |= {
        "pipeline": pipeline_checksum(nlp),
        "assets": {name: asset.checksum for name, asset in manifest.items() if asset.kind != LEARNED},
        "packages": {name: package_version(name) for name in READERS},
        "python": platform.python_version(),
        "machine": platform.machine(),
        "code": code_checksum(),
    }
    spelt = json.dumps([name, conditions], sort_keys=True).encode()
    return StoreKey(hashlib.blake2b(spelt, digest_size=KEY_BYTES).digest(), width)


def group_key(group: FeatureGroup, nlp: str) -> StoreKey | None:
    """Return the key of a group; None for a user-defined group, whose code a key would not cover."""
    if not _is_ours(group):
        return None
    columns = feature_names(group)
    needs = [(need.name, need.version()) for need in group.requires]
    return store_key(group.name, len(columns), nlp, columns=columns, needs=needs)


def _is_ours(group: FeatureGroup) -> bool:
    """Return whether a group is the one that this package creates for the group's name."""
    # Imported here, because these modules are slow to import and `check` does not need them.
    from naturalness.features.named import named_group

    group = whole_of(group)
    if group.name in EVERY:
        return group == EVERY[group.name]
    named = named_group(group.name)
    return type(named) is type(group) and named is not None and named.requires == group.requires


@cache
def code_checksum() -> str:
    """Return a checksum of the package's source files and of the data stored with them, such as rules."""
    root = Path(naturalness.__file__).parent
    total = hashlib.sha256()
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
        total.update(f"{path.relative_to(root).as_posix()}:".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
