"""Read TOML: of this package, or of a stranger, which is refused before it is parsed if that would take great cost."""

from __future__ import annotations

import re
import tomllib
from itertools import accumulate
from pathlib import Path
from typing import Any

from naturalness.errors import TableError

MAX_BYTES = 1_000_000
MAX_DEPTH = 50
"""The largest nesting depth of lists and tables. Deeper ones, and keys of many parts, would cost tomllib gigabytes."""
QUOTED = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"""|\Z)|\'{3}.*?(?:\'{3}|\Z)|"(?:\\.|[^"\\\n])*+"?|\'[^\'\n]*+\'?|\#[^\n]*''', re.DOTALL
)
"""A string or a comment. A string may lack its end, so that its quotes are not searched again for another start."""
DOTTED = re.compile(r"(?<![\w\"-])(?:(?:\"\"|[\w-]++)\s*+\.\s*+){50}")
"""A key of more than fifty parts, after all strings have been emptied."""
LONG = re.compile(r"[\w+-]{1000}")
"""A number or a bare key that is too long. Python refuses to print an integer of more than 4,300 digits."""


def read_toml(path: Path, advice: str) -> dict[str, Any]:
    """Return the tables of a TOML file; raise a `TableError` that ends in ``advice`` if it is none, or exceeds a limit.

    The limits are on bytes, depth, parts of a key, and digits of a number.
    """
    if path.stat().st_size > MAX_BYTES:
        raise TableError(f"{path} has more than {MAX_BYTES:,} bytes; shorten it, or {advice}")
    try:
        text = path.read_bytes().decode("utf-8-sig")
        _check(text)
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: not TOML, or not UTF-8
        raise TableError(f"{path} is not TOML ({error}); correct it, or {advice}") from None


def read_beside(module: str, name: str = "") -> dict[str, Any]:
    """Return the tables of a TOML file of this package, which lies beside a module and has its name or another one.

    ``module`` is the ``__file__`` of the module.
    """
    path = Path(module)
    return tomllib.loads(path.with_name(f"{name or path.stem}.toml").read_text("utf-8"))


def _check(text: str) -> None:
    """Raise if keys have more parts, lists more levels, or numbers more digits than anybody writes."""
    bare = QUOTED.sub(lambda match: "" if match[0].startswith("#") else '""', text)
    steps = (1 if bracket in "[{" else -1 for bracket in re.findall(r"[\[\]{}]", bare))
    depths = accumulate(steps, lambda depth, step: max(0, depth + step), initial=0)
    if max(depths) > MAX_DEPTH or DOTTED.search(bare):
        raise ValueError("keys or lists nested too deeply")
    if LONG.search(bare):
        raise ValueError("a number or a key of more than a thousand characters")
