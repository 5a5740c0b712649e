"""What the server says of itself is what it does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from naturalness.studio.serve.app import make_app
from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.openapi import describe
from naturalness.studio.serve.reading import Explaining, Scoring
from naturalness.studio.serve.service import Service
from naturalness.studio.serve.worker import Judge
from tests.support.asking import ask
from tests.support.schemas import faults

JSON = "application/json"
EXAMPLES = {
    path: way["post"]["requestBody"]["content"][JSON]["example"]
    for path, way in describe(Limits())["paths"].items()
    if "post" in way
}
TEXTS = ["He go to the school yesterday.", "", "Fine weather, they said.", "…"]
ASKED = [
    ("/score", {"texts": TEXTS}),
    ("/score", {"text": "One."}),
    ("/explain", {"texts": TEXTS, "edits": 1}),
    ("/explain", {"text": TEXTS[0], "in_words": True}),
    *EXAMPLES.items(),
]


@pytest.fixture
def document(client: Any) -> dict[str, Any]:
    """The document as the server gives it."""
    answer = client.get("/openapi.json")
    assert answer.headers["content-type"] == JSON
    specification: dict[str, Any] = answer.json()
    return specification


def check_shapes(client: Any, document: dict[str, Any], path: str, body: dict[str, Any]) -> None:
    """Compare a request and its answer with the document."""
    way = document["paths"][path]["post"]
    asked: dict[str, Any] = way["requestBody"]["content"][JSON]["schema"]
    answer = client.post(path, json=body)
    assert answer.status_code == 200
    response_schema = way["responses"]["200"]["content"][JSON]["schema"]
    assert [*faults(body, asked, document), *faults(answer.json(), response_schema, document)] == []


@pytest.mark.parametrize(("path", "body"), ASKED)
def test_requests_and_answers_have_the_shapes_that_are_told(
    client: Any, document: dict[str, Any], path: str, body: dict[str, Any]
) -> None:
    """Every answer has exactly the fields of its schema, and numbers in their range."""
    check_shapes(client, document, path, body)


@pytest.mark.usefixtures("two_axes")
def test_answers_of_adapted_models_have_their_shapes(client: Any, document: dict[str, Any]) -> None:
    """Rows have both axes, also those of texts without a score."""
    check_shapes(client, document, *ASKED[0])


def test_health_and_errors_have_their_shapes(client: Any, document: dict[str, Any]) -> None:
    """Errors of the guard, of reading, and of the routes."""
    schemas = document["components"]["schemas"]
    health = client.get("/health").json()
    assert [*faults(health, schemas["Health"], document)] == []
    assert health["status"] == "ok" and health["model"]["name"] == "fast"
    answers = [
        client.post("/score", json={}),
        client.post("/score", content="x"),
        client.get("/score"),
        client.get("/none"),
        client.get("/", headers={"host": "evil.example"}),
    ]
    for answer in answers:
        assert [*faults(answer.json(), schemas["Error"], document)] == []
    responses = document["paths"]["/score"]["post"]["responses"]
    assert {str(answers[i].status_code) for i in (0, 1, 4)} <= set(responses)


def test_the_shapes_refuse_what_the_server_refuses(client: Any, document: dict[str, Any]) -> None:
    """A client that validates requests gets the same refusals."""
    bad: list[tuple[str, Any]] = [
        ("/score", {}),
        ("/score", {"text": "a", "texts": []}),
        ("/score", {"texts": [1]}),
        ("/score", {"texts": ["a"] * 301}),
        ("/explain", {"text": "a", "edits": 4}),
    ]
    for path, body in bad:
        schema = document["paths"][path]["post"]["requestBody"]["content"][JSON]["schema"]
        assert [*faults(body, schema, document)], body
        assert client.post(path, json=body).status_code in (400, 413), body


@pytest.mark.parametrize("shape", [Scoring, Explaining])
def test_requests_have_the_fields_that_are_read(document: dict[str, Any], shape: type[Scoring]) -> None:
    """The document lists them apart from the code that reads them."""
    assert document["components"]["schemas"][shape.__name__]["properties"].keys() == shape.model_fields.keys()


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    """Every schema is used."""
    whole = json.dumps(document)
    names = set(document["components"]["schemas"])
    used = {part.partition('"')[0] for part in whole.split("#/components/schemas/")[1:]}
    assert used == names


@pytest.mark.parametrize("token", [False, True])
def test_a_token_is_described_where_it_is_required(judge: Judge, token: bool) -> None:
    """Without a token, no security is described."""
    app = make_app(Service(judge, Limits()), token=token)
    assert json.loads(ask(app, path="/openapi.json").body)["security"] == [{"token": []}] * token
