"""Limits on requests, so that no client keeps the others waiting."""

from __future__ import annotations

from dataclasses import dataclass

MAX_EDITS = 3
"""Maximum number of edits searched for per text."""
MAX_EDITED_CHARACTERS = 2000
"""Maximum length in characters of a text for which edits are searched: in long repetitive texts the search takes
seconds, during which all other requests wait."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server."""

    texts: int = 1000
    """Maximum number of texts in a request for scores."""
    explained: int = 50
    """Maximum number of texts in a request for explanations."""
    characters: int = 5000
    """Maximum number of characters in a text; a longer text gets no score, but the other texts do."""
    waiting: int = 5000
    """Maximum number of texts waiting for the model, over all clients; further requests are refused."""
    seconds: float = 60.0
    """Maximum number of seconds for a response."""
    body: int = 2_000_000
    """Maximum number of bytes in the body of a request."""
