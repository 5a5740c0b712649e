"""What the server can be asked, as a document of OpenAPI 3.1; tests hold it against real answers."""

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
"""A request for each."""


def describe(limits: Limits, address: str, *, token: bool = False) -> dict[str, Any]:
    """Return the document of a server that was asked at ``address``.

    Without a ``token`` the server requires none.
    """
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "naturalness",
            "version": __version__,
            "description": DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": address.rstrip("/")}],
        "paths": {
            "/score": {
                "post": _asked(
                    "/score",
                    "Score texts",
                    "The naturalness of each text, as `naturalness score` and "
                    "`label` have it: the same text gets the same score, whatever comes with it. A text that "
                    "cannot be judged keeps its place, with null and a reason. A model that reads columns beside each "
                    "text, such as the context of a reply, takes them in the field `beside`.",
                    "Scoring",
                    "Scores",
                    limits,
                )
            },
            "/explain": {
                "post": _asked(
                    "/explain",
                    "Explain scores",
                    "Why each text has its score: causes that add up to "
                    "it, places that a reader stumbles over, and with `edits` small changes that would "
                    f"raise it. At most {limits.explained} texts at a time.",
                    "Explaining",
                    "Explanations",
                    limits,
                )
            },
            "/compare": {
                "post": _asked(
                    "/compare",
                    "Compare systems",
                    "Which system's texts sound more natural: the "
                    "difference of each pair with its 95 % interval, on the same inputs where they are "
                    "`paired`. Under ten texts there is no interval and no verdict.",
                    "Comparing",
                    "Comparison",
                    limits,
                )
            },
            "/health": {
                "get": {
                    "operationId": "health",
                    "summary": "State of the server",
                    "description": "The model, how long the server has been running, and how much is waiting.",
                    "responses": {"200": _answer("The state.", "Health"), **_refusals("401", "503")},
                }
            },
        },
        "components": {"schemas": schemas(limits), "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}] if token else [],
    }


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


def _asked(path: str, summary: str, description: str, request: str, answer: str, limits: Limits) -> dict[str, Any]:
    return {
        "operationId": path.strip("/"),
        "summary": summary,
        "description": description,
        "requestBody": {"required": True, "content": {JSON: {"schema": ref(request), "example": EXAMPLES[path]}}},
        "responses": {"200": _answer(f"Within {limits.seconds:g} seconds.", answer), **_refusals(*REFUSALS)},
    }


def _answer(description: str, name: str) -> dict[str, Any]:
    return {"description": description, "content": {JSON: {"schema": ref(name)}}}


def _refusals(*statuses: str) -> dict[str, Any]:
    return {status: _answer(REFUSALS[status], "Error") for status in statuses}
