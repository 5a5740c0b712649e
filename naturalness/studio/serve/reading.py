"""Parse the bodies of requests, with error messages that people can read."""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, ValidationError

from naturalness.errors import UnknownName
from naturalness.studio.serve.limits import MAX_EDITS, Limits
from naturalness.studio.web.refusals import Refusal

EXPECTED = {
    "text": "a string",
    "texts": "a list of strings",
    "edits": f"a whole number from 0 to {MAX_EDITS}",
    "in_words": "true or false",
}
"""The expected value of each field, in words."""
Texts = Annotated[list[str], FailFast()]


class RequestShape(BaseModel):
    """A JSON object with no fields other than those declared, whose values have exactly the declared types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Scoring(RequestShape):
    """A request for the scores of one or more texts."""

    texts: Texts = []
    text: str = ""


class Explaining(Scoring):
    """A request for explanations."""

    edits: int = Field(0, ge=0, le=MAX_EDITS)
    in_words: bool = False


Request = TypeVar("Request", bound=RequestShape)
Asking = TypeVar("Asking", bound=Scoring)


def read_scoring(body: bytes, limits: Limits) -> Scoring:
    """Read a request for scores."""
    return _with_texts(_read(body, Scoring), limits.texts)


def read_explaining(body: bytes, limits: Limits) -> Explaining:
    """Read a request for explanations."""
    return _with_texts(_read(body, Explaining), limits.explained)


def _read(body: bytes, shape: type[Request]) -> Request:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "not JSON in UTF-8"
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise Refusal(400, f"the body cannot be read as JSON: {reason}{where}") from None
    if not isinstance(fields, dict):
        raise Refusal(400, f'expected a JSON object such as {{"texts": ["..."]}}, found {_shown(fields)}')
    # Checked here because pydantic would collect an error for each of a million unknown fields.
    for name in fields:
        if name not in shape.model_fields:
            raise Refusal(400, str(UnknownName("field", name[:100], list(shape.model_fields))))
    try:
        return shape.model_validate(fields)
    except ValidationError as error:
        field, *path = error.errors(include_url=False, include_context=False)[0]["loc"]
        raise _refusal(fields.get(field), str(field), path) from None


def _refusal(value: Any, field: str, path: list[int | str]) -> Refusal:
    """Return a refusal that states what a field must contain and what was found at ``path`` inside it."""
    if path:
        number = int(path[0])
        return Refusal(400, f"'{field}' must contain only strings; number {number + 1} is {_shown(value[number])}")
    return Refusal(400, f"'{field}' must be {EXPECTED[field]}, found {_shown(value)}")


def _with_texts(request: Asking, max_texts: int) -> Asking:
    """Return a request with ``texts`` filled in, even if the client sent a single ``text``."""
    if len(request.model_fields_set & {"text", "texts"}) != 1:
        raise Refusal(400, "give either 'texts', a list, or 'text', a single one")
    if "text" in request.model_fields_set:
        request.texts = [request.text]
    if len(request.texts) > max_texts:
        excess = f"found {len(request.texts):,}; send them in several requests"
        raise Refusal(413, f"expected at most {max_texts:,} texts, {excess}")
    return request


def _shown(value: Any) -> str:
    """Return a value as JSON, shortened."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
