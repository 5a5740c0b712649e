"""The card and the page of a model: content, escaping and reproducibility."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from naturalness.pipelines.card import make_card
from naturalness.pipelines.page import make_page
from tests.support.pages import EVIL, Page, words
from tests.support.screens import check_page

FIGURES = ("weighted_f1", "accuracy", "roc_auc", "spearman", "spearman_given_length", "pearson")


def result(name: str, value: float | None, *, labels: tuple[str, str], learned: bool) -> Any:
    """Return the entry of `metrics.json` for a learner whose figures are all about ``value``."""
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
    labels: tuple[str, str] = ("poor", "good"), learner: str = "ridge", *, eliminates: bool = True
) -> dict[str, Any]:
    """Return a summary, with or without the results of feature elimination."""
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
            "inner_folds": 5,
            "sources_kept_together": True,
            "threshold_chosen_for": "weighted_f1",
            "class_weight": "balanced",
            "seed": 1,
            "chosen_by": "spearman",
        },
        "learners": {learner: result(learner, 0.61, labels=labels, learned=True)},
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
    if eliminates:
        summary["elimination"] = {
            "sizes": [40, 20, 10, 5],
            "means": [0.6, 0.61, 0.605, 0.5],
            "errors": [0.01, 0.01, 0.01, None],
            "chosen": 2,
            "columns": ["surface__n_words", "own__thing"],
        }
    return summary


def make_record(table: str = "ratings.tsv") -> dict[str, Any]:
    """Return the record of `naturalness train`."""
    return {"table": table, "notes": ["1,234 texts; natural from a mean rating of 3"]}


def test_card() -> None:
    """The card has the learner with its parameters, the notes, and a table of figures."""
    card = make_card(make_summary(), make_record())
    assert "Learner: ridge (alpha 3.0), 40 columns. Made" in card
    assert "1,234 texts; natural from a mean rating of 3" in card
    assert "\n| ridge | .620 ±.01 |" in card and "\n| *majority* | – |" in card
    assert "By Spearman correlation the model is ahead of the best simple baseline (length alone)" in card
    summary = make_summary()
    summary["model"] |= {"n_read": 1, "parameters": {}}
    assert "Learner: ridge (no parameters), 1 column. Made" in make_card(summary, make_record())


def test_sections() -> None:
    """A result that was not measured has no section and no link."""
    outline = Page(make_page(make_summary(), make_record()))
    assert outline.sections == ["learners", "influence", "elimination", "data", "limits"]
    assert len(outline.attributes("h1")) == 1
    summary = make_summary(eliminates=False)
    summary["model"]["influence"] = []
    outline = Page(make_page(summary, make_record()))
    assert outline.sections == ["learners", "data", "limits"]
    assert {link["href"] for link in outline.attributes("a")} == {"#learners", "#data", "#limits"}


def test_headline() -> None:
    """The headline states both figures, and in how many splits the model was ahead."""
    text = words(make_page(make_summary(), make_record()))
    assert "Spearman correlation of 0.620 ± 0.010 (1 is perfect, 0 is chance)" in text
    assert "the best simple baseline, length alone, reaches 0.210 ± 0.010" in text
    assert "by Spearman correlation it is closer to people’s than the best simple baseline’s in 3 of 3 splits" in text
    assert "The model reads the smallest number within one standard error of the best, 2 of 40" in text


def test_shipped_model() -> None:
    """The page and the card compare the model with the shipped one."""
    summary = make_summary()
    summary["baselines"]["shipped model"] = result("shipped model", 0.7, labels=("poor", "good"), learned=False)
    page = words(make_page(summary, make_record()))
    assert "That the shipped model is better on these texts" in page
    for text in (page, make_card(summary, make_record())):
        assert "The shipped model is better on these texts: Spearman correlation 0.710" in text


def test_order_of_labels() -> None:
    """The headline of a model of labels states ROC AUC as a share of pairs."""
    summary = make_summary()
    summary["data"]["learned"], summary["protocol"]["chosen_by"] = "labels", "roc_auc"
    text = words(make_page(summary, make_record()))
    assert "one that is good above one that is poor in 62% of pairs" in text
    assert "(1 is perfect, 0.5 is chance)" in text
    assert "That a score is a probability" not in text


@pytest.mark.parametrize(("value", "expected"), [(None, "nothing was learned"), (0.15, "not more than a simple")])
def test_bad_models(value: float | None, expected: str) -> None:
    """The page first says that a model is no better than chance or a baseline."""
    summary = make_summary()
    names = ("poor", "good")
    shown = None if value is None else value - 0.01
    summary["learners"] = {"ridge": result("ridge", shown, labels=names, learned=True)}
    text = words(make_page(summary, make_record()))
    assert expected in text
    assert "means something" not in text


def test_undefined_splits() -> None:
    """The headline gives the number of splits in which the figure is undefined."""
    summary = make_summary()
    summary["learners"]["ridge"]["runs"][1]["spearman"] = None
    text = words(make_page(summary, make_record()))
    assert "but in 1 of 3 splits it gave all texts the same score, which counts as chance" in text


def test_escaping() -> None:
    """Markup in names of classes, tables, learners, notes and features is escaped."""
    summary = make_summary(labels=("poor", EVIL), learner=EVIL)
    summary["model"]["influence"][0]["feature"] = EVIL
    summary["elimination"]["columns"][0] = EVIL
    page = make_page(summary, make_record(EVIL) | {"notes": [EVIL, f"`{EVIL}`"]})
    assert not Page(page).attributes("script")
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_charts_and_undefined_figures() -> None:
    """Charts have descriptions and tables; undefined figures are en dashes."""
    page = make_page(make_summary(), make_record())
    outline = Page(page)
    drawings = outline.attributes("svg")
    assert [drawing["class"] for drawing in drawings] == ["wide", "narrow"] * 2
    assert all(drawing["role"] == "img" and "table below" in str(drawing["aria-label"]) for drawing in drawings)
    assert len(outline.attributes("table")) == 3
    assert all("tabindex" in box for box in outline.attributes("div") if box.get("class") == "scroll")
    row = re.search(r'<th scope="row">majority</th>(.*?)</tr>', page)
    assert row and set(re.findall(r"<td>(.*?)</td>", row[1])) == {"–"}
    assert not re.search(r"\b(None|nan|NaN|null)\b", words(page))


def test_self_contained_and_reproducible() -> None:
    """The page loads nothing, and the same summary gives the same bytes."""
    summary, record = make_summary(), make_record()
    before = copy.deepcopy((summary, record))
    page = make_page(summary, record)
    assert page == make_page(*copy.deepcopy(before)) and (summary, record) == before
    assert len(page.encode()) < 200_000
    assert not re.search(r"https?:|//\w|@import|url\(|\ssrc=", page)
    links = Page(page).links
    assert links and all(link.startswith("#") for link in links)
    assert 'lang="en"' in page and 'name="viewport"' in page and "<title>" in page


@pytest.mark.slow
def test_on_screens_and_on_paper(browser: Any, axe: Any, tmp_path: Path) -> None:
    """The page is readable and accessible on wide and narrow, light and dark screens, and in print."""
    check_page(browser, axe, make_page(make_summary(), make_record()), tmp_path)
