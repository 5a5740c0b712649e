"""Labels of a table: equal spellings, known and given orders, majorities."""

from __future__ import annotations

import pytest

from naturalness.data.labels import known_order, listed, majority, match_order, unify
from naturalness.errors import TableError


@pytest.mark.parametrize(
    ("classes", "order"),
    [
        (["natural", "unnatural"], ["unnatural", "natural"]),
        (["Natural", "Not Sure", "Unnatural"], ["Unnatural", "Not Sure", "Natural"]),
        (["1", "0"], ["0", "1"]),
        (["1.0", "0.0"], ["0.0", "1.0"]),
        (["1", "-1"], ["-1", "1"]),
        (["1.0", "-1.0"], ["-1.0", "1.0"]),
        (["True", "False"], ["False", "True"]),
        (["yes", "maybe", "no"], ["no", "maybe", "yes"]),
        (["good", "bad"], ["bad", "good"]),
        (["perfect", "not perfect"], ["not perfect", "perfect"]),
        (["perfect", "not_perfect"], ["not_perfect", "perfect"]),
        (["acceptable", "unacceptable"], ["unacceptable", "acceptable"]),
        (["grammatical", "ungrammatical"], ["ungrammatical", "grammatical"]),
        (["fluent", "disfluent"], ["disfluent", "fluent"]),
        (["FLUENT", "not-fluent"], ["not-fluent", "FLUENT"]),
        (["natural"], ["natural"]),
    ],
)
def test_known_labels_order_themselves(classes: list[str], order: list[str]) -> None:
    """Known labels are ordered in any case and with any hyphen; the table's names are kept."""
    assert known_order(classes, "column 'label'") == order


@pytest.mark.parametrize("classes", [["ok", "broken"], ["1", "2"], ["good", "no"], ["not sure"]])
def test_unknown_labels_must_be_ordered_by_the_user(classes: list[str]) -> None:
    """Labels of two pairs do not order each other; a middle label alone orders nothing."""
    with pytest.raises(TableError) as caught:
        known_order(classes, "column 'label' of 'x.tsv'")
    assert str(caught.value) == (
        f"column 'label' of 'x.tsv' holds the labels {listed(classes)}, whose order is not known; "
        "name them with --labels worst,…,best (if they are ratings, name the column with "
        "--rating-columns, and write plain numbers)"
    )


def test_many_labels_are_cut_short() -> None:
    """The error stays short for a column of texts chosen by mistake."""
    assert listed(f"{i:02}" for i in range(30)) == (
        "'00', '01', '02', '03', '04', '05', '06', '07', '08', '09', … (30 in all)"
    )


def test_spellings_become_one_class() -> None:
    """The most frequent spelling names the class."""
    assert unify(["Good", "good", "good", "1.0", "1", "1"]) == {"Good": "good", "good": "good", "1.0": "1", "1": "1"}


@pytest.mark.parametrize("classes", [["-1", "1"], ["-1", "0", "1"], ["A", "A-", "B", "B-"], ["+", "-"]])
def test_signs_are_no_accident_of_spelling(classes: list[str]) -> None:
    """A minus before a number or after a grade makes another class."""
    assert unify(classes) == {name: name for name in classes}
    assert match_order(classes, classes, "x") == {name: name for name in classes}


def test_a_given_order_names_the_classes() -> None:
    """Labels outside the given order count as absent."""
    assert match_order(["Bad", "fine"], ["fine", "bad", "other"], "x") == {"bad": "Bad", "fine": "fine"}


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["good"], "--labels good: expected two or more different labels, worst first"),
        (["bad", "Bad"], "--labels bad,Bad: expected two or more different labels, worst first"),
        (["bad", "goood"], "column holds no label 'goood'; did you mean 'good'?"),
        (["bad", "xyz"], "column holds no label 'xyz'; it holds 'bad', 'good'"),
    ],
)
def test_slips_in_a_given_order_are_refused(order: list[str], message: str) -> None:
    """An unknown label in the order would silently lose a class."""
    with pytest.raises(TableError) as caught:
        match_order(order, ["good", "bad"], "column")
    assert str(caught.value) == message


def test_majorities_fall_to_the_worse_label() -> None:
    """The worse label wins a tie; without labels there is no majority."""
    order = ["bad", "fair", "good"]
    assert majority(["good", "good", "bad"], order) == "good"
    assert majority(["good", "bad"], order) == "bad"
    assert majority(["good", "fair", "good", "fair", "bad"], order) == "fair"
    assert majority([], order) is None
