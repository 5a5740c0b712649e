"""The OpenAPI 3.1 document of the server, from `templates/openapi.json`; tests compare it with real responses."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from naturalness import __version__
from naturalness.studio.serve.limits import Limits

TEMPLATE = Path(__file__).parent / "templates" / "openapi.json"
"""Path of the template. Its descriptions (``{texts:,}``) and its values of ``maxItems`` name fields of `Limits`."""


def describe(limits: Limits, *, token: bool = False) -> dict[str, Any]:
    """Return the OpenAPI document; ``token`` says whether the server requires one."""

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
            statuses = operation.pop("refusals", refusals)
            operation["responses"] |= {status: refusals[status] for status in statuses}
    document["info"]["version"] = __version__
    document["security"] = [{"token": []}] if token else []
    return document
