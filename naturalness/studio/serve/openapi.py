"""The OpenAPI 3.1 document of the server, from `templates/openapi.json`; tests compare it with real responses."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from naturalness import __version__
from naturalness.studio.serve.reading import Limits

TEMPLATE = Path(__file__).parent / "templates" / "openapi.json"
"""Path of the template. Its descriptions (``{texts:,}``) and its values of ``maxItems`` name fields of `Limits`."""


def describe(limits: Limits) -> dict[str, Any]:
    """Return the OpenAPI document."""

    def fill(part: dict[str, Any]) -> dict[str, Any]:
        if isinstance(part.get("maxItems"), str):
            part["maxItems"] = asdict(limits)[part["maxItems"]]
        if isinstance(part.get("description"), str):
            part["description"] = part["description"].format(**asdict(limits))
        return part

    document: dict[str, Any] = json.loads(TEMPLATE.read_text(encoding="utf-8"), object_hook=fill)
    refusals = document.pop("refusals")
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"] |= {status: refusals[status] for status in operation.pop("refusals", refusals)}
    document["info"]["version"] = __version__
    return document
