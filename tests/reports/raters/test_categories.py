"""Categories of texts, and their error rates calculated by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naturalness.reports.raters import categories
from naturalness.reports.raters.categories import (
    MEASURED,
    NO_FINDINGS,
    Category,
    categorise,
    find_rates,
    odd_kinds,
    p_of_difference,
)
from naturalness.statistics.measures import effective_number, wilson
from naturalness.text.parsing import parse
from naturalness.text.view import Doc
from tests.support.rater_reports import judged

EXAMPLES = {
    "relative clauses": ("The man who sold us the boat has moved away.", "The man sold us a boat."),
    "adverbial clauses": ("She left because it rained.", "We know that she left."),
    "complement clauses": ("We know that she left early.", "She left early."),
    "passive clauses": ("The bridge was built by two brothers.", "Two brothers built the bridge."),
    "no subject": ("A long walk along the river.", "We walked along the river."),
    "several sentences": ("It rained. We stayed at home.", "It rained."),
    "no capital letter": ("it rained.", "It rained."),
    "spaces before punctuation": ("It rained .", "It rained."),
    "no punctuation at the end": ("It rained", "It rained."),
}


@pytest.mark.parametrize("name", [name for _, name, *_ in MEASURED])
def test_categories_by_features(name: str) -> None:
    """The first text belongs to the category, and the second does not."""
    (rows,) = (category.rows for category in categorise(EXAMPLES[name], {}, nlp="en") if category.name == name)
    assert rows.tolist() == [True, False]


def test_categories_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Categories are length bands, features, kinds of findings and columns; a text without words has no feature."""

    def kinds(doc: Doc) -> set[str]:
        return {"order"} if "rained" in doc.text else set()

    monkeypatch.setattr(categories, "odd_kinds", kinds)
    texts = ["She left because it rained.", "Two dogs sleep.", "", "The houses are old ."]
    found = categorise(texts, {"register": ["a", "b", "a", "a"]}, nlp="en")
    rows = {(category.dimension, category.name): category.rows.tolist() for category in found}
    assert rows["found", "word order"] == [True, False, False, False]
    assert rows["found", NO_FINDINGS] == [False, True, True, True]
    assert ("found", "preposition") not in rows
    assert rows["length", "1–5 words"] == [True, True, False, True]
    assert rows["clauses", "adverbial clauses"] == [True, False, False, False]
    assert rows["writing", "spaces before punctuation"] == [False, False, False, True]
    assert rows["register", "a"] == [True, False, True, True]
    names = [category.dimension for category in found]
    assert names == sorted(names, key=list(dict.fromkeys(names)).index)


def test_length_bands() -> None:
    """Length bands have no gap."""
    texts = ["dog " * words for words in (1, 5, 6, 40, 41)]
    bands = [category.rows for category in categorise(texts, {}, nlp="en") if category.dimension == "length"]
    assert np.sum(bands, axis=0).tolist() == [1] * 5


def test_kinds_of_findings() -> None:
    """Confident findings of the detector or the rules have kinds."""
    wrong, right, empty = map(odd_kinds, parse(["He go to school every day.", "He goes to school every day.", ""]))
    assert wrong & {"agreement", "verb"}
    assert not right and not empty


def category(rows: object, name: str = "some") -> Category:
    """Return a category of these rows."""
    return Category("length", name, np.array(rows, dtype=bool))


def test_rates_by_hand() -> None:
    """Of ten labels, four are wrong, three of them in the first half."""
    some = judged([0.9] * 10, [0, 0, 1, 1, 0, 1, 1, 1, 1, 0])
    whole, half = find_rates(some, [category([1] * 5 + [0] * 5)])
    assert (whole.texts, whole.errors, whole.rate) == (10, 4, 0.4)
    assert (half.texts, half.errors, half.rate, half.rest) == (5, 3, 0.6, 0.2)
    assert (half.too_high, half.too_low) == (0.6, 0.0)
    assert (half.low, half.high) == pytest.approx(wilson(3, 5))
    assert half.verdict == ""
    assert math.isnan(half.p)


def test_clearly_worse_categories() -> None:
    """A category with half of 100 labels wrong is worse than the rest with a tenth of 300 wrong."""
    truth = [0] * 50 + [1] * 50 + [0] * 30 + [1] * 270
    rows = [True] * 100 + [False] * 300
    whole, bad, good = find_rates(judged([0.9] * 400, truth), [category(rows), category(np.invert(rows), "rest")])
    assert (bad.verdict, good.verdict) == ("worse", "better")
    assert bad.p < 0.001
    assert whole.verdict == ""


def test_sources_are_counted_instead_of_texts() -> None:
    """Ten copies of a text from one source count as one text."""
    wrong = np.array([1, 0, 0, 1, 0] * 2, dtype=float)
    many, groups = np.repeat(wrong, 10), np.repeat(np.arange(10), 10)
    assert effective_number(many - 0.4, groups, 0.24) == pytest.approx(10.0)
    assert effective_number(many - 0.4, np.arange(100), 0.24) == pytest.approx(100.0)
    inside = np.repeat([True, True, False, False, False] * 2, 10)
    alone = p_of_difference(many == 1, inside, np.arange(100))
    together = p_of_difference(many == 1, inside, groups)
    assert alone < together


def test_random_categories_are_rarely_called_clear() -> None:
    """In 50 simulations, random categories are rarely called clearly worse or better."""
    rng = np.random.default_rng(5)
    flagged = 0
    for _ in range(50):
        some = judged([0.9] * 300, (rng.random(300) < 0.7).astype(int).tolist())
        categories = [category(rng.random(300) < rng.uniform(0.05, 0.5)) for _ in range(40)]
        flagged += any(one.verdict for one in find_rates(some, categories))
    assert flagged <= 7
