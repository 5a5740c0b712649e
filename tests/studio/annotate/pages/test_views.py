"""Rating as the scripts of the page do it: questions, answers, undo, what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.studio.annotate.pages.views import checked_marks, pieces
from naturalness.studio.annotate.project import PAIRS, Answer, Scale
from tests.support.annotation_pages import HOST, MakeDesk, OpenPages, Pages


@pytest.fixture
def pages(make_desk: MakeDesk, open_pages: OpenPages) -> Pages:
    """Pages of a project of 24 sentences."""
    return open_pages(make_desk())


def test_a_question_stays_until_it_is_answered(pages: Pages) -> None:
    """Also for a second window, and after a restart."""
    first = pages.turn()
    assert pages.turn()["question"] == first["question"]
    assert first["question"]["wording"][0].isupper()
    assert first["last"] is None
    assert first["progress"]["done"] == 0


def test_an_answer_brings_the_next_question(pages: Pages) -> None:
    """It is stored with all that was said."""
    text = pages.turn()["question"]["texts"][0]
    _, start, end = next(piece for piece in text["pieces"] if len(piece) == 3)
    reply = pages.rate(0, note="odd", cause="order", marks=[[start, end]], seconds=2.5)
    assert reply["said"] == "Unnatural."
    assert reply["turn"]["last"]["said"] == "unnatural; word order; “odd”"
    (rating,) = pages.desk.project.ratings()
    assert rating.answer == Answer(0.0, "odd", "order", ((start, end),), 2.5)
    assert reply["turn"]["question"]["number"] != rating.question.number
    assert reply["turn"]["progress"]["done"] == 1


def test_the_same_answer_again_counts_once(pages: Pages) -> None:
    """The page sends it again where the first reply was lost."""
    number = pages.turn()["question"]["number"]
    for seconds in (1.0, 9.0):
        reply = pages.post("/api/answer", question=number, value=2, seconds=seconds)
        assert reply.status_code == 200
    assert [rating.answer.value for rating in pages.desk.project.ratings()] == [2.0]


def test_another_answer_is_refused(pages: Pages) -> None:
    """A second window must not overwrite what the first one said."""
    number = pages.turn()["question"]["number"]
    pages.rate(2)
    reply = pages.post("/api/answer", question=number, value=0)
    assert reply.status_code == 409
    assert "another window" in reply.json()["error"]


def test_the_context_comes_with_the_question(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """Before one text; with two, once where both have the same, and else before each."""
    desk = make_desk(cells=lambda i: {"turn": f"What of {i}?", "hotel": ""}, context=["hotel", "turn"])
    question = open_pages(desk).turn()["question"]
    (number,) = desk.project.question(question["number"]).texts
    assert question["context"] == [{"title": "turn", "text": f"What of {number}?"}]
    assert question["texts"][0]["context"] == []
    for name, same in (("same", True), ("other", False)):
        desk = make_desk(
            scale=Scale(PAIRS, -1, 1),
            name=name,
            cells=lambda i, same=same: {"turn": "What?" if same else f"What of {i}?"},
            context=["turn"],
        )
        question = open_pages(desk).turn()["question"]
        each = [[part["text"] for part in text["context"]] for text in question["texts"]]
        texts = desk.project.question(question["number"]).texts
        assert [part["text"] for part in question["context"]] == (["What?"] if same else [])
        assert each == ([[], []] if same else [[f"What of {number}?"] for number in texts])


def test_undo_brings_everything_back(pages: Pages) -> None:
    """Value, note, cause and marks; and the answer before it at the next undo."""
    pages.rate(1)
    number = pages.turn()["question"]["number"]
    pages.rate(0, note="why", cause="verbs", marks=[[0, 3]])
    back = pages.post("/api/undo", question=number).json()["turn"]
    assert back["question"]["number"] == number
    said = {"value": 0.0, "note": "why", "cause": "verbs", "marks": [[0, 3]]}
    assert back["question"]["answer"] == said
    before = back["last"]["question"]
    assert pages.post("/api/undo", question=before).json()["turn"]["last"] is None
    assert pages.desk.project.ratings() == []


def test_undo_that_is_sent_again_takes_back_one_answer(pages: Pages) -> None:
    """Its reply may have been lost on the way."""
    pages.rate(1)
    number = pages.turn()["question"]["number"]
    pages.rate(0)
    for _ in range(2):
        assert pages.post("/api/undo", question=number).status_code == 200
    assert len(pages.desk.project.ratings()) == 1


def test_undo_of_what_is_not_the_last_is_refused(pages: Pages) -> None:
    """Another window has gone on."""
    number = pages.turn()["question"]["number"]
    pages.rate(1)
    pages.rate(1)
    assert pages.post("/api/undo", question=number).status_code == 409
    assert len(pages.desk.project.ratings()) == 2


def test_skipped_sentences_are_not_rated(pages: Pages) -> None:
    """They are told as such, and can be taken back."""
    reply = pages.rate(None)
    assert reply["turn"]["last"]["said"] == "skipped"
    assert reply["turn"]["progress"]["done"] == 0


def test_the_end(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """When nothing is left the page is told so."""
    pages = open_pages(make_desk(["One came.", "Two came.", "Three came."]))
    for _ in range(3):
        pages.rate(2)
    assert pages.turn()["question"] is None
    assert pages.turn()["live"]["open"] == -1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"value": 3}, "not on the scale"),
        ({"value": "2"}, "not on the scale"),
        ({"value": 0.5}, "not on the scale"),
        ({"note": 5}, "note"),
        ({"note": "x" * 2001}, "2,000"),
        ({"cause": "<script>"}, "unknown cause"),
        ({"marks": [[0, 999]]}, "no mark"),
        ({"marks": "x"}, "list"),
        ({"marks": [["a", 1]]}, "mark"),
        ({"question": "1"}, "number"),
        ({"question": 10**30}, "number"),
        ({"question": 999}, "no question 999"),
        ({"rater": "Ben"}, "put before Ann"),
        ({"rater": ""}, "name"),
        ({"rater": 7}, "name"),
        ({"project": "other"}, "another project"),
    ],
)
def test_what_is_no_answer(pages: Pages, change: dict[str, Any], words: str) -> None:
    """It is refused in words, and nothing is stored."""
    number = pages.turn()["question"]["number"]
    reply = pages.post("/api/answer", **{"question": number, "value": 1, **change})
    # 409 and 422 say that it is refused for good; after another status a page sends it again.
    assert reply.status_code in ((421,) if "project" in change else (409, 422))
    assert words in reply.json()["error"]
    assert pages.desk.project.ratings(skipped=True) == []


@pytest.mark.parametrize("seconds", [-1, "x", None, 1e300, True])
def test_odd_seconds_do_not_cost_the_answer(pages: Pages, seconds: Any) -> None:
    """A clock that was set back is no reason to lose a rating."""
    assert pages.rate(1, seconds=seconds)["said"] == "Not sure."


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"7", b"[" * 100_000])
def test_what_is_no_json_object(pages: Pages, body: bytes) -> None:
    """It is refused, not broken over."""
    kind = {"origin": HOST, "content-type": "application/json"}
    reply = pages.client.post("/api/answer", content=body, headers=kind)
    assert reply.status_code == 400


def test_keys_are_kept_for_the_rater(pages: Pages) -> None:
    """In the project: the next window has them."""
    keys = pages.post("/api/keys", keys=None).json()["keys"]
    changed = {**keys, "skip": "x"}
    assert pages.post("/api/keys", keys=changed).json()["keys"] == changed
    assert pages.desk.project.settings.keys("Ann")["skip"] == "x"
    assert pages.post("/api/keys", keys={**keys, "skip": "u"}).status_code == 422


def test_pairs(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """Two texts are shown, and the preference is told in words."""
    pages = open_pages(make_desk(scale=Scale(PAIRS, -1.0, 1.0)))
    assert len(pages.turn()["question"]["texts"]) == 2
    reply = pages.rate(-1, marks=[[0, 3]])
    assert reply["said"] == "The second sounds better."
    assert pages.desk.project.ratings()[0].answer.marks == ()


def test_two_raters_have_queues_of_their_own(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """No text is before both, and each sees their own share of what is done."""
    desk = make_desk()
    ann, ben = open_pages(desk, "Ann"), open_pages(desk, "Ben")
    for _ in range(4):
        assert ann.turn()["question"]["texts"] != ben.turn()["question"]["texts"]
        ann.rate(0)
        ben.rate(2)
    assert ann.turn()["progress"]["mine"] == ", 4 by you"
    assert ann.turn()["progress"]["done"] == 8


def test_live_tells_of_other_windows(pages: Pages) -> None:
    """What is open now, so that a window that lags behind goes on."""
    number = pages.turn()["question"]["number"]
    live = pages.get("/api/live").json()
    assert live["open"] == number
    assert pages.get("/api/live", rater="Ben").json()["open"] is None
    assert (live["measured"], live["texts"]) == (0, 24)
    after = pages.rate(1)["turn"]["question"]["number"]
    assert pages.get("/api/live").json()["open"] == after


def test_every_turn_comes_in_the_same_shape(pages: Pages) -> None:
    """The page shows the reply of each route by one function."""
    first = pages.get("/api/turn").json()
    second = pages.rate(1)
    back = pages.post("/api/undo", question=first["turn"]["question"]["number"]).json()
    shapes = [(set(reply), set(reply["turn"])) for reply in (first, second, back)]
    assert shapes[0][0] == {"said", "turn"}
    assert shapes == shapes[:1] * 3
    assert [reply["said"] for reply in (first, second, back)] == ["", "Not sure.", "Taken back."]


@pytest.mark.parametrize("path", ["turn", "live", "version", "answers"])
def test_pages_of_another_project_are_told_nothing(pages: Pages, path: str) -> None:
    """They may be open where this one runs now, and would show its sentences as theirs."""
    reply = pages.get(f"/api/{path}", project="other")
    assert (reply.status_code, "another project" in reply.json()["error"]) == (421, True)
    assert pages.post("/api/keys", project="other", keys=None).status_code == 421


def test_a_full_disk_is_told_and_costs_no_answer(pages: Pages) -> None:
    """What was not stored is not said to be, and can be sent again."""
    database = pages.desk.project._store._db
    assert database is not None
    (size,) = database.execute("PRAGMA page_count").fetchone()
    body = {"question": pages.turn()["question"]["number"], "value": 1, "note": "\U0001d11e" * 2000}
    database.execute(f"PRAGMA max_page_count = {size}")
    refused = pages.post("/api/answer", **body)
    assert refused.status_code == 507
    assert "no room on the disk" in refused.json()["error"]
    assert pages.desk.project.ratings() == []
    database.execute(f"PRAGMA max_page_count = {size + 1000}")
    for _ in range(2):
        assert pages.post("/api/answer", **body).status_code == 200
    assert len(pages.desk.project.ratings()) == 1


def test_a_stored_answer_is_told_even_where_the_next_question_fails(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the page would think that it was lost, and send it for ever."""
    number = pages.turn()["question"]["number"]

    def fail(rater: str) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(pages.desk, "next", fail)
    reply = pages.post("/api/answer", question=number, value=1)
    assert reply.status_code == 200
    assert reply.json()["turn"] is None
    assert len(pages.desk.project.ratings()) == 1


