"""Ratings from a table: matched, stored once, and counted where they do not fit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from naturalness.data.formats import Location, location
from naturalness.errors import TableError
from naturalness.studio.annotate.project import LABELS, PAIRS, Imported, Project, RatingColumns, Scale
from tests.support.annotation_projects import SCALE, TEXTS, InOrder, Make, ask, nothing, rate

NATURAL = Scale(LABELS, 0.0, 2.0, ("unnatural", "not sure", "natural"))
TWO = Scale(PAIRS, -1, 1)


def table(folder: Path, rows: Sequence[Mapping[str, Any]], name: str = "old.jsonl") -> Location:
    """A table of JSON lines."""
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return location(str(path))


def values(project: Project) -> dict[tuple[str, tuple[int, ...]], float | None]:
    """What each rater says of each item."""
    return {(r.question.rater, r.question.texts): r.answer.value for r in project.ratings()}


def test_a_table_is_read_twice(make: Make) -> None:
    """Of standard input the second reading would lack rows."""
    with pytest.raises(TableError, match="an import reads its table twice; give a file, not standard input"):
        make().import_ratings(location("-"))


def test_a_rating_per_row(tmp_path: Path, make: Make) -> None:
    """Texts are the same apart from blanks around them; what does not fit is counted with an example."""
    rows = [
        {"text": TEXTS[0], "rater": "Ann", "rating": 5},
        {"text": f" {TEXTS[1]} ", "rater": "Ann", "rating": "2"},
        {"text": TEXTS[1], "rater": "Ben", "rating": 3.0},
        {"text": TEXTS[1], "rater": "Ben", "rating": 4},
        {"text": "Nobody asked about this one.", "rater": "Ann", "rating": 4},
        {"text": TEXTS[2], "rater": "Ann", "rating": 7},
        {"text": TEXTS[2], "rater": "Ann", "rating": 2.5},
        {"text": TEXTS[2], "rater": "Ann", "rating": "good"},
        {"text": TEXTS[2], "rater": "Ann", "rating": None},
        {"text": TEXTS[2], "rater": "", "rating": 4},
        {"text": TEXTS[2], "rater": "=Ann", "rating": 4},
        {"text": "", "rater": "Ann", "rating": 4},
    ]
    project = make()
    imported = project.import_ratings(table(tmp_path, rows), tests={1})
    assert (imported.stored, imported.texts, imported.raters, imported.known) == (3, 2, 2, 0)
    assert imported.left_out == {
        "a rating that is not on the scale (1 to 6), as 7": 3,
        "another rating of the same text by the same rater; the first counts": 1,
        "a text that the project does not have, as 'Nobody asked about this one.'": 1,
        "no rating": 1,
        "no rater": 1,
        "a rater's name that cannot be stored, as '=Ann'": 1,
        "empty text": 1,
    }
    assert values(project) == {("Ann", (0,)): 5.0, ("Ann", (1,)): 2.0, ("Ben", (1,)): 3.0}
    assert [rating.question.test for rating in project.ratings()] == [False, True, True]
    assert {rating.question.reason for rating in project.ratings()} == {"imported"}


def test_the_same_table_again_changes_nothing(tmp_path: Path, make: Make) -> None:
    """Ratings of the project stay; an open question is answered by the table, an answered one is not."""
    project = make()
    rate(project, "Ann", 0, 1.0)
    rate(project, "Ann", 2, None)
    asked = ask(project, "Ann", (1,))
    rows = [{"text": text, "rater": "Ann", "rating": 6} for text in TEXTS]
    first = project.import_ratings(table(tmp_path, rows))
    assert (first.stored, first.known) == (3, 0)
    assert first.left_out == {"the project has another answer of this rater, which stays": 2}
    again = project.import_ratings(table(tmp_path, rows))
    assert (again.stored, again.known, again.left_out) == (0, 3, first.left_out)
    assert values(project)[("Ann", (0,))] == 1.0
    assert asked is not None and project.next_question("Ann", nothing) is None
    # Imported questions are no turns: every fifth of those that are asked is for the test share.
    choose = InOrder(project, "Ann")
    assert project.next_question("Ann", choose) is None
    assert choose.turns[0][1] == 3


def test_labels_by_name_or_number(tmp_path: Path, make: Make) -> None:
    """In a column of labels or of ratings; 0 is the worst, as in an export."""
    project = make(scale=NATURAL)
    labels = [{"text": TEXTS[n], "rater": 7, "label": label} for n, label in enumerate(["Natural", "not sure", "odd"])]
    imported = project.import_ratings(table(tmp_path, labels))
    assert imported.left_out == {"a rating that is not on the scale (unnatural, not sure, natural), as 'odd'": 1}
    project.import_ratings(table(tmp_path, [{"text": TEXTS[3], "rater": "7", "rating": 0}]))
    assert values(project) == {("7", (0,)): 2.0, ("7", (1,)): 1.0, ("7", (3,)): 0.0}


def test_columns_by_name(tmp_path: Path, make: Make) -> None:
    """A column that is not there is named with what there is, and the option that names it."""
    project = make()
    where = table(tmp_path, [{"sentence": TEXTS[0], "who": "Ann", "score": 4}])
    imported = project.import_ratings(where, RatingColumns("sentence", "score", "who"))
    assert imported.stored == 1
    with pytest.raises(TableError, match=r"no column 'rater'.* `rater_column`"):
        project.import_ratings(where, RatingColumns("sentence", "score"))
    with pytest.raises(TableError, match=r"no column 'rating'.* `rating_columns`"):
        project.import_ratings(where, RatingColumns("sentence", rater="who"))
    with pytest.raises(TableError, match="did you mean 'score'"):
        project.import_ratings(where, RatingColumns("sentence", "scores", "who"))
    with pytest.raises(TableError, match="has no rows"):
        project.import_ratings(table(tmp_path, [], "none.jsonl"), RatingColumns(None, None, None))


def test_a_column_per_rater(tmp_path: Path, make: Make) -> None:
    """A missing rating is no fault; the columns are named after the raters."""
    rows = [{"text": TEXTS[0], "Ann": 5, "Ben": None}, {"text": TEXTS[1], "Ann": "", "Ben": 2}]
    project = make()
    imported = project.import_ratings(table(tmp_path, rows), RatingColumns(by_rater=("Ann", "Ben")))
    assert (imported.stored, imported.raters, imported.left_out) == (2, 2, {})
    assert values(project) == {("Ann", (0,)): 5.0, ("Ben", (1,)): 2.0}
    with pytest.raises(TableError, match="no column 'Bea'; did you mean 'Ben'"):
        project.import_ratings(table(tmp_path, rows), RatingColumns(by_rater=("Ann", "Bea")))


def exported(project: Project, path: Path) -> Imported:
    """What a second project with the same texts takes from the export of a first."""
    project.export(str(path))
    rows = [(text.text, dict(text.cells)) for text in project.texts()]
    other = Project.create(
        path.with_suffix(".other"), rows, project.scale, context=project.settings.context, text_column="text"
    )
    source = path.with_name(f"{path.stem}.pairs{path.suffix}") if project.scale.kind == PAIRS else path
    with other:
        imported = other.import_ratings(location(str(source)))
        assert values(other) == values(project)
    return imported


@pytest.mark.parametrize("scale", [SCALE, NATURAL, Scale(LABELS, 0.0, 4.0, ("1", "2", "3", "4", "5"))])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_an_export_comes_back(tmp_path: Path, make: Make, scale: Scale, suffix: str) -> None:
    """Lists of raters and of ratings, in every format."""
    project = make(scale=scale, overlap=2)
    for rater, value in (("Ann", 1.0), ("Lee, Ben", 2.0)):
        for text in (0, 3):
            rate(project, rater, text, value)
    assert exported(project, tmp_path / f"rated{suffix}").stored == 4


def test_an_export_of_pairs_comes_back(tmp_path: Path, make: Make) -> None:
    """In the order in which the texts were seen; repeats are nobody's first rating."""
    project = make(scale=TWO, overlap=2)
    rate(project, "Ann", (1, 0), 1.0)
    rate(project, "Ben", (0, 1), 0.0)
    rate(project, "Cid", (2, 3), -1.0)
    rate(project, "Ann", (1, 0), -1.0, again=True)
    project.export(str(tmp_path / "rated.jsonl"))
    other = make(scale=TWO, name="other")
    imported = other.import_ratings(location(str(tmp_path / "rated.pairs.jsonl")), tests={2, 3, 0})
    assert (imported.stored, imported.texts) == (3, 2)
    assert sum(imported.left_out.values()) == 1
    assert values(other) == {("Ann", (1, 0)): 1.0, ("Ben", (0, 1)): 0.0, ("Cid", (2, 3)): -1.0}
    assert [rating.question.test for rating in other.ratings()] == [False, False, True]
    # Seen the other way round it is the same answer.
    turned = [{"first_text": TEXTS[0], "second_text": TEXTS[1], "better": "second", "rater": "Ann"}]
    assert other.import_ratings(table(tmp_path, turned)).known == 1
    decided = [turned[0] | {"rater": "Dan", "settled": "true"}]  # as release 0.2 exported a decision
    assert other.import_ratings(table(tmp_path, decided)).stored == 0


def test_texts_in_several_contexts(tmp_path: Path) -> None:
    """Matched with their context, where the table has it; else they are left out, as nobody knows which was meant."""
    rows = [("Yes.", {"turn": "Is it open?"}), ("Yes.", {"turn": "Is it shut?"}), ("No.", {"turn": "Is it shut?"})]
    with Project.create(tmp_path / "a", rows, SCALE, context=["turn"]) as project:
        rated = [{"text": "Yes.", "turn": " Is it shut?", "rater": "Ann", "rating": 2}]
        assert project.import_ratings(table(tmp_path, rated)).stored == 1
        bare = [{"text": text, "rater": "Ben", "rating": 2} for text in ("Yes.", "No.")]
        imported = project.import_ratings(table(tmp_path, bare))
        assert (imported.stored, sum(imported.left_out.values())) == (1, 1)
        assert values(project) == {("Ann", (1,)): 2.0, ("Ben", (2,)): 2.0}
    with Project.create(tmp_path / "b", rows, TWO, context=["turn"]) as project:
        rate(project, "Ann", (1, 2), 1.0)
        assert exported(project, tmp_path / "b.jsonl").stored == 1
