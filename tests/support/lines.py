"""Tables of examples as text: a row per line, cells separated by ``|``."""

from __future__ import annotations


def rows(table: str) -> list[tuple[str, ...]]:
    """Return the cells of each line, without the spaces around them."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().splitlines()]
