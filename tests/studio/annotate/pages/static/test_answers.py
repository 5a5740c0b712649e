"""Instructions, contexts and earlier answers in a browser."""

from __future__ import annotations

import pytest

from naturalness.studio.annotate.project import SLIDER, Scale
from tests.support.annotation_pages import OpenRater, eventually

pytestmark = pytest.mark.slow
LONG = "We came late, and nobody was there to let us in.\n" * 12


def test_earlier_answer_is_found_and_changed(rate_here: OpenRater) -> None:
    """By keyboard: search, choose, rate again with a note; the focus returns, and the list shows the new answer."""
    rater = rate_here()
    texts = []
    for key in ("1", "3", "2"):
        texts.append(rater.text)
        rater.press(key)
    page = rater.page
    page.goto(f"{rater.server.base}/answers")
    page.wait_for_selector("#answers li")
    assert page.inner_text("#many") == "3 of 3 answers"
    page.fill("#search", texts[0][:25])
    eventually(lambda: page.inner_text("#many") != "3 of 3 answers")
    button = page.locator("#answers li", has_text=texts[0]).locator("button")
    button.focus()
    page.keyboard.press("Enter")
    assert page.inner_text(".asked .sentence") == texts[0]
    page.keyboard.press("n")
    page.keyboard.type("on second thoughts 1")
    page.keyboard.press("Enter")
    page.keyboard.press("3")
    eventually(lambda: page.inner_text("#said") == "Changed: natural.")
    card = page.locator("#answers li", has_text=texts[0])
    assert "on second thoughts 1" in card.inner_text()
    assert page.evaluate("document.activeElement.textContent") == "Change"
    assert sorted(rater.values) == [1.0, 2.0, 2.0]
    page.keyboard.press("1")  # no answer is open
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert "Nothing was changed" in page.inner_text("#said")
    assert sorted(rater.values) == [1.0, 2.0, 2.0]


def test_note_is_changed_and_the_rating_stays(rate_here: OpenRater) -> None:
    """Even on a slider, which was not moved."""
    rater = rate_here(scale=Scale(SLIDER, 0.0, 100.0))
    rater.page.keyboard.press("ArrowRight")
    rater.press("Enter")
    page = rater.page
    page.goto(f"{rater.server.base}/answers")
    page.click("#answers li button")
    page.fill("#note", "odd")
    page.click("#store")
    eventually(lambda: "“odd”" in page.inner_text("#answers"))
    (rating,) = rater.desk.answered("Ann")
    assert (rating.answer.value, rating.answer.note) == (55.0, "odd")


def test_long_context_is_collapsed(rate_here: OpenRater) -> None:
    """Its beginning and end are visible; once expanded, it is also expanded for the next sentence."""
    rater = rate_here(cells=lambda i: {"turn": LONG}, context=["turn"])
    page = rater.page
    assert not rater.is_open("#context details")
    assert "We came late" in page.inner_text("#context") and "…" in page.inner_text("#context")
    assert "We came late" in page.inner_text("#said")
    page.keyboard.press("x")
    assert rater.is_open("#context details")
    rater.press("1")
    assert rater.is_open("#context details")
    page.keyboard.press("x")
    assert not rater.is_open("#context details")
    assert page.is_visible('[data-action="context"]')


def test_instructions_stay_as_the_rater_left_them(rate_here: OpenRater) -> None:
    """They are expanded at first; once collapsed by a key, they are collapsed on all pages until they change."""
    rater = rate_here()
    page = rater.page
    assert rater.is_open("#guide")
    page.keyboard.press("g")
    assert not rater.is_open("#guide")
    page.goto(f"{rater.server.base}/answers")
    page.wait_for_timeout(100)
    assert not rater.is_open("#guide")
    page.locator("#guide summary").click()
    page.goto(rater.server.base)
    page.wait_for_timeout(100)
    assert rater.is_open("#guide")
    rater.desk.project.settings.set_guidelines("# Would you say that?\n\nBe quick.")
    page.goto(rater.server.base)
    assert rater.is_open("#guide")
    assert page.inner_text("h1") == "Would you say that?"
    rater.wait_for_sentence()
    rater.press("1")
    page.goto(f"{rater.server.base}/answers")
    page.wait_for_timeout(100)
    assert not rater.is_open("#guide")
