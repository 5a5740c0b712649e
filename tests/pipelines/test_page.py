"""The report of a model: complete, safe to open anywhere, and the same every time."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from naturalness.pipelines.card import make_card
from naturalness.pipelines.headline import beside_shipped
from naturalness.pipelines.page import make_page
from naturalness.statistics.measures import wilson
from tests.support.pages import EVIL, Page, words
from tests.support.screens import check_page

FIGURES = ("weighted_f1", "accuracy", "roc_auc", "spearman", "spearman_given_length", "pearson")


def result(name: str, value: float | None, *, labels: tuple[str, str], learned: bool) -> Any:
    """What `metrics.json` says of a learner that reaches ``value`` in everything."""
    keys = [*FIGURES, *(f"{what} {label}" for label in labels for what in ("precision", "recall"))]
    runs = [{key: None if value is None else round(value + 0.01 * i, 3) for key in keys} for i in range(3)]
    mean = None if value is None else round(value + 0.01, 3)
    deviation = None if value is None else 0.01
    data: dict[str, Any] = {key: {"mean": mean, "deviation": deviation} for key in keys}
    data["runs"] = runs
    if learned:
        data["learner_of_each_split"] = [name, name, "other"]
    return data


def make_summary(
    labels: tuple[str, str] = ("poor", "good"), learner: str = "ridge", *, thorough: bool = True
) -> dict[str, Any]:
    """A summary with everything in it, or without what only a thorough training has."""
    kind = "weight of a standard deviation"
    summary: dict[str, Any] = {
        "naturalness": "9.9",
        "data": {
            "texts": 1234,
            "sources": 600,
            "labels": {labels[0]: 434, labels[1]: 800},
            "without_label": 0,
            "rated": 1234,
            "scale": [1.0, 4.0],
            "learned": "ratings",
        },
        "protocol": {
            "repeats": 3,
            "test_size": 0.25,
            "outer_folds": 0,
            "inner_folds": 5,
            "sources_kept_together": True,
            "threshold_chosen_for": "weighted_f1",
            "class_weight": "balanced",
            "seed": 1,
            "chosen_by": "spearman",
        },
        "learners": {
            learner: result(learner, 0.61, labels=labels, learned=True),
            "slow": result("slow", 0.52, labels=labels, learned=True),
        },
        "baselines": {
            "majority": result("majority", None, labels=labels, learned=False),
            "length alone": result("length alone", 0.2, labels=labels, learned=False),
        },
        "model": {
            "recipe": learner,
            "learner": learner,
            "parameters": {"alpha": 3.0},
            "cross_validated": {"mean": 0.6, "folds": [0.6]},
            "threshold": 0.64,
            "n_columns": 40,
            "n_read": 40,
            "influence": [
                {"feature": "surface__n_words", "value": 0.41, "kind": kind},
                {"feature": "undefined(own__thing)", "value": -0.2, "kind": kind},
            ],
        },
    }
    if thorough:
        summary["elimination"] = {
            "sizes": [40, 20, 10, 5],
            "means": [0.6, 0.61, 0.605, 0.5],
            "errors": [0.01, 0.01, 0.01, None],
            "chosen": 10,
            "columns": ["surface__n_words", "own__thing"],
        }
        summary["groups"] = {
            "criterion": "spearman",
            "all": 0.6,
            "rows": [
                {"group": "surface", "columns": 8, "without": 0.58, "alone": 0.3},
                {"group": "own", "columns": 1, "without": None, "alone": -0.02},
            ],
        }
    return summary


def make_notes(table: str = "ratings.tsv") -> dict[str, Any]:
    """The notes of `naturalness train`."""
    return {
        "table": table,
        "notes": ["1,234 texts; natural from a mean rating of 3"],
        "options": {"natural_from": 0.0, "floor": None, "middle": "leave out", "labels": ["a"]},
        "settings": {"learner": "ridge", "seed": 1},
        "sources": [{"name": "Made up", "licence": "CC0", "texts": 1234}],
        "limits": ["Only questions were `seen`."],
    }


def test_the_card_tells_what_groups_are_worth_and_how_many_columns_do() -> None:
    """The group that is missed most first; the curve with its ends and the number chosen."""
    card = make_card(make_summary(), make_notes())
    rows = [line for line in card.splitlines() if line.startswith(("| surface", "| own"))]
    assert rows == ["| surface | 8 | .300 | .580 | .020 |", "| own | 1 | -.020 | – | – |"]
    assert "would keep 10 of 40 columns" in card
    assert "by number of columns: 40 .600, 20 .610, 10 .605, 5 .500." in card
    plain = make_card(make_summary(thorough=False), make_notes())
    assert "lost without it" not in plain
    assert "limination" not in plain


def test_a_thorough_training_has_all_sections_in_order() -> None:
    """Headline first, then what it rests on, limits last."""
    outline = Page(make_page(make_summary(), make_notes()))
    assert outline.sections == ["learners", "influence", "elimination", "groups", "data", "limits"]
    assert len(outline.attributes("h1")) == 1


def test_what_was_not_measured_is_left_out() -> None:
    """No section, and no link to one, without its numbers."""
    summary = make_summary(thorough=False)
    summary["model"]["influence"] = []
    outline = Page(make_page(summary, {}))
    assert outline.sections == ["learners", "data", "limits"]
    assert {link["href"] for link in outline.attributes("a")} == {"#learners", "#data", "#limits"}


def test_the_headline_has_the_figure_and_the_best_baseline() -> None:
    """One sentence with both, and in how many splits the model was ahead."""
    text = words(make_page(make_summary(), make_notes()))
    assert "Spearman correlation of 0.620 ± 0.010 (1 is perfect, 0 is chance)" in text
    assert "the best simple baseline, length alone, reaches 0.210 ± 0.010" in text
    assert "by Spearman correlation it is closer to people’s than the best simple baseline’s in 3 of 3 splits" in text
    assert "picked from 2 by these same splits" in text


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.7, "the shipped model is better on these texts"), (0.3, "the shipped model is not better")],
)
def test_the_shipped_model_stands_beside_this_one(value: float, expected: str) -> None:
    """On the page, the card and the terminal; figures of earlier releases say nothing of it."""
    summary = make_summary()
    assert beside_shipped(summary) == ""
    baseline = result("shipped model", value, labels=("poor", "good"), learned=False)
    summary["baselines"]["shipped model"] = baseline
    assert beside_shipped(summary).startswith(expected)
    page = words(make_page(summary, make_notes()))
    assert expected.replace("the", "The", 1) in page
    assert ("That the shipped model is better" in page) == (value > 0.5)
    assert "the best simple baseline, length alone, reaches" in page
    assert expected.replace("the", "The", 1) in make_card(summary, make_notes())


def test_labels_are_told_by_pairs() -> None:
    """Where labels are learned, the figure is ROC AUC, said as a share of pairs."""
    summary = make_summary()
    summary["data"]["learned"], summary["protocol"]["chosen_by"] = "labels", "roc_auc"
    summary["groups"]["criterion"] = "roc_auc"
    text = words(make_page(summary, make_notes()))
    assert "one that is good above one that is poor in 62% of pairs" in text
    assert "(1 is perfect, 0.5 is chance)" in text
    assert "That a score is a probability" not in text


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, "nothing was learned"), (0.0, "nothing was learned"), (0.15, "not more than a simple")],
)
def test_a_bad_model_is_called_one(value: float | None, expected: str) -> None:
    """No better than chance, or than a baseline: the page says so first."""
    summary = make_summary()
    names = ("poor", "good")
    shown = None if value is None else value - 0.01
    summary["learners"] = {"ridge": result("ridge", shown, labels=names, learned=True)}
    text = words(make_page(summary, make_notes()))
    assert expected in text
    assert "means something" not in text


def test_a_split_without_a_figure_counts_as_chance() -> None:
    """One split in which all texts got the same score is named and lowers the mean (.42); two leave nothing."""
    summary = make_summary()
    summary["learners"]["ridge"]["runs"][1]["spearman"] = None
    text = words(make_page(summary, make_notes()))
    assert "but in 1 of 3 splits it gave all texts the same score, which counts as chance" in text
    assert "nothing was learned" not in text
    summary["learners"]["ridge"]["runs"][2]["spearman"] = None
    text = words(make_page(summary, make_notes()))
    assert "but in 2 of 3 splits it gave all texts the same score" in text
    assert "nothing was learned" in text


def test_names_are_escaped() -> None:
    """A class, a table, a learner, a note or a feature cannot bring markup."""
    summary = make_summary(labels=("poor", EVIL), learner=EVIL)
    summary["model"]["influence"][0]["feature"] = EVIL
    summary["elimination"]["columns"][0] = summary["groups"]["rows"][0]["group"] = EVIL
    notes = make_notes(EVIL)
    notes["notes"] = notes["limits"] = notes["options"]["labels"] = [EVIL, f"`{EVIL}`"]
    page = make_page(summary, notes)
    assert not Page(page).attributes("script")
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_undefined_is_an_en_dash() -> None:
    """None is never shown as a word or as 0."""
    page = make_page(make_summary(), make_notes())
    row = re.search(r'<th scope="row">majority</th>(.*?)</tr>', page)
    assert row and set(re.findall(r"<td>(.*?)</td>", row[1])) == {"–"}
    assert not re.search(r"\b(None|nan|NaN|null)\b", words(page))


def test_every_chart_is_described_and_has_a_table() -> None:
    """Charts are images with a name; wide and narrow pages show one of two drawings."""
    outline = Page(make_page(make_summary(), make_notes()))
    drawings = outline.attributes("svg")
    assert [d["class"] for d in drawings] == ["wide", "narrow"] * 4
    assert all(d["role"] == "img" and "table below" in str(d["aria-label"]) for d in drawings)
    assert len(outline.attributes("table")) >= 5
    assert all("tabindex" in box for box in outline.attributes("div") if box.get("class") == "scroll")


def test_nothing_is_loaded() -> None:
    """No address, no import, no script: the file is whole."""
    page = make_page(make_summary(), make_notes())
    assert not re.search(r"https?:|//\w|@import|url\(|\ssrc=", page)
    links = Page(page).links
    assert links and all(link.startswith("#") for link in links)
    assert 'lang="en"' in page and 'name="viewport"' in page and "<title>" in page


def test_same_input_same_bytes() -> None:
    """No dates, no random names; and the input is left as it was."""
    summary, notes = make_summary(), make_notes()
    before = copy.deepcopy((summary, notes))
    assert make_page(summary, notes) == make_page(*copy.deepcopy(before))
    assert (summary, notes) == before
    assert len(make_page(summary, notes).encode()) < 200_000


def test_options_that_were_set_are_shown() -> None:
    """0 was set; None and defaults were not."""
    text = words(make_page(make_summary(), make_notes()))
    assert "natural_from 0" in text and "labels a" in text
    assert "floor" not in text and "middle" not in text
    assert "Seed 1" in text and "seed 1" in text


def test_the_interval_of_a_share() -> None:
    """Wilson's interval, by hand for 8 of 10; it stays within 0..1."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == 1.0


@pytest.mark.slow
def test_on_screens_and_on_paper(browser: Any, axe: Any, tmp_path: Path) -> None:
    """Wide and narrow, light and dark, and printed."""
    check_page(browser, axe, make_page(make_summary(), make_notes()), tmp_path)
