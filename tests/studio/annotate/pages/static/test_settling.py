"""Disagreements of raters: how they are told, and how they are settled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from naturalness.studio.annotate.pages.desk import Desk
from naturalness.studio.annotate.project import PAIRS, Scale
from tests.support.annotation_pages import MakeDesk, Pages, differ, eventually


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    """Three sentences on which two raters differ, and one on which they do not quite."""
    new_desk = make_desk(overlap=2)
    differ(new_desk, 3, 5, 7)
    differ(new_desk, 9, first=1.0)
    return new_desk


def test_what_raters_said_is_told(desk: Desk, open_pages: Callable[..., Pages]) -> None:
    """Those furthest apart first, with the notes, marks and causes of both."""
    disagreements = open_pages(desk).get("/api/disagreements").json()
    assert [one["texts"] for one in disagreements["items"]] == [[3], [5], [7], [9]]
    ann, ben = disagreements["items"][0]["ratings"]
    assert (ann["rater"], ann["said"], ann["note"]) == ("Ann", "unnatural", "Ann says")
    assert (ann["marks"], ann["cause"]) == ([[0, 3]], "word order")
    assert (ben["said"], ben["marks"]) == ("natural", [])


def test_a_settled_one_goes_to_the_end(desk: Desk, open_pages: Callable[..., Pages]) -> None:
    """With who decided and why; it can be opened again. The ratings stay."""
    pages = open_pages(desk, "Cleo")
    items = pages.post("/api/settle", texts=[3], value=1, note="in between").json()["items"]
    assert [one["texts"] for one in items] == [[5], [7], [9], [3]]
    said = {"value": 1.0, "said": "not sure", "by": "Cleo", "note": "in between"}
    assert items[-1]["settled"] == said
    assert len(desk.project.ratings()) == 8
    items = pages.post("/api/settle", texts=[3], value=None).json()["items"]
    assert items[0]["settled"] is None


@pytest.mark.parametrize(
    "change",
    [
        {"texts": [99]},
        {"texts": "3"},
        {"texts": [True]},
        {"texts": [1]},
        {"texts": []},
        {"value": 5},
        {"value": "1"},
        {"note": "x" * 2001},
        {"note": 5},
        {"rater": ""},
        {"project": "other"},
    ],
)
def test_what_cannot_be_settled(desk: Desk, open_pages: Callable[..., Pages], change: dict[str, Any]) -> None:
    """Refused in words; nothing is decided."""
    reply = open_pages(desk).post("/api/settle", **{"texts": [3], "value": 1, **change})
    assert reply.status_code in (409, 421, 422)
    assert reply.json()["error"]
    assert desk.project.settled() == []


def test_only_those_who_may(desk: Desk, open_pages: Callable[..., Pages]) -> None:
    """Others may look."""
    desk.project.settings.set_settlers(["Ann"])
    ben = open_pages(desk, "Ben")
    assert ben.get("/api/disagreements", rater="Ben").json()["may"] is False
    assert ben.post("/api/settle", texts=[3], value=1).status_code == 409
    assert open_pages(desk, "Ann").post("/api/settle", texts=[3], value=1).status_code == 200


def test_pairs_keep_their_order(make_desk: MakeDesk, open_pages: Callable[..., Pages]) -> None:
    """What is settled is the preference as it is shown."""
    desk = make_desk(scale=Scale(PAIRS, -1.0, 1.0), overlap=2)
    differ(desk, 4, first=1.0, second=-1.0)
    (disagreement,) = open_pages(desk).get("/api/disagreements").json()["items"]
    assert [one["said"] for one in disagreement["ratings"]] == ["the first sounds better", "the second sounds better"]
    open_pages(desk).post("/api/settle", texts=disagreement["texts"], value=-1)
    assert [(one.texts, one.value) for one in desk.project.settled()] == [((4, 5), -1.0)]


@pytest.mark.slow
def test_by_keyboard(desk: Desk, run_desk: Callable[[Desk], str], browser: Any) -> None:
    """Settle, look on, go back, write why, open again."""
    page = browser.new_page()
    page.goto(run_desk(desk))
    page.fill("#name", "Cleo")
    page.keyboard.press("Enter")
    page.wait_for_selector("#sentence-1 .word")
    page.click("text=Disagreements")
    page.wait_for_selector("#ratings .marked")
    assert page.inner_text("#place") == "1 of 4, 4 still open"
    assert page.locator("#ratings li").count() == 2
    page.keyboard.press("n")
    page.keyboard.type("1 2 3")
    page.keyboard.press("Enter")
    page.keyboard.press("2")
    eventually(lambda: "3 still open" in page.inner_text("#place"))
    page.keyboard.press("s")
    assert page.inner_text("#place").startswith("2 of 4")
    page.keyboard.press("u")
    page.keyboard.press("u")
    assert "settled by Cleo as not sure" in page.inner_text("#place")
    assert page.input_value("#note") == "1 2 3"
    (settled,) = desk.project.settled()
    assert (settled.texts, settled.value, settled.note) == ((3,), 1.0, "1 2 3")
    page.click("#reopen")
    eventually(lambda: "4 still open" in page.inner_text("#place"))
    assert desk.project.settled() == []
    page.close()
