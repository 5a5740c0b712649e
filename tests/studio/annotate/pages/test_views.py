"""The API that the scripts of the pages call."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.studio.annotate.pages.views import pieces
from naturalness.studio.annotate.project import Answer
from tests.support.annotation_pages import HOST, MakeDesk, Pages


@pytest.fixture
def pages(make_desk: MakeDesk) -> Pages:
    """Return the pages of a project of 24 sentences."""
    return Pages(make_desk())


def test_reply_contains_the_next_question(pages: Pages) -> None:
    """A question stays open until it is answered; all replies have the same fields."""
    first = pages.get("/api/turn").json()
    question = first["turn"]["question"]
    assert pages.turn()["question"] == question and question["wording"][0].isupper()
    assert (first["turn"]["last"], first["turn"]["progress"]["done"]) == (None, 0)
    _, start, end = next(piece for piece in question["pieces"] if len(piece) == 3)
    reply = pages.rate(0, note="odd", cause="order", marks=[[start, end]], seconds=2.5)
    (rating,) = pages.desk.project.ratings()
    assert rating.answer == Answer(0.0, "odd", "order", ((start, end),), 2.5)
    assert reply["said"] == "Unnatural."
    assert reply["turn"]["last"]["said"] == "unnatural; word order; “odd”"
    assert reply["turn"]["question"]["number"] != question["number"]
    assert reply["turn"]["progress"]["done"] == 1
    skipped = pages.rate(None)
    assert skipped["turn"]["last"]["said"] == "skipped" and skipped["turn"]["progress"]["done"] == 1
    back = pages.post("/api/undo", question=reply["turn"]["question"]["number"]).json()
    assert [set(one) for one in (first, reply, back)] == [{"said", "turn"}] * 3
    assert set(first["turn"]) == set(reply["turn"]) == set(back["turn"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"value": 3}, "expected a whole number from 0 to 2"),
        ({"value": "2"}, "expected a whole number"),
        ({"value": 0.5}, "expected a whole number"),
        ({"note": 5}, "note"),
        ({"note": "x" * 2001}, "2,000"),
        ({"cause": "<script>"}, "unknown cause"),
        ({"marks": "x"}, "marks"),
        ({"marks": [["a", 1]]}, "marks"),
        ({"marks": 7}, "marks"),
        ({"question": "1"}, "number"),
        ({"question": 10**30}, "number"),
        ({"question": 999}, "no question 999"),
        ({"rater": "Ben"}, "belongs to Ann"),
        ({"rater": ""}, "name"),
        ({"rater": 7}, "name"),
        ({"project": "other"}, "another project"),
    ],
)
def test_invalid_answer_is_refused(pages: Pages, change: dict[str, Any], words: str) -> None:
    """The message states the reason, and nothing is stored."""
    number = pages.turn()["question"]["number"]
    reply = pages.post("/api/answer", **{"question": number, "value": 1, **change})
    # 409 and 422 are final; after another status, a page sends the answer again.
    assert reply.status_code in ((421,) if "project" in change else (409, 422))
    assert words in reply.json()["error"]
    assert pages.desk.project.ratings(skipped=True) == []


@pytest.mark.parametrize("seconds", [-1, "x", None, 1e300, True])
def test_invalid_duration_is_ignored(pages: Pages, seconds: Any) -> None:
    """An impossible duration, such as after a change of the clock, is ignored."""
    assert pages.rate(1, seconds=seconds, marks=[[-5, 999]])["said"] == "Not sure."


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"7", b"[" * 100_000])
def test_body_must_be_a_json_object(pages: Pages, body: bytes) -> None:
    """Other bodies give status 400."""
    headers = {"origin": HOST, "content-type": "application/json"}
    assert pages.client.post("/api/answer", content=body, headers=headers).status_code == 400


def test_each_rater_has_their_own_queue(make_desk: MakeDesk) -> None:
    """Two raters see different texts, the common progress and their own."""
    desk = make_desk()
    ann, ben = Pages(desk, "Ann"), Pages(desk, "Ben")
    assert ann.get("/api/live").json()["open"] is None
    for _ in range(4):
        assert ann.turn()["question"]["text"] != ben.turn()["question"]["text"]
        number = ann.turn()["question"]["number"]
        assert ann.get("/api/live").json()["open"] == number
        assert ann.rate(0)["turn"]["question"]["number"] == ann.get("/api/live").json()["open"] != number
        ben.rate(2)
    progress = ann.turn()["progress"]
    assert (progress["mine"], progress["done"]) == (", 4 by you", 8)


@pytest.mark.parametrize("path", ["turn", "live"])
def test_pages_of_another_project_are_refused(pages: Pages, path: str) -> None:
    """A page of another project, opened earlier at the same address, gets status 421."""
    reply = pages.get(f"/api/{path}", project="other")
    assert (reply.status_code, "another project" in reply.json()["error"]) == (421, True)


def test_full_disk_loses_no_answer(pages: Pages) -> None:
    """The reply says that the answer was not stored; sent again, it is stored once."""
    database = pages.desk.project._store._db
    assert database is not None
    (size,) = database.execute("PRAGMA page_count").fetchone()
    body = {"question": pages.turn()["question"]["number"], "value": 1, "note": "\U0001d11e" * 2000}
    database.execute(f"PRAGMA max_page_count = {size}")
    refused = pages.post("/api/answer", **body)
    assert refused.status_code == 507 and "no room on the disk" in refused.json()["error"]
    assert pages.desk.project.ratings() == []
    database.execute(f"PRAGMA max_page_count = {size + 1000}")
    for _ in range(2):
        assert pages.post("/api/answer", **body).status_code == 200
    assert len(pages.desk.project.ratings()) == 1


@given(st.text())
def test_pieces_make_up_the_text(text: str) -> None:
    """Each word has its position in the text."""
    parts = pieces(text)
    assert "".join(piece[0] for piece in parts) == text
    for piece in parts:
        if len(piece) == 3:
            assert text[piece[1] : piece[2]] == piece[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("She don't know.", ["She", "don't", "know", "."]),
        ("A well-known “fact”!", ["A", "well-known", "“", "fact", "”!"]),
        ("😀 née", ["😀", "née"]),
    ],
)
def test_words_that_can_be_marked(text: str, words: list[str]) -> None:
    """Apostrophes and hyphens belong to words; other signs are words of their own."""
    assert [piece[0] for piece in pieces(text) if len(piece) == 3] == words
