"""The page of explanations: complete, escaped, small and reproducible."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from naturalness.explaining import page
from naturalness.explaining.page import make_page
from naturalness.judging.fields import POINTS
from tests.support.explained import BAD, GOOD, TEXT, evil, without
from tests.support.pages import EVIL, Page, words
from tests.support.screens import check_page


def test_the_card_of_a_text() -> None:
    """The card has score, interval, warning, marks, causes that add up, and edits."""
    html = make_page([BAD], model="default")
    text = unescape(words(html))
    for part in (
        "0.113 unnatural: verb forms 95 %: 0.05 to 0.19",
        "The score means little, as the text is unlike the training texts: 30% of its words are",
        "“go” : after 'He' the verb ends in -s: 'goes'",
        "“語” : this is not a word → leave it out",
        "typical sound text +0.20",
        "verb forms −1.75 suspected verb errors: higher than in 97 % of reference texts",
        "together −2.06",
        "“go” → “goes” to 0.513 (+0.400):",
    ):
        assert part in text, part
    shown = [float(x.replace("−", "-")) for x in re.findall(r"<td>([+−]?\d\.\d\d)</td>", html)]
    assert round(sum(shown[:-1]), 2) == shown[-1] == -2.06


def test_marks_lead_to_what_was_found() -> None:
    """Each mark is a link, with its message, to an item on the page."""
    outline = Page(make_page([GOOD, BAD], model="default"))
    marks = [tag for tag in outline.attributes("a") if str(tag.get("class", "")).startswith("m")]
    assert [(tag["class"], tag["href"]) for tag in marks] == [("m s", "#t2-1"), ("m", "#t2-3"), ("m", "#t2-2")]
    assert marks[0]["title"] == "after 'He' the verb ends in -s: 'goes'"
    there = set(outline.ids)
    assert all(str(tag["href"])[1:] in there for tag in outline.attributes("a"))


def test_the_place_of_the_score() -> None:
    """The score and its interval are drawn on a scale from 0 to 1, with a description in words."""
    html = make_page([BAD], model="default")
    scale = "0.113 on a scale from 0 to 1; the model’s threshold is 0.5; 95 of 100 scores lie from 0.05 to 0.19"
    assert f'aria-label="{scale}"' in html
    assert "line: the model’s threshold, 0.5" in html
    assert 'style="left:5.0%;width:14.0%"' in html and 'style="left:11.3%"' in html


def test_markup_in_a_text_stays_text() -> None:
    """Markup in labels, messages, suggestions, features and reasons is escaped."""
    html = make_page([evil()], model=EVIL)
    assert not Page(html).attributes("script")
    assert "<script" not in html and "&lt;script&gt;" in html
    several = make_page([evil(), evil()], model=EVIL)
    assert len(Page(several).attributes("script")) == 1
    assert several.count("<script") == 1


def test_nothing_is_loaded() -> None:
    """The page has no address and no import; its only script sorts tables and is allowed by its hash."""
    for explanations in ([BAD], [BAD, GOOD]):
        html = make_page(explanations, model="default")
        assert not re.search(r"https?:|[\"(]//|@import|url\(|\ssrc=", html)
        assert ("script-src 'sha256-" in html) == (len(explanations) > 1)
        assert 'lang="en"' in html and 'name="viewport"' in html and "<title>" in html
        assert not re.search(r"\b(None|nan|NaN)\b", words(html))


def test_a_text_without_a_score_has_a_reason() -> None:
    """A text without a score has its reason in place of the chart."""
    html = make_page([without("...", "no words"), BAD], model="default")
    assert "1 no score no words ..." in words(html)
    assert "2 texts: 1 below 0.5, 0.11 on average; 1 without a score." in words(html)
    assert len(re.findall('<table class="causes">', html)) == 1


def test_the_worst_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many texts, the page shows those with the lowest scores, the lowest first, and says so."""
    monkeypatch.setattr(page, "MAX_CARDS", 3)
    explanations = [replace(BAD, naturalness=(n * 7 % 50) / 100, text=f"{TEXT} {n}") for n in range(50)]
    html = make_page([*explanations, without("", "empty text")], model="default")
    assert "The 3 with the lowest scores are shown, the lowest first." in words(html)
    assert [tag["id"] for tag in Page(html).attributes("article")] == ["t1", "t44", "t37"]


@pytest.mark.slow
def test_on_screens_and_on_paper(browser: Any, axe: Any, tmp_path: Path) -> None:
    """The page is accessible and fits all screens and paper, with two thresholds and without a score."""
    rated = replace(BAD, unit=POINTS, text="A model of ratings has a wider heading.", findings=(), edits=())
    others = [rated, *(replace(GOOD, threshold=0.8, text=f"Another one, the {n}th, is fine.") for n in range(4))]
    source = make_page([BAD, GOOD, *others, without("...", "no words")], model="default")
    check_page(browser, axe, source, tmp_path)
