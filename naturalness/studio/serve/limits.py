"""How much a client may ask for: no client must keep the others waiting."""

from __future__ import annotations

from dataclasses import dataclass

MAX_EDITS = 3
"""Changes that are looked for in a text."""
MAX_EDITED_CHARACTERS = 2000
"""Characters up to which they are: of long texts that say the same again and again they take
seconds, for which all others would wait."""


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of a server; clients read them in its answers and its reference page."""

    texts: int = 1000
    """In a request for scores, or in all systems of a comparison."""
    explained: int = 50
    """Texts in a request for explanations."""
    characters: int = 5000
    """Of a text and the contexts beside it; a longer one gets no score, and the others theirs."""
    waiting: int = 5000
    """Texts that wait for the model, of all clients; a request beyond them is sent away."""
    seconds: float = 60.0
    """In which a request is answered."""
    body: int = 2_000_000
    """Bytes of a request."""
    remembered: int = 4096
    """Texts whose scores are kept for when they come again."""
