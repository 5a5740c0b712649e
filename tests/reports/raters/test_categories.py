"""Categories of texts, and their error rates calculated by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from naturalness.explaining.explanation import Finding
from naturalness.reports.raters import categories
from naturalness.reports.raters.categories import (
    FINDING_KINDS,
    KINDS,
    NO_FINDINGS,
    WRITING,
    Category,
    band,
    categorise,
    find_rates,
    kinds_of,
    p_of_difference,
    writing_of,
)
from naturalness.statistics.measures import effective, wilson
from naturalness.text.parsing import parse
from naturalness.text.view import view
from tests.support.rater_reports import judged

EXAMPLES = {
    "main clauses only": ("The baker opened her shop at six.", "She left because it rained."),
    "subordinate clause": ("She left because it rained.", "The baker opened her shop at six."),
    "relative clause": ("The man who sold us the boat has moved away.", "The man sold us a boat."),
    "adverbial clause": ("She left because it rained.", "We know that she left."),
    "complement clause": ("We know that she left early.", "She left early."),
    "question": ("Did you find the keys?", "I found the keys."),
    "command": ("Close the door quietly.", "She closed the door quietly."),
    "passive": ("The bridge was built by two brothers.", "Two brothers built the bridge."),
    "coordinated clauses": ("She wrote a letter and he posted it.", "She wrote a letter."),
    "fragment or title": ("A long walk along the river.", "We walked along the river."),
    "insert or parenthesis": ("He will, of course, come back.", "He will come back, I hope."),
    "“there is”": ("There are two chairs in the kitchen.", "Two chairs are over there."),
    "negation": ("They did not answer.", "They answered."),
    "quotation": ("She said “good morning” to us.", "She said good morning to us."),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_kinds(name: str) -> None:
    """The first sentence has this construction, the second does not."""
    docs = parse(list(EXAMPLES[name]))
    kinds = [{kind for _, kind in kinds_of(view(doc))} for doc in docs]
    assert name in kinds[0]
    assert name not in kinds[1]


def test_every_kind_has_an_example() -> None:
    """Every construction has a pair of sentences."""
    assert set(EXAMPLES) == {name for kinds in KINDS.values() for name in kinds}


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("We bought apples, pears, and plums.", False),
        ("My uncle (a retired sailor) cooks well.", True),
        ("My uncle, a retired sailor, cooks well.", True),
        ("The train – as always – was late.", True),
        ("The History of the Small Wooden Boat", False),
    ],
)
def test_inserts(text: str, is_one: bool) -> None:
    """A list of items is not an insert."""
    kinds = kinds_of(view(parse([text])[0]))
    assert (("construction", "insert or parenthesis") in kinds) == is_one


def test_titles_sentences_and_typing() -> None:
    """A capitalised line without a full stop is a title; typing habits are read from the text itself."""
    docs = parse(["The History of the Small Wooden Boat", "It rained. We stayed at home."])
    assert ("construction", "fragment or title") in kinds_of(view(docs[0]))
    assert ("construction", "several sentences") in kinds_of(view(docs[1]))
    capital, spaces, end, contraction = WRITING
    written = {
        "there is no hotel , sorry .": {capital, spaces},
        "We don’t know": {contraction, end},
        "Fine.": set(),
        "1 2 .": {spaces},
    }
    for text, names in written.items():
        assert writing_of(text) == {("writing", name) for name in names}


TEXTS = ["She left because it rained.", "Two dogs dogs sleep.", "", "The houses is old ."]


def finding(kind: str, weight: float = 0.9) -> Finding:
    """Return a finding of a kind."""
    return Finding(0, 1, "x", kind, "order", "odd", "rules", weight)


@pytest.fixture
def findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the finders: the first text has a word-order error, the others an uncertain preposition."""
    monkeypatch.setattr(categories, "find_odd", odd)


def odd(docs: Sequence[Any]) -> list[list[Finding]]:
    return [[finding("order")] if "rained" in d.text else [finding("preposition", 0.3)] for d in docs]


