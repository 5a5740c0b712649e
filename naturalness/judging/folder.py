"""Write a saved model: a folder with a manifest, arrays, a card, a report and figures, but no code.

The same fit writes the same bytes: the folder contains no dates, and no paths on the machine that wrote it (`bundled`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from naturalness import __version__
from naturalness.features import resolve
from naturalness.features.measuring import columns_hash
from naturalness.features.selected import names_of
from naturalness.files.archive import pack
from naturalness.files.folder import MANIFEST, check_folder, replace_folder
from naturalness.files.unfinished import unfinished_folder
from naturalness.judging.background import Background
from naturalness.judging.bundled import enclose, write_enclosed
from naturalness.judging.hashes import KnownTexts
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.verdict import Interpretation

FORMAT_VERSION = 2
ARRAYS = "model.npz"
SEEN = "training.letters"
"""Name of the array of training-text hashes."""


@dataclass(frozen=True, slots=True)
class Description:
    """The entries of a manifest, except the list of files."""

    kind: str
    groups: tuple[str, ...]
    columns: tuple[str, ...]
    nlp: str
    pipeline: str
    """Checksum of the pipeline that training used."""
    assets: Mapping[str, str]
    """Checksums of the assets that the groups read, by name."""
    classes: tuple[str, ...]
    """Labels, from worst to best."""
    threshold: float
    scale: tuple[float, float]
    units: tuple[str, ...]
    learner: str
    parameters: Mapping[str, Any]
    training: Mapping[str, Any] = field(default_factory=dict)
    """How the model was trained (rows, label rule, protocol), for human readers and for `evaluate`."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Groups that read a user's models: names as in the manifest, mapped to names with a path on this machine."""

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the feature groups, or of single columns, that the model reads."""
        return tuple(names_of(resolve(self.groups), self.columns))

    @property
    def interpretation(self) -> Interpretation:
        """How the model's predictions are turned into naturalness and labels."""
        return Interpretation(len(self.classes), self.kind == "regressor", self.threshold, self.scale)


def write_model(
    folder: Path,
    description: Description,
    compiled: Compiled,
    *,
    seen: KnownTexts,
    background: Background,
    pages: Mapping[str, bytes] | None = None,
    force: bool,
) -> None:
    """Write the folder, which appears under its name only when it is complete.

    ``seen`` are the training texts, and ``background`` are the rows that explanations compare a text with. ``pages``
    are further files, keyed by name: card, report, reference, figures.
    """
    check_folder(folder, force=force)
    folder = folder.resolve()
    files = {ARRAYS: pack({**compiled.arrays(), SEEN: seen.hashes, **background.arrays()}), **(pages or {})}
    enclosed = enclose(description.groups)
    entries = {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in sorted(files.items())
    }
    plain = json.loads(json.dumps(asdict(description), default=float))
    del plain["names"]  # they contain paths on this machine
    manifest = {
        "format_version": FORMAT_VERSION,
        "naturalness": __version__,
        **enclosed.renamed(plain),
        "columns_hash": columns_hash(description.columns),
    }
    with unfinished_folder(folder) as scratch:
        part = scratch / "model"
        part.mkdir()
        for name, data in files.items():
            (part / name).write_bytes(data)
        manifest["files"] = entries | write_enclosed(part, enclosed)
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        (part / MANIFEST).write_text(text, encoding="utf-8", errors="backslashreplace")
        replace_folder(folder, part)
