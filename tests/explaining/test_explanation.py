"""Explanations in notebooks and as tables."""

from __future__ import annotations

import math
import pickle
from dataclasses import asdict, replace

import pytest

from naturalness.explaining.explanation import Explanations
from naturalness.explaining.page import MAX_NOTEBOOK_CARDS, OPEN_CARDS, make_part
from naturalness.judging.people import Standing
from tests.support.explained import BAD, FINE, GOOD, evil, without
from tests.support.pages import Page, words


def test_an_explanation_in_a_line() -> None:
    """The line has the text, score, interval, label and cause, or the reason for no score."""
    assert repr(BAD) == "Explanation('He go to school 語 yesterday.': 0.113 (0.05 to 0.19) unnatural: verb forms)"
    assert repr(GOOD) == f"Explanation({FINE!r}: 0.741 natural)"
    assert repr(without("a" * 70, "no words")) == f"Explanation({'a' * 60!r}…: no score, no words)"


def test_a_notebook_shows_the_card_of_the_page() -> None:
    """The card has marks, score, findings, causes and edits, loads nothing, and has no ids that could clash."""
    part = BAD._repr_html_()
    page = Page(part)
    assert page.tags[:2] == ["div", "style"] and not page.ids
    assert not {"script", "link", "img", "a", "html"} & set(page.tags) and "http" not in part
    text = words(part)
    for shown in (
        "0.113 unnatural: verb forms 95 %: 0.05 to 0.19",
        "He go to ‸ school 語 yesterday.",
        "“go” : after &#39;He&#39; the verb ends in -s: &#39;goes&#39;",
        "verb forms −1.75",
        "together −2.06",
        "“go” → “goes” to 0.513 (+0.400):",
    ):
        assert shown in text, shown
    assert [mark.get("class") for mark in page.attributes("span")].count("m s") == 1


def test_markup_in_a_notebook_stays_text() -> None:
    """Markup in a text, a message or a name is escaped."""
    part = Explanations([evil(), evil()])._repr_html_()
    assert "<script" not in part and "&lt;script&gt;" in part and Page(part)
    assert "\ud800" not in make_part([without("\ud800", "half a character")])


def test_many_explanations_show_the_worst() -> None:
    """A summary comes first; a few cards are open, and all closed if there are many."""
    few, many = make_part([GOOD, BAD]), make_part([GOOD] * 12 + [BAD])
    assert few.count("<article") == 2 and few.count("<details open") == 2 <= OPEN_CARDS
    assert many.count("<article") == MAX_NOTEBOOK_CARDS and "<details open" not in many
    text = words(many)
    assert "13 texts: 1 below 0.5" in text and "The 10 with the lowest scores are shown" in text
    assert many.index("0.113") < many.index("0.741")
    assert "0 texts" in words(Explanations()._repr_html_())


def test_tables_of_causes() -> None:
    """A table has a row per text and a column per cause."""
    pytest.importorskip("pandas")
    frame = Explanations([BAD, GOOD, without("", "empty text")]).to_pandas()
    assert list(frame.columns) == [
        *("text", "naturalness", "voice", "low", "high", "label", "cause", "reason", "unlike"),
        *("verbs", "small_words", "length", "order", "soundness"),
    ]
    assert frame["verbs"][0] == -1.7555 and math.isnan(frame["verbs"][1]) and frame["soundness"][1] == 0.851
    assert frame["reason"][2] == "empty text" and math.isnan(frame["naturalness"][2])
    empty = Explanations().to_pandas()
    assert len(empty) == 0 and list(empty.columns) == list(frame.columns)[:9]


def test_registers_and_axes_in_a_table() -> None:
    """The table has the standing in a register, and sound and fit of an adapted model."""
    pytest.importorskip("pandas")
    within = replace(GOOD, standing=Standing("books", 0.741, 0.8, 63.0), axes={"sound": 0.7, "fit": 0.2})
    frame = Explanations([within]).to_pandas()
    assert frame[["register", "percentile", "sound", "fit"]].iloc[0].tolist() == ["books", 63.0, 0.7, 0.2]
    assert "more natural than 63 % of sentences by people in books" in words(within._repr_html_())


def test_explanations_can_be_pickled() -> None:
    """Pickling keeps the list and its attributes."""
    again = pickle.loads(pickle.dumps(Explanations([BAD, GOOD])))
    assert isinstance(again, Explanations) and str(list(map(asdict, again))) == str([asdict(BAD), asdict(GOOD)])
