"""Errors about a rated table or its options say what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from naturalness.data.formats import location
from naturalness.data.labels import RULES, LabelRule
from naturalness.data.rated import read_rated
from naturalness.errors import NaturalnessError

RATED = "text/rating\nThe cat naps./5\nDog the barks./1\n"
LISTS = "text/ratings\nThe cat naps./5 5\nDog the barks./1 1\n"
LABELLED = "text/label\nThe cat naps./good\nDog the barks./bad\n"
ERRORS: list[tuple[str, dict[str, Any], str]] = [
    (
        "text/stars\nA cat./5\n",
        {},
        "'t.tsv' has no column 'label', 'rating' or 'ratings'; it has: text, stars. Name one with "
        "`label_column` or `rating_columns`",
    ),
    (
        RATED,
        {"rating_columns": ["raiting"]},
        "'t.tsv' has no column 'raiting'; did you mean 'rating'? It has: text, rating",
    ),
    (RATED, {"source_column": "xyz"}, "'t.tsv' has no column 'xyz'; it has: text, rating"),
    (
        RATED,
        {"text_column": "sentence"},
        "'t.tsv' has no column 'sentence'; it has: text, rating. Name the column of texts with `text_column`",
    ),
    (
        "text/f/g/h\nA cat./5/5/5;5\n",
        {"rating_columns": ["f", "g", "h"]},
        "2 rating columns and 1 of individual ratings; expected one of each per aspect, in the same order",
    ),
    (
        LABELLED,
        {"label_column": "label", "rule": LabelRule(4)},
        "labels come either from column 'label' or from ratings by a rule; give one",
    ),
    (
        LABELLED,
        {"rule": LabelRule(4)},
        "a label rule needs ratings, and 't.tsv' has labels only; leave out the rule, or name ratings "
        "with `rating_columns`. It has: text, label",
    ),
    (
        "text/label\nThe cat naps./ok\nDog the barks./broken\n",
        {},
        "column 'label' of 't.tsv' holds the labels broken, ok, whose order is not known; name "
        "them with `labels=worst,…,best` (if they are ratings, name the column with "
        "`rating_columns`, and write plain numbers)",
    ),
    (
        LABELLED,
        {"order": ["bad", "god"]},
        "column 'label' of 't.tsv' holds no label 'god'; did you mean 'good'? It holds: bad, good",
    ),
    (
        RATED,
        {"order": ["bad", "good"]},
        "`labels` orders the labels of a column, but 't.tsv' has no column of labels; name it with "
        "`label_column`. It has: text, rating",
    ),
    (
        RATED,
        {"rule": RULES["groves2018-likert"]},
        "'t.tsv': the rule needs individual ratings, but only means are given; name their columns with "
        "`rating_columns` (or who gave each rating with `rater_column`), or use a rule on the mean",
    ),
    (
        LISTS,
        {"rater_scale": "z"},
        "to scale ratings with 'z', 't.tsv' needs the raters: name `rater_column`. It has: text, ratings",
    ),
    (
        LABELLED,
        {"rater_scale": "z", "rater_column": "label"},
        "to scale ratings with 'z', 't.tsv' needs a column of ratings. It has: text, label",
    ),
    (RATED, {"scale": (6, 1)}, "found scale (6, 1); expected two finite numbers, the lower first"),
    (RATED, {"scale": "1,6"}, "found scale '1,6'; expected two finite numbers, the lower first"),
    (RATED, {"scale": (1,)}, "found scale (1,); expected two finite numbers, the lower first"),
    (RATED, {"scale": (7, 9)}, "no row of 't.tsv' can be used: rating outside of the scale 7 to 9, as 5.0 (2)"),
    (
        "text/rating\n/5\nA cat./\nThe dog./x\n",
        {},
        "no row of 't.tsv' can be used: empty text (1), no rating (1), not a number in column 'rating', as 'x' (1)",
    ),
    (
        "text/rating/who\nThe cat naps./5/ann\nDog the barks./1/ben\n",
        {"rater_column": "who", "rater_scale": "z", "rule": LabelRule(0, floor=-1)},
        "no row of 't.tsv' can be used: no rating on a rater's scale (2)",
    ),
    ("text/rating\n", {}, "no row of 't.tsv' can be used: it has no rows"),
]


@pytest.mark.parametrize(("table", "options", "message"), ERRORS)
def test_messages(table: str, options: dict[str, Any], message: str, rated: Any) -> None:
    """The message is one line that says what was found, what was expected and what to do."""
    with pytest.raises(NaturalnessError) as caught:
        rated(table, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no row of 't.jsonl' can be used: it has no rows"),
        ("{\n{\n", "no row of 't.jsonl' can be used: not JSON (2)"),
        (
            '{"text": "A cat.", "stars": 5}\n{"text": "The dog."}\n',
            "'t.jsonl' has no column 'rate'; it has: text, stars",
        ),
    ],
)
def test_a_column_exists_if_some_rows_of_json_lines_have_it(
    content: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A column exists if some rows of JSON lines have it, and is missing if none has it."""
    monkeypatch.chdir(tmp_path)
    Path("t.jsonl").write_text(content)
    with pytest.raises(NaturalnessError) as caught:
        read_rated(location("t.jsonl"), rating_columns=["rate"])
    assert str(caught.value) == message
    with Path("t.jsonl").open("a") as file:
        file.write('{"text": "The sky is blue.", "rate": 5}\n')
    assert read_rated(location("t.jsonl"), rating_columns=["rate"]).ratings == [5]
