"""The OpenAPI 3.1 document of the server; tests compare it with real responses."""

from __future__ import annotations

from typing import Any

from naturalness import __version__
from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.schemas import ref, schemas

JSON = "application/json"
DESCRIPTION = (
    "How natural English texts sound, and why. A server that other machines can reach requires "
    "its token in the header `Authorization: Bearer TOKEN`."
)
EXAMPLES: dict[str, dict[str, Any]] = {
    "/score": {"texts": ["She gave the book to her brother.", "She the book gave brother to."]},
    "/explain": {"text": "He go to the school yesterday.", "edits": 1},
    "/compare": {
        "systems": {"old": ["He go home.", "The tea were cold."], "new": ["He went home.", "The tea was cold."]}
    },
}
"""An example request for each operation."""
OPERATIONS = {
    "/score": (
        "Score texts",
        "Scoring",
        "Scores",
        "The naturalness of each text, as `naturalness score` and `label` have it: the same text gets the same score, "
        "whatever comes with it. A text that cannot be judged keeps its place, with null and a reason. A model that "
        "reads columns beside each text, such as the context of a reply, takes them in the field `beside`.",
    ),
    "/explain": (
        "Explain scores",
        "Explaining",
        "Explanations",
        "Why each text has its score: causes that add up to it, places that a reader stumbles over, and with `edits` "
        "small changes that would raise it. At most {explained} texts at a time.",
    ),
    "/compare": (
        "Compare systems",
        "Comparing",
        "Comparison",
        "Which system's texts sound more natural: the difference of each pair with its 95 % interval, on the same "
        "inputs where they are `paired`. Under ten texts there is no interval and no verdict.",
    ),
}
"""Summary, schema of the request, schema of the response, and description, by path."""
REFUSALS = {
    "400": "The body is not JSON, or not of the expected shape.",
    "401": "The token is missing or wrong.",
    "403": "A page of another site sent the request.",
    "413": "Too many texts, or too large a body.",
    "415": "The body is not declared as JSON.",
    "421": "The server was addressed by a name that is not its own.",
    "500": "Something broke.",
    "503": "Too much is waiting already; `Retry-After` says when to ask again.",
    "504": "The answer took too long.",
}


def describe(limits: Limits, address: str, *, token: bool = False) -> dict[str, Any]:
    """Return the OpenAPI document of a server that was reached at ``address``.

    ``token`` says whether the server requires a token.
    """
    health = {
        "operationId": "health",
        "summary": "State of the server",
        "description": "The model, how long the server has been running, and how much is waiting.",
        "responses": {"200": _response("The state.", "Health"), **_refusals("401", "503")},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "naturalness",
            "version": __version__,
            "description": DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": address.rstrip("/")}],
        "paths": {path: {"post": _operation(path, limits)} for path in OPERATIONS} | {"/health": {"get": health}},
        "components": {"schemas": schemas(limits), "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}] if token else [],
    }


def _operation(path: str, limits: Limits) -> dict[str, Any]:
    summary, request, response, description = OPERATIONS[path]
    return {
        "operationId": path.strip("/"),
        "summary": summary,
        "description": description.format(explained=limits.explained),
        "requestBody": {"required": True, "content": {JSON: {"schema": ref(request), "example": EXAMPLES[path]}}},
        "responses": {"200": _response(f"Within {limits.seconds:g} seconds.", response), **_refusals(*REFUSALS)},
    }


def _response(description: str, name: str) -> dict[str, Any]:
    return {"description": description, "content": {JSON: {"schema": ref(name)}}}


def _refusals(*statuses: str) -> dict[str, Any]:
    return {status: _response(REFUSALS[status], "Error") for status in statuses}
