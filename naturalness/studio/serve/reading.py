"""Parse the bodies of requests, with error messages that people can read."""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, ValidationError

from naturalness.errors import UnknownName
from naturalness.reports.systems.answers import MAX_SYSTEMS
from naturalness.studio.serve.limits import MAX_EDITS, Limits
from naturalness.studio.web.refusals import Refusal

EXPECTED = {
    "text": "a string",
    "texts": "a list of strings",
    "edits": f"a whole number from 0 to {MAX_EDITS}",
    "in_words": "true or false",
    "paired": "true or false",
    "systems": f"an object with the texts of 2 to {MAX_SYSTEMS} systems by their names",
}
"""The expected value of each field, in words."""
Texts = Annotated[list[str], FailFast()]


class Shape(BaseModel):
    """A JSON object with no fields other than those declared, whose values have exactly the declared types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Scoring(Shape):
    """A request for the scores of one or more texts."""

    texts: Texts = []
    text: str = ""


class Explaining(Scoring):
    """A request for explanations."""

    edits: int = Field(0, ge=0, le=MAX_EDITS)
    in_words: bool = False


class Comparing(Shape):
    """A request for a comparison of systems."""

    systems: dict[str, Texts] = Field(min_length=2, max_length=MAX_SYSTEMS)
    paired: bool = False


Request = TypeVar("Request", bound=Shape)
Asking = TypeVar("Asking", bound=Scoring)


def read_scoring(body: bytes, limits: Limits) -> Scoring:
    """Read a request for scores."""
    return _with_texts(_read(body, Scoring), limits.texts)


def read_explaining(body: bytes, limits: Limits) -> Explaining:
    """Read a request for explanations."""
    return _with_texts(_read(body, Explaining), limits.explained)


def read_comparing(body: bytes, limits: Limits) -> Comparing:
    """Read a request for a comparison of systems."""
    request = _read(body, Comparing)
    if any(not name.strip() for name in request.systems):
        raise Refusal(400, "a system needs a name")
    _check_number(sum(map(len, request.systems.values())), limits.texts)
    equally_many = len(set(map(len, request.systems.values()))) == 1
    if "paired" not in request.model_fields_set:
        request.paired = equally_many
    if request.paired and not equally_many:
        numbers = ", ".join(f"{_shown(name)} has {len(texts)}" for name, texts in request.systems.items())
        raise Refusal(
            400, f"'paired' needs equally many texts of each system, the first for the first input and so on; {numbers}"
        )
    return request


def _read(body: bytes, shape: type[Request]) -> Request:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "not JSON in UTF-8"
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise Refusal(400, f"the body cannot be read as JSON: {reason}{where}") from None
    if not isinstance(fields, dict):
        example = '"systems": {"A": ["..."], "B": ["..."]}' if shape is Comparing else '"texts": ["..."]'
        raise Refusal(400, f"expected a JSON object such as {{{example}}}, found {_shown(fields)}")
    # Checked here because pydantic would collect an error for each of a million unknown fields.
    for name in fields:
        if name not in shape.model_fields:
            raise Refusal(400, str(UnknownName("field", name[:100], list(shape.model_fields))))
    systems = fields.get("systems")
    if isinstance(systems, dict) and len(systems) > MAX_SYSTEMS:
        raise _refused("systems", _counted(systems))
    try:
        return shape.model_validate(fields)
    except ValidationError as error:
        field, *path = error.errors(include_url=False, include_context=False)[0]["loc"]
        raise _refusal(fields, str(field), path) from None


def _refusal(fields: dict[str, Any], field: str, path: list[int | str]) -> Refusal:
    """Return a refusal that states what a field must contain and what was found at ``path`` inside it."""
    value = fields.get(field)
    name = f"'{field}'"
    if field == "systems" and path:
        path[0] = next(key for key in fields[field] if _as_pydantic(key) == path[0])
        value, field = value[path[0]], "texts"  # type: ignore[index]
        name, path = f"'systems' > {_shown(path[0])}", path[1:]
    elif field == "systems" and isinstance(value, dict):
        return _refused(field, _counted(value))
    if path:
        return Refusal(400, f"{name} must contain only strings; number {int(path[0]) + 1} is {_shown(value[path[0]])}")  # type: ignore[index]
    return _refused(field, _shown(value), name)


def _counted(systems: dict[str, Any]) -> str:
    return f"{len(systems)} system{'s'[: len(systems) != 1]}"


def _as_pydantic(key: str) -> str:
    """Return a key with lone surrogates replaced, as pydantic does."""
    return key.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _refused(field: str, actual: str, name: str = "") -> Refusal:
    return Refusal(400, f"{name or repr(field)} must be {EXPECTED[field]}, found {actual}")


def _with_texts(request: Asking, max_texts: int) -> Asking:
    """Return a request with ``texts`` filled in, even if the client sent a single ``text``."""
    if len(request.model_fields_set & {"text", "texts"}) != 1:
        raise Refusal(400, "give either 'texts', a list, or 'text', a single one")
    if "text" in request.model_fields_set:
        request.texts = [request.text]
    _check_number(len(request.texts), max_texts)
    return request


def _check_number(texts: int, max_texts: int) -> None:
    if texts > max_texts:
        raise Refusal(413, f"expected at most {max_texts:,} texts, found {texts:,}; send them in several requests")


def _shown(value: Any) -> str:
    """Return a value as JSON, shortened."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