@given(st.text())
def test_nothing_of_a_text_is_lost(text: str) -> None:
    """The pieces make up the text, and each word stands where it says."""
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
        ("", []),
        ("😀 née", ["😀", "née"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    """Apostrophes and hyphens stay inside words; other signs are words of their own."""
    assert [piece[0] for piece in pieces(text) if len(piece) == 3] == words


def test_marks_are_sorted_and_inside_the_text() -> None:
    """None stands twice."""
    assert checked_marks([[4, 6], [0, 2], [4, 6]], "abcdef") == ((0, 2), (4, 6))


@pytest.mark.parametrize("mark", [[-1, 2], [2, 2], [3, 1], [0, 7], [1], [1, 2, 3]])
def test_marks_that_are_none(mark: list[int]) -> None:
    """They are refused."""
    with pytest.raises(ValueError):
        checked_marks([mark], "abcdef")


def test_answers_are_listed_and_searched(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """The last one first, a page at a time; all words of a search occur in the text, its context or the answer."""
    desk = make_desk(cells=lambda i: {"turn": f"What of {i}?"}, context=["turn"])
    pages = open_pages(desk)
    numbers = []
    for value in (0, 2, None):
        numbers.append(pages.turn()["question"]["number"])
        pages.rate(value, note="so ODD" if value == 0 else "")
    listing = pages.get("/api/answers").json()
    assert [item["number"] for item in listing["items"]] == numbers[::-1]
    assert [item["said"] for item in listing["items"]] == ["skipped", "natural", "unnatural"]
    assert (listing["matching"], listing["total"]) == (3, 3)
    assert [item["number"] for item in pages.get("/api/answers", start="2").json()["items"]] == numbers[:1]
    (text,) = desk.project.question(numbers[1]).texts
    for words in ("odd unnat", "Odd"):
        assert [item["number"] for item in pages.get("/api/answers", search=words).json()["items"]] == numbers[:1]
    by_context = pages.get("/api/answers", search=f"what {text}?").json()["items"]
    assert numbers[1] in [item["number"] for item in by_context]
    assert by_context[0]["context"][0]["title"] == "turn"
    assert pages.get("/api/answers", search="zebra").json() == {"items": [], "matching": 0, "total": 3}
    assert open_pages(desk, "Ben").get("/api/answers").json()["total"] == 0
    for start in ("-1", "x", "9" * 30):
        assert pages.get("/api/answers", start=start).status_code == 422


def test_an_answer_is_corrected(pages: Pages, open_pages: OpenPages) -> None:
    """Not the last one only; what it replaces is shown. Nobody corrects another's."""
    number = pages.turn()["question"]["number"]
    pages.rate(0, note="odd")
    pages.rate(1)
    reply = pages.post("/api/correct", question=number, value=2, note="fine", cause="order", marks=[[0, 3]]).json()
    assert reply["item"]["said"] == "natural"
    assert reply["item"]["earlier"] == ["unnatural"]
    assert reply["item"]["answer"] == {"value": 2.0, "note": "fine", "cause": "order", "marks": [[0, 3]]}
    assert [rating.answer.value for rating in pages.desk.project.ratings()] == [1.0, 2.0]
    assert pages.post("/api/correct", question=number, value=7).status_code == 422
    assert pages.post("/api/correct", question=999, value=1).status_code == 409
    assert open_pages(pages.desk, "Ben").post("/api/correct", question=number, value=1).status_code == 409
    pages.post("/api/undo", question=number)
    assert pages.post("/api/correct", question=number, value=1).status_code == 409
