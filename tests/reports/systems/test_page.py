"""The page: whole in itself, escaped, small, and with the numbers of every drawing."""

from __future__ import annotations

import math
import re

import pytest

from naturalness.reports.systems.answers import Answer
from naturalness.reports.systems.page import make_page
from naturalness.reports.systems.report import make_report
from naturalness.statistics.bootstrap import Resampling
from tests.support.pages import Page
from tests.support.system_reports import JUDGE, answer, finding, system_of

HOW = Resampling(100)
SCRIPT = "<script>alert('x')</script>"


def hostile(n: int) -> list[Answer]:
    """A system and texts full of markup."""
    text = f'They runs {SCRIPT} & "home" <img src=x onerror=alert(1)>'
    findings = [finding(text, SCRIPT), finding(text, "runs")]
    injection = answer(text, 0.1, f"<b>{SCRIPT}</b>", "k<1>", 0, findings=findings, unlike=["<i>"])  # type: ignore[arg-type]
    more = system_of(f"<b>{SCRIPT}</b>", 0.4, n, seed=1)
    return [injection, answer("", math.nan, injection.system, reason=f"empty {SCRIPT}"), *more]


@pytest.fixture(scope="module")
def page() -> str:
    """Four systems and two runs, one of them hostile."""
    now = [*hostile(30), *(one for i in range(3) for one in system_of(f"s{i}", 0.5, 30, seed=i))]
    then = [*hostile(30), *(one for i in range(3) for one in system_of(f"s{i}", 0.7, 30, seed=i))]
    report = make_report(now, JUDGE, before=then, how=HOW, notes=[SCRIPT])
    return make_page(report, name=f"{SCRIPT}.csv", before=f"old{SCRIPT}.csv")


def test_nothing_of_a_text_is_markup(page: str) -> None:
    """Texts, names of systems and files, reasons: all are shown, none is run."""
    seen = Page(page)
    assert page.count("<script") == 1
    assert "img" not in seen.tags and "<b>" not in page
    assert "onerror=alert(1)>" not in page
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;" in page
    assert re.search(r"script-src 'sha256-[\w+/=]+'", page)


def test_nothing_is_loaded(page: str) -> None:
    """No address but places on the page, each of which is there."""
    seen = Page(page)
    seen.assert_links_inside()
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", page)


def test_every_drawing_has_its_table(page: str) -> None:
    """In the same section as the drawing, in words and numbers."""
    sections = page.split("<section")[1:]
    assert sum("<svg" in one for one in sections) == 3
    for one in sections:
        if "<svg" in one:
            assert "<table" in one
            assert one.count("aria-label") >= one.count("<svg")


def test_two_runs_are_told_first(page: str) -> None:
    """What changed stands before the systems."""
    seen = Page(page)
    assert "The texts sound less natural than before" in seen.text
    assert seen.ids.index("runs") < seen.ids.index("systems")
    assert "Texts that fell most" in seen.text


def test_systems_alone() -> None:
    """Without an older run nothing is said of one; without systems nothing of them."""
    several = make_report(system_of("a", 0.6) + system_of("b", 0.5, seed=1), JUDGE, how=HOW)
    seen = Page(make_page(several, name="new.csv"))
    assert "runs" not in seen.ids and "causes" in seen.ids
    one = make_page(make_report(system_of("all texts", 0.6), JUDGE, how=HOW), name="new.csv")
    seen = Page(one)
    assert "causes" not in seen.ids and "length" not in seen.ids
    assert "40 texts have a mean naturalness of 0.59" in seen.text


def test_no_score_at_all() -> None:
    """A table of unusable texts gives a page that says so."""
    none = [answer("", math.nan, name, reason="empty text") for name in "ab"]
    seen = Page(make_page(make_report(none, JUDGE, before=none, how=HOW), name="x.csv"))
    assert "a and b have too few texts to be compared." in seen.text
    assert "No text has a score." in seen.text


def test_large_and_the_same_again() -> None:
    """5,000 texts of ten systems stay far under 2 MB, and give the same bytes again."""
    answers = [one for i in range(10) for one in system_of(f"s{i}", 0.3 + i / 20, 500, seed=i)]
    first, second = (
        make_page(make_report(answers, JUDGE, before=answers, how=HOW), name="x.csv", before="y") for _ in range(2)
    )
    assert first == second
    assert len(first.encode()) < 500_000
