"""The pages of the server: a form for pasting a text, and the reference of the API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from naturalness import __version__
from naturalness.judging.fields import LOG_ODDS
from naturalness.pages.templating import render
from naturalness.studio.serve.limits import MAX_EDITED_CHARACTERS, MAX_EDITS, Limits
from naturalness.studio.serve.openapi import JSON, describe

PACKAGE = "naturalness.studio.serve"
TRY = (
    "The old man gave his book to the girl.",
    "He go to the school yesterday and she were happy.",
    "She the book gave brother her to.",
)
"""Example texts."""
Schema = Mapping[str, Any]


def front_page(model: str, limits: Limits, unit: str) -> str:
    """Return the page with the form for a text."""
    return render(
        "serve.html.j2",
        package=PACKAGE,
        model=model,
        version=__version__,
        examples=TRY,
        characters=limits.characters,
        edits=MAX_EDITS,
        edited=MAX_EDITED_CHARACTERS,
        in_log_odds=unit == LOG_ODDS,
    )


def style() -> str:
    """Return the style of both pages."""
    return render("serve.css.j2", package=PACKAGE)


def template_file(name: str) -> str:
    """Return a file that needs no filling in, such as the script of the front page."""
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


def reference_page(limits: Limits, address: str, *, token: bool = False) -> str:
    """Return the API reference, made from the same data as `openapi.json`."""
    described = describe(limits, address, token=token)
    ways = [
        {
            "path": path,
            "method": method.upper(),
            "name": way["operationId"],
            "way": way,
            "example": json.dumps(body["example"]) if (body := _content(way.get("requestBody"))) else "",
            "asks": _name(body),
            "gives": _name(_content(way["responses"]["200"])),
        }
        for path, methods in described["paths"].items()
        for method, way in methods.items()
    ]
    responses = described["paths"]["/score"]["post"]["responses"].items()
    shapes = {
        name: {"description": schema.get("description", ""), "fields": list(_fields(schema))}
        for name, schema in described["components"]["schemas"].items()
    }
    return render(
        "reference.html.j2",
        package=PACKAGE,
        version=__version__,
        ways=ways,
        shapes=shapes,
        address=address.rstrip("/"),
        token=token,
        refusals=[(status, response["description"]) for status, response in responses if status != "200"],
        description=described["info"]["description"].replace("`", ""),
    )


def _content(body: Schema | None) -> Schema:
    """Return the JSON content of a request or response; empty if there is none."""
    return body["content"][JSON] if body else {}


def _name(part: Schema) -> str:
    """Return the name of the schema that a part refers to; empty if there is none."""
    name: str = part.get("schema", part).get("$ref", "")
    return name.rpartition("/")[-1]


def _fields(schema: Schema) -> Iterator[dict[str, str]]:
    for name, field in schema["properties"].items():
        link = _name(field.get("items", field.get("oneOf", [field])[0]))
        description = field.get("description", "").replace("`", "")
        must = name in schema.get("required", ())
        yield {
            "name": name,
            "kind": _kind(field),
            "link": link,
            "description": description,
            "must": "" if must else "may be left out",
        }


def _kind(field: Schema) -> str:
    if "$ref" in field:
        return ""
    if "oneOf" in field:
        return "null or"
    kinds = field["type"] if isinstance(field["type"], list) else [field["type"]]
    if kinds == ["array"]:
        items = _kind(field["items"])
        return f"list of {items}".strip()
    if isinstance(field.get("additionalProperties"), dict):
        return f"object of {_kind(field['additionalProperties'])}"
    ends = [f"{field[end]}" for end in ("minimum", "maximum") if end in field]
    return " or ".join(kinds) + (f" {'..'.join(ends)}" if len(ends) == 2 else "")
