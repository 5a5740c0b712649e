"""The OpenAPI document describes the requests and responses of the server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from naturalness import __version__
from naturalness.studio.serve.openapi import describe
from naturalness.studio.serve.reading import FIELDS, Limits
from tests.support.schemas import faults

JSON = "application/json"
DOCUMENT = describe(Limits())
SCHEMAS = DOCUMENT["components"]["schemas"]
TEXTS = ["He go to the school yesterday.", "", "Fine weather, they said.", "…"]
REQUESTS = [
    ("/score", {"texts": TEXTS}),
    ("/explain", {"texts": TEXTS, "edits": 1}),
    ("/explain", {"texts": TEXTS[:1], "in_words": True}),
    *(
        (path, DOCUMENT["paths"][path]["post"]["requestBody"]["content"][JSON]["example"])
        for path in ("/score", "/explain")
    ),
]


def test_the_server_serves_the_document(client: Any) -> None:
    """The document has the version of the package, the paths and the limits."""
    response = client.get("/openapi.json")
    assert response.headers["content-type"] == JSON
    document = response.json()
    assert (document["info"]["version"], document["paths"].keys()) == (__version__, DOCUMENT["paths"].keys())
    assert SCHEMAS["Scoring"]["properties"]["texts"]["maxItems"] == Limits().texts


@pytest.mark.parametrize(("path", "body"), REQUESTS)
def test_requests_and_responses_match_their_schemas(client: Any, path: str, body: dict[str, Any]) -> None:
    """Every response has exactly the fields of its schema, with numbers in range."""
    operation = DOCUMENT["paths"][path]["post"]
    response = client.post(path, json=body)
    assert response.status_code == 200
    for value, part in ((body, operation["requestBody"]), (response.json(), operation["responses"]["200"])):
        assert [*faults(value, part["content"][JSON]["schema"], DOCUMENT)] == []


def test_health_and_errors_match_their_schemas(client: Any) -> None:
    """The server's state and all errors, including the guard's, match the document."""
    assert [*faults(client.get("/health").json(), SCHEMAS["Health"], DOCUMENT)] == []
    for response in (
        client.post("/score", content="x"),
        client.get("/score"),
        client.get("/none"),
        client.get("/", headers={"host": "evil.example"}),
    ):
        assert [*faults(response.json(), SCHEMAS["Error"], DOCUMENT)] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/score", {}),
        ("/score", {"texts": [1]}),
        ("/score", {"texts": ["a"] * 1001}),
        ("/explain", {"texts": [], "edits": 4}),
    ],
)
def test_schemas_and_server_refuse_the_same_requests(client: Any, path: str, body: dict[str, Any]) -> None:
    """The server refuses requests that violate their schema."""
    schema = DOCUMENT["paths"][path]["post"]["requestBody"]["content"][JSON]["schema"]
    assert [*faults(body, schema, DOCUMENT)]
    assert client.post(path, json=body).status_code in (400, 413)


def test_schemas_list_the_fields_that_are_read() -> None:
    """Requests have exactly the fields that the server reads, and every schema is used."""
    assert SCHEMAS["Explaining"]["properties"].keys() == FIELDS.keys()
    used = {part.partition('"')[0] for part in json.dumps(DOCUMENT).split("#/components/schemas/")[1:]}
    assert used == SCHEMAS.keys()
