"""Which folders hold a language model of ours, and may be replaced by another."""

from __future__ import annotations

from naturalness.models.language.estimated import LONGEST
from naturalness.models.language.neural.network import DESCRIPTION, NETWORK
from naturalness.models.language.store import BY_COUNT, CAPITALS, MANIFEST, PIECES, UNITS

ARPA = "model.arpa"


def binary_name(order: int) -> str:
    """File of the n-grams up to an order."""
    return f"order-{order}.binary"


FILES = frozenset(
    {MANIFEST, UNITS, BY_COUNT, CAPITALS, PIECES, ARPA, *map(binary_name, range(2, LONGEST + 1)), DESCRIPTION, NETWORK}
)
"""The files of a language model; a mixture has a manifest alone."""
ENTRIES = frozenset({"format_version", "units", "training"})
"""Entries of the manifest of both."""
