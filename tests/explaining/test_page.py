"""The page of explanations: complete, escaped, small and reproducible."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from naturalness.explaining import page
from naturalness.explaining.explanation import Edit, Repair
from naturalness.explaining.page import make_page
from naturalness.judging.fields import POINTS
from tests.support.explained import BAD, GOOD, TEXT, evil, without
from tests.support.pages import EVIL, Page, words
from tests.support.screens import check_page


def test_a_text_is_told_from_score_to_edits() -> None:
    """The card has score, interval, warning, marks, causes that add up, and edits."""
    html = make_page([BAD], model="default")
    text = unescape(words(html))
    for part in (
        "0.113 unnatural: verb forms 95 %: 0.05 to 0.19",
        "The score means little, as the text is unlike the training texts: 30% of its words are",
        "“go” : after 'He' the verb ends in -s: 'goes'",
        "“語” : this is not a word → leave it out",
        "a typical sound text +0.20",
        "verb forms −1.75 suspected verb errors: higher than in 97 % of reference texts",
        "together −2.06",
        "“go” → “goes” to 0.513 (+0.400):",
    ):
        assert part in text, part
    shown = [float(x.replace("−", "-")) for x in re.findall(r"<td>([+−]?\d\.\d\d)</td>", html)]
    assert round(sum(shown[:-1]), 2) == shown[-1] == -2.06


def test_a_repair_comes_before_the_findings() -> None:
    """With all of its edits in words, their probabilities, and the whole text."""
    fixed = TEXT.replace("go", "went")
    step = replace(BAD.edits[0], after="went", text=fixed, probability=0.9, reason="the time is in the past")
    text = unescape(words(make_page([replace(BAD, repair=Repair(fixed, 0.6, 0.487, (step, step)))], model="default")))
    said = "“go” → “went” (90 %): the time is in the past"
    assert f"Repair {said}; {said}; all (81 %) to 0.600 (+0.487): {fixed} Findings" in text


def test_a_change_in_a_long_text_is_shown_with_what_is_near() -> None:
    """Whole words of context are shown; the full text is included for copying."""
    lead, tail = "We met again on Monday. " * 9, " We left early on Tuesday." * 9
    text = f"{lead}He go home.{tail}"
    start = text.index("go")
    new = f"{lead}He goes home.{tail}"
    change = page.edit(replace(BAD, text=text), Edit(start, start + 2, "go", "goes", 0.4, 0.5, new))
    assert (change["text"], change["new"]) == (new, "goes")
    assert change["before"].startswith("… ") and change["before"].removeprefix("… ") in lead + "He "
    assert change["behind"].endswith(" …") and change["behind"].removesuffix(" …") in " home." + tail
    assert all(50 < len(change[side]) <= page.NEARBY + 2 for side in ("before", "behind"))


def test_marks_lead_to_what_was_found() -> None:
    """Each mark is a link, with its message, to an item on the page."""
    outline = Page(make_page([GOOD, BAD], model="default"))
    marks = [tag for tag in outline.attributes("a") if str(tag.get("class", "")).startswith("m")]
    assert [(tag["class"], tag["href"]) for tag in marks] == [("m s", "#t2-1"), ("m", "#t2-3"), ("m", "#t2-2")]
    assert marks[0]["title"] == "after 'He' the verb ends in -s: 'goes'"
    there = set(outline.ids)
    assert all(str(tag["href"])[1:] in there for tag in outline.attributes("a"))


def test_the_place_of_the_score() -> None:
    """The score and its interval are drawn on a line from 0 to 1, and told in words."""
    html = make_page([BAD], model="default")
    scale = "0.113 on a scale from 0 to 1; the model’s threshold is 0.5; 95 of 100 scores lie from 0.05 to 0.19"
    assert f'aria-label="{scale}"' in html
    assert "line: the model’s threshold, 0.5" in html
    assert 'style="left:5.0%;width:14.0%"' in html and 'style="left:11.3%"' in html


def test_the_threshold_of_the_model_decides() -> None:
    """The threshold decides colour, cause, count of low scores and the line on the scale."""
    strict = replace(GOOD, threshold=0.75, cause="verbs")
    assert page.card(GOOD, 1)["good"] and not page.card(strict, 1)["good"]
    assert page.card(strict, 1)["verdict"] == "natural: verb forms"
    html = make_page([strict, replace(BAD, threshold=0.75)], model="own")
    assert "2 below 0.75," in html and "the model’s threshold, 0.75" in html
    assert html.count('<em style="left:75.0%"></em>') == 2
    assert html.count('<b class="up"') == 1  # what an edit would bring
    generous = make_page([replace(BAD, threshold=0.1)], model="own")
    assert '<b class="up">0.113</b>' in generous


def test_markup_in_a_text_stays_text() -> None:
    """Markup in labels, messages, suggestions, features and reasons is escaped."""
    html = make_page([evil()], model=EVIL)
    assert not Page(html).attributes("script")
    assert "<script" not in html and "&lt;script&gt;" in html
    several = make_page([evil(), evil()], model=EVIL)
    assert len(Page(several).attributes("script")) == 1
    assert several.count("<script") == 1


def test_nothing_is_loaded() -> None:
    """There is no address and no import; the only script sorts tables and is allowed by its hash."""
    for explanations in ([BAD], [BAD, GOOD]):
        html = make_page(explanations, model="default")
        assert not re.search(r"https?:|[\"(]//|@import|url\(|\ssrc=", html)
        assert ("script-src 'sha256-" in html) == (len(explanations) > 1)
        assert 'lang="en"' in html and 'name="viewport"' in html and "<title>" in html
        assert not re.search(r"\b(None|nan|NaN)\b", words(html))


def test_a_text_without_a_score_says_why() -> None:
    """The reason stands in place of the chart."""
    html = make_page([without("...", "no words"), BAD], model="default")
    assert "1 no score no words ..." in words(html)
    assert "2 texts: 1 below 0.5, 0.11 on average; 1 without a score." in words(html)
    assert len(re.findall('<table class="causes">', html)) == 1


def test_the_worst_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The requested number of texts is shown, or as many as fit; the page says so; worst first."""
    explanations = [replace(BAD, naturalness=(n * 7 % 50) / 100, text=f"{TEXT} {n}") for n in range(50)]
    html = make_page([*explanations, without("", "empty text")], model="default", most=3)
    assert "The 3 with the lowest scores are shown, the lowest first." in words(html)
    assert [tag["id"] for tag in Page(html).attributes("article")] == ["t1", "t44", "t37"]
    monkeypatch.setattr(page, "MAX_PAGE_BYTES", 60_000)
    html = make_page(explanations, model="default")
    assert 3 < len(Page(html).attributes("article")) < 50
    assert len(html.encode()) <= 60_000
    assert "lowest scores are shown" in words(html)


def test_a_thousand_texts_fit() -> None:
    """The page stays under 2 MB; weak causes are combined, and contributions still add up."""
    html = make_page([BAD] * 1000, model="default")
    assert len(html.encode()) < 2_000_000
    assert len(Page(make_page([BAD] * 250, model="default")).attributes("article")) == 250
    strongest = page.causes(BAD, 2)
    assert [row["title"] for row in strongest][-1] == "all others"
    assert round(sum(row["value"] for row in strongest), 2) == -2.06


def test_same_input_same_bytes() -> None:
    """The page has no dates and no random names."""
    assert make_page([BAD, GOOD], model="m") == make_page([BAD, GOOD], model="m")


@pytest.mark.slow
def test_on_screens_and_on_paper(browser: Any, axe: Any, tmp_path: Path) -> None:
    """The page passes on all screens and in print, by two thresholds and without a score."""
    rated = replace(BAD, unit=POINTS, text="A model of ratings has a wider heading.", findings=(), edits=())
    others = [rated, *(replace(GOOD, threshold=0.8, text=f"Another one, the {n}th, is fine.") for n in range(4))]
    source = make_page([BAD, GOOD, *others, without("...", "no words")], model="default")
    check_page(browser, axe, source, tmp_path)
