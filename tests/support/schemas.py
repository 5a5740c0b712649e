"""The part of JSON Schema that our OpenAPI document uses, to check real answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

KNOWN = {
    "$ref",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "maxItems",
    "oneOf",
    "minimum",
    "maximum",
    "enum",
    "default",
    "description",
    "minProperties",
    "maxProperties",
}
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def faults(value: Any, schema: dict[str, Any], document: dict[str, Any], at: str = "$") -> Iterator[str]:
    """Return a value's violations of a schema."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/components/schemas/")
        yield from faults(value, document["components"]["schemas"][name], document, at)
        return
    if "oneOf" in schema and "type" not in schema:
        if all(list(faults(value, choice, document, at)) for choice in schema["oneOf"]):
            yield f"{at}: {value!r:.60} has none of its shapes"
        return
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    fitting = [
        kind
        for kind in kinds
        if isinstance(value, TYPES[kind]) and not (isinstance(value, bool) and kind in ("integer", "number"))
    ]
    if not fitting:
        yield f"{at}: {value!r:.60} is none of {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is not among {schema['enum']}"
    low, high = schema.get("minimum", -1e308), schema.get("maximum", 1e308)
    if isinstance(value, (int, float)) and not low <= value <= high:
        yield f"{at}: {value} is too small or too large"
    if isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            yield f"{at}: too long"
        for i, one in enumerate(value):
            yield from faults(one, schema["items"], document, f"{at}[{i}]")
    if isinstance(value, dict):
        yield from _object_faults(value, schema, document, at)


def _object_faults(value: dict[str, Any], schema: dict[str, Any], document: dict[str, Any], at: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    yield from (f"{at}: lacks {name}" for name in schema.get("required", ()) if name not in value)
    if "oneOf" in schema:
        met = [all(name in value for name in one["required"]) for one in schema["oneOf"]]
        if met.count(True) != 1:
            yield f"{at}: meets {met.count(True)} of {schema['oneOf']}"
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", 1 << 30):
        yield f"{at}: too few or too many"
    for name, one in value.items():
        if name in properties:
            yield from faults(one, properties[name], document, f"{at}.{name}")
        elif more is False:
            yield f"{at}: knows no {name}"
        elif isinstance(more, dict):
            yield from faults(one, more, document, f"{at}.{name}")
