"""The server's answers to valid, invalid and harmful requests."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from naturalness.data.cells import finite
from naturalness.judging.fields import ALWAYS
from naturalness.studio.serve.worker import BROKEN_REASON, Judge

TEXTS = [
    "The old man gave his book to the girl.",
    "She the book gave brother to.",
    "",
    "…",
    "A nul\0 and a half \ud800 stand here.",
    "<script>alert('no')</script> is a tag.",
    "Das ist kein Englisch, aber ein Satz.",
    "The old man gave his book to the girl.",
    " ".join(["He said that the weather had been fine."] * 30),
    "no. 語 😀 ‮ strange",
]


def post(client: Any, path: str, body: Any) -> Any:
    """Return the answer to a request; lone surrogates are sent escaped, as JSON allows."""
    return client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})


def scores_of(answer: Any) -> list[Any]:
    """Return the rows of an answer."""
    assert answer.status_code == 200, answer.text
    rows: list[Any] = answer.json()["scores"]
    return rows


def expected(judge: Judge, texts: Sequence[str]) -> list[Any]:
    """Return the rows of the model itself; the server has no minimum score."""
    return [finite(row) | {"below": None} for row in judge.model.score(texts).rows(ALWAYS)]


def unscored(reason: str) -> dict[str, Any]:
    """Return the row of a text without a score."""
    return {**dict.fromkeys(ALWAYS), "reason": reason, "below": None}


def test_scores_are_those_of_the_model(client: Any, judge: Judge) -> None:
    """One request for all texts, and a request for each, give the same digits."""
    scores = expected(judge, TEXTS)
    assert scores_of(post(client, "/score", {"texts": TEXTS})) == scores
    for text, one in zip(TEXTS, scores, strict=True):
        assert scores_of(post(client, "/score", {"texts": [text]})) == [one]


def test_registers_and_a_minimum(client: Any, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows have the fields of a register, and whether the score is below the minimum."""
    monkeypatch.setattr(judge, "register", "auto")
    monkeypatch.setattr(judge, "min_score", 0.3)
    texts = ["Storm Closes Three Airports in the South", "Table the of chair go runs.", ""]
    title, salad, nothing = client.post("/score", json={"texts": texts}).json()["scores"]
    assert title["register"] == "titles" and title["overall_naturalness"] < title["naturalness"]
    assert (title["below"], salad["below"], nothing["below"]) == (False, True, None)
    explained = client.post("/explain", json={"texts": texts[:1], "in_words": True}).json()["explanations"][0]
    assert explained["standing"]["percentile"] == title["percentile"]
    assert "of titles by people" in explained["shown"]["beside"][0]
    health = client.get("/health").json()
    assert (health["register"], health["min_score"]) == ("auto", 0.3)


def test_long_text_does_not_affect_others(client: Any, judge: Judge) -> None:
    """The row of a text that is too long has a reason; the other rows have scores."""
    scores = scores_of(post(client, "/score", {"texts": [TEXTS[0], "word " * 401]}))
    assert scores == [*expected(judge, TEXTS[:1]), unscored("longer than 2000 characters")]
    explanation = post(client, "/explain", {"texts": ["word " * 401]}).json()["explanations"][0]
    assert explanation["reason"] == "longer than 2000 characters"


def test_explanations_are_those_of_the_model(client: Any, judge: Judge) -> None:
    """Edits, and the wording of the page, are returned on request."""
    text = "He go to the school yesterday."
    answer = post(client, "/explain", {"texts": [text], "edits": 2, "in_words": True})
    one = answer.json()["explanations"][0]
    explanation = judge.model.explain([text], edits=2)[0]
    assert one["naturalness"] == explanation.naturalness
    assert [edit["text"] for edit in one["edits"]] == [edit.text for edit in explanation.edits] != []
    assert one["shown"]["verdict"].startswith("unnatural")
    plain = post(client, "/explain", {"texts": [text]}).json()["explanations"][0]
    assert plain["edits"] == [] and "shown" not in plain


def test_no_edits_are_searched_for_in_long_texts() -> None:
    """No edits are searched for in texts of more than 2,000 characters."""
    asked: list[int] = []

    class Asked:
        def explain(self, texts: list[str], edits: int, register: None) -> list[int]:
            asked.append(edits)
            return asked

    shy = Judge.__new__(Judge)
    shy.model = Asked()  # type: ignore[assignment]
    for length in (2000, 2001):
        shy.explain("x" * length, 3)
    assert asked == [3, 0]


def test_pages_hold_no_text_and_load_nothing(client: Any) -> None:
    """The page and its script insert no markup and load nothing from other hosts."""
    page = client.get("/", headers={"accept": "text/html"})
    assert page.status_code == 200 and "<style" not in page.text and "style=" not in page.text
    script = client.get("/page.js")
    assert script.headers["content-type"].startswith("text/javascript")
    for unsafe in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("):
        assert unsafe not in script.text
    assert client.get("/style.css").headers["content-type"].startswith("text/css")
    for text in (page.text, script.text, client.get("/style.css").text):
        assert "//" not in text.replace("// ", "").replace("http://www.w3.org", "")
    assert client.get("/icon.svg").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        ("/score", b"{", 400),
        ("/score", b"\0", 400),
        ("/score", json.dumps({"texts": ["a"] * 301}).encode(), 413),
        ("/score", b'{"texts": ["' + b"x" * 10_000_000 + b'"]}', 413),
        ("/explain", json.dumps({"texts": ["a"] * 6}).encode(), 413),
        ("/nothing", b"{}", 404),
        ("/health", b"{}", 405),
    ],
)
def test_invalid_requests_are_refused(client: Any, path: str, content: bytes, status: int) -> None:
    """Refusals are JSON without a traceback."""
    answer = client.post(path, content=content, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert answer.json()["error"] and "Traceback" not in answer.text


class Poisoned:
    """A model that fails on one word."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.unit, self.threshold, self.fields = model.unit, model.threshold, model.fields

    def score(self, texts: Any, **options: Any) -> Any:
        return self._sound(texts).score(texts, **options)

    def explain(self, texts: Any, **options: Any) -> Any:
        return self._sound(texts).explain(texts, **options)

    def _sound(self, texts: Any) -> Any:
        if any("poison" in text for text in texts):
            raise ZeroDivisionError("a secret of the model")
        return self.model


def test_failing_text_does_not_affect_others(
    client: Any, judge: Judge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The row of a failing text has a reason, and the error is logged; the other rows have scores."""
    scores = expected(judge, TEXTS[:2])
    monkeypatch.setattr(judge, "model", Poisoned(judge.model))
    caplog.set_level(logging.WARNING)
    answer = post(client, "/score", {"texts": [TEXTS[0], "a poison", TEXTS[1]]})
    assert scores_of(answer) == [scores[0], unscored(BROKEN_REASON), scores[1]]
    assert "secret" not in answer.text and "a secret of the model" in caplog.text
    one = post(client, "/explain", {"texts": ["a poison"]}).json()["explanations"][0]
    assert (one["reason"], one["threshold"]) == (BROKEN_REASON, judge.model.threshold)


def test_internal_error_has_no_traceback(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is not quoted in the answer."""

    def broken(*arguments: Any, **options: Any) -> None:
        raise KeyError("a secret of the server")

    monkeypatch.setattr("naturalness.studio.serve.service.read_scoring", broken)
    client._transport.raise_server_exceptions = False
    answer = post(client, "/score", {"texts": ["a"]})
    assert answer.status_code == 500 and "secret" not in answer.text
    assert "own messages" in answer.json()["error"]
