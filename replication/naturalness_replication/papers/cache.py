"""Cache partial results on disk, so that an interrupted run resumes where it stopped."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from naturalness.features import column_names, resolve
from naturalness.files.resources import load_manifest
from naturalness.pipelines.learning import Rated


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of small JSON files named by a hash of their inputs; without a folder nothing is cached."""

    folder: Path | None = None

    def __call__(self, what: str, depends: object, make: Callable[[], Any]) -> Any:
        """Return the cached result of ``make`` (plain data), or call it.

        ``depends`` holds all inputs but the assets (models excepted) and the columns, which the key always has.
        """
        path = self._path(what, depends)
        if path is not None and path.exists():
            return json.loads(path.read_text(encoding="utf-8"))
        started = time.perf_counter()
        value = make()
        print(f"{what}: {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
        if path is None:
            return value
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(value), encoding="utf-8")
        unfinished.rename(path)
        return json.loads(path.read_text(encoding="utf-8"))

    def has(self, what: str, depends: object) -> bool:
        """Return whether a result is cached."""
        path = self._path(what, depends)
        return path is not None and path.exists()

    def _path(self, what: str, depends: object) -> Path | None:
        if self.folder is None:
            return None
        key = json.dumps([what, depends, _stamp()], default=str)
        name = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:20]
        return self.folder / f"{name}.json"


def _stamp() -> list[str]:
    """Return the checksums of the assets that features read, and the column names."""
    assets = sorted(load_manifest().items())
    return [a.checksum for _, a in assets if a.kind != "model"] + column_names(resolve(None))


def identity(data: Rated) -> str:
    """Return a checksum of a set: texts, targets, groups, columns and values."""
    parts = [
        "\n".join([*data.texts, *data.columns]).encode("utf-8", "replace"),
        data.labels.tobytes(),
        data.ratings.tobytes(),
        data.groups.tobytes(),
        data.table.tobytes(),
        str(data.rates).encode(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:20]
