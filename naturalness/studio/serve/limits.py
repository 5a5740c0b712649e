"""Limits on requests, so that no client keeps the others waiting."""

from __future__ import annotations

from dataclasses import dataclass

MAX_EDITS = 3
"""Edits searched for per text."""
MAX_EDITED_CHARACTERS = 2000
"""Length in characters up to which edits are searched for: in long repetitive texts the search takes
seconds, during which all other requests wait."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server; clients find them in its responses and on its reference page."""

    texts: int = 1000
    """Texts in a request for scores, or in all systems of a comparison."""
    explained: int = 50
    """Texts in a request for explanations."""
    characters: int = 5000
    """Characters of a text and its contexts; a longer text gets no score, the others do."""
    waiting: int = 5000
    """Texts waiting for the model, over all clients; further requests are refused."""
    seconds: float = 60.0
    """Seconds within which a request is answered."""
    body: int = 2_000_000
    """Bytes of a request."""
    remembered: int = 4096
    """Texts whose scores are cached."""
