"""Parse the bodies of requests, within limits, with error messages that people can read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from naturalness.data.reading import parse_json
from naturalness.errors import UnknownName, excerpt
from naturalness.studio.web.refusals import Refusal

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


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "texts": (_is_list_of_texts, "a list of strings"),
    "edits": (lambda value: type(value) is int and 0 <= value <= MAX_EDITS, f"a whole number from 0 to {MAX_EDITS}"),
    "in_words": (lambda value: isinstance(value, bool), "true or false"),
}
"""Check of each field of a request, and the expected value in words."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for scores or explanations of texts."""

    texts: list[str]
    edits: int = 0
    in_words: bool = False


def read_scoring(body: bytes, limits: Limits) -> Asked:
    """Read a request for scores."""
    return _read(body, ["texts"], limits.texts)


def read_explaining(body: bytes, limits: Limits) -> Asked:
    """Read a request for explanations."""
    return _read(body, list(FIELDS), limits.explained)


def _read(body: bytes, names: list[str], max_texts: int) -> Asked:
    try:
        fields = parse_json(body.decode(json.detect_encoding(body), "surrogatepass"))
    except (ValueError, RecursionError):
        raise Refusal(400, "the body cannot be read as JSON") from None
    if not isinstance(fields, dict) or "texts" not in fields:
        raise Refusal(400, f'expected a JSON object such as {{"texts": ["..."]}}, found {excerpt(fields)}')
    for name, value in fields.items():
        if name not in names:
            other = f"field {name!r} is for /explain, not for /score"
            raise Refusal(400, other if name in FIELDS else str(UnknownName("field", name[:100], names)))
        is_valid, expected = FIELDS[name]
        if not is_valid(value):
            raise Refusal(400, f"'{name}' must be {expected}, found {excerpt(value)}")
    asked = Asked(**fields)
    if len(asked.texts) > max_texts:
        excess = f"found {len(asked.texts):,}; send them in several requests"
        raise Refusal(413, f"expected at most {max_texts:,} texts, {excess}")
    return asked
