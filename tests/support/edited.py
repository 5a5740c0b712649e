"""Tables of edited sentences, as `training.mender.edits` reads them."""

from __future__ import annotations

import gzip
from pathlib import Path


def write(path: Path, header: str, *rows: str) -> None:
    """Write a table; bars stand for tabs."""
    data = "".join(line.replace("|", "\t") + "\n" for line in (header, *rows)).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
