"""Write pages, and their data as JSON, to files."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from naturalness.data.writing import check_writable
from naturalness.errors import TableError, guess
from naturalness.files.storage import write_whole

SUFFIXES = (".html", ".json")


def check_pages(paths: Sequence[str], *, force: bool) -> None:
    """Before work begins, raise if a path ends in neither .html nor .json, or if the file cannot be written."""
    for path in paths:
        suffix = Path(path).suffix.lower()
        if suffix not in SUFFIXES:
            raise TableError(
                f"-o {path!r}: expected a name that ends in {' or '.join(SUFFIXES)}{guess(suffix, SUFFIXES)}"
            )
        check_writable(Path(path), force=force)


def is_page(path: str) -> bool:
    """Return whether an output is a page rather than JSON."""
    return Path(path).suffix.lower() == ".html"


def write_pages(paths: Sequence[str], page: Callable[[], str], data: Callable[[], Any]) -> None:
    """Write the page, or the data as JSON, to each file."""
    for path in paths:
        text = page() if is_page(path) else json.dumps(data(), indent=1, ensure_ascii=False) + "\n"
        # A lone surrogate, which JSON can hold, cannot be encoded.
        write_whole(Path(path), text.encode("utf-8", "replace"), mode=0o644)