@pytest.mark.usefixtures("findings")
def test_categories_of_texts() -> None:
    """Uncertain findings do not count; a text without words has no construction."""
    found = categorise(TEXTS, {"register": ["a", "b", "a", "a"]}, nlp="en")
    rows = {(one.dimension, one.name): one.rows.tolist() for one in found}
    assert rows["found", "word order"] == [True, False, False, False]
    assert rows["found", NO_FINDINGS] == [False, True, True, True]
    assert ("found", "preposition") not in rows
    assert rows["clauses", "subordinate clause"] == [True, False, False, False]
    assert rows["writing", "spaces before punctuation"] == [False, False, False, True]
    assert rows["register", "a"] == [True, False, True, True]
    names = [one.dimension for one in found]
    assert names == sorted(names, key=list(dict.fromkeys(names)).index)


def test_other_texts_change_nothing() -> None:
    """A text alone is in the same categories."""
    together = categorise(TEXTS, {}, nlp="en")
    for row, text in enumerate(TEXTS):
        alone = {(category.dimension, category.name) for category in categorise([text], {}, nlp="en")}
        assert alone == {(category.dimension, category.name) for category in together if category.rows[row]}


@pytest.mark.parametrize(
    ("words", "expected"),
    [(1, "1–5 words"), (5, "1–5 words"), (6, "6–10 words"), (40, "31–40 words"), (41, "over 40 words")],
)
def test_bands(words: int, expected: str) -> None:
    """Length bands have no gap."""
    assert band(words) == expected


def test_real_findings_are_sorted_into_kinds() -> None:
    """Findings of the detector and the rules belong to known categories."""
    texts = ["He go to school every day.", "We live on a small house small house."]
    found = categorise(texts, {}, nlp="en")
    odd = {one.name for one in found if one.dimension == "found"}
    assert "agreement" in odd or "verb form" in odd
    assert odd <= {*FINDING_KINDS, NO_FINDINGS}


def category(rows: object, name: str = "some") -> Category:
    """Return a category of these rows."""
    return Category("length", name, np.array(rows, dtype=bool))


def test_rates_by_hand() -> None:
    """Of ten texts, four are wrong, three of them in the first half."""
    some = judged([0.9] * 10, [0, 0, 1, 1, 0, 1, 1, 1, 1, 0])
    whole, half = find_rates(some, [category([1] * 5 + [0] * 5)])
    assert (whole.texts, whole.errors, whole.rate) == (10, 4, 0.4)
    assert (half.texts, half.errors, half.rate, half.rest) == (5, 3, 0.6, 0.2)
    assert (half.too_high, half.too_low) == (0.6, 0.0)
    assert (half.low, half.high) == pytest.approx(wilson(3, 5))
    assert half.verdict == ""
    assert math.isnan(half.p)


def test_clearly_worse_is_said() -> None:
    """Half of 100 texts are wrong, and a tenth of 300."""
    truth = [0] * 50 + [1] * 50 + [0] * 30 + [1] * 270
    rows = [True] * 100 + [False] * 300
    whole, bad, good = find_rates(judged([0.9] * 400, truth), [category(rows), category(np.invert(rows), "rest")])
    assert (bad.verdict, good.verdict) == ("worse", "better")
    assert bad.p < 0.001
    assert whole.verdict == ""


def test_sources_count_and_not_texts() -> None:
    """Ten copies of a source count as one text."""
    wrong = np.array([1, 0, 0, 1, 0] * 2, dtype=float)
    many, groups = np.repeat(wrong, 10), np.repeat(np.arange(10), 10)
    assert effective(many, groups) == pytest.approx(10.0)
    assert effective(many, np.arange(100)) == pytest.approx(100.0)
    inside = np.repeat([True, True, False, False, False] * 2, 10)
    alone = p_of_difference(many == 1, inside, np.arange(100))
    together = p_of_difference(many == 1, inside, groups)
    assert alone < together


def test_chance_is_seldom_called_clear() -> None:
    """Forty random categories are seldom called clear, in 50 simulations."""
    rng = np.random.default_rng(5)
    flagged = 0
    for _ in range(50):
        some = judged([0.9] * 300, (rng.random(300) < 0.7).astype(int).tolist())
        categories = [category(rng.random(300) < rng.uniform(0.05, 0.5)) for _ in range(40)]
        flagged += any(one.verdict for one in find_rates(some, categories))
    assert flagged <= 7
