"""Rows say who wrote a text and what it answers; each different text is explained once."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from naturalness.data.reading import NamedTexts
from naturalness.errors import TableError
from naturalness.explaining.explanation import as_row
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.systems.answers import ALL_TEXTS, MAX_SYSTEMS
from naturalness.reports.systems.rows import Columns, TextRow, arrange, explain_rows, judge_of
from tests.support.labelling import small_model

TEXTS = ["one", "two", "three", "four"]
NEW = NamedTexts(
    TEXTS,
    ["", "", "", "empty text"],
    {"system": ["a", "b", "a", "b"], "id": ["1", "2", "3", "4"], "source": ["x", "x", "y", "y"]},
)


def test_inputs_that_systems_share() -> None:
    """The first column whose values have texts of two systems; ids of rows are none."""
    (rows,), columns = arrange(NEW, None, by="system")
    assert columns == Columns("system", "source")
    assert [(one.system, one.source, one.key) for one in rows] == [
        ("a", "x", ""),
        ("b", "x", ""),
        ("a", "y", ""),
        ("b", "y", ""),
    ]
    assert rows[3].problem == "empty text"


def test_texts_of_two_runs() -> None:
    """Rows are found again by a column that names each once."""
    old = NamedTexts(TEXTS[:3], [""] * 3, {name: v[:3] for name, v in NEW.columns.items()})
    (new, before), columns = arrange(NEW, old, by="system")
    assert columns == Columns("system", "source", "id")
    assert [one.key for one in before] == ["1", "2", "3"]
    (new, before), columns = arrange(NEW, old)
    assert columns == Columns("", "", "id")
    assert {one.system for one in new + before} == {ALL_TEXTS}


def test_a_run_of_a_new_system() -> None:
    """That systems have other names than before hides no keys."""
    old = NamedTexts(TEXTS, [""] * 4, {**NEW.columns, "system": ["c", "d", "c", "d"]})
    _, columns = arrange(NEW, old, by="system")
    assert columns == Columns("system", "source", "id")


def test_no_column_fits() -> None:
    """Then nothing is shared and texts are paired by order."""
    plain = NamedTexts(TEXTS, [""] * 4, {})
    (rows, _), columns = arrange(plain, plain)
    assert columns == Columns()
    assert rows[0].key == rows[0].source == ""


def test_rows_without_a_system() -> None:
    """They are left out and counted; the others keep their numbers."""
    some = NamedTexts(TEXTS, [""] * 4, {"system": ["a", "", "b", ""]})
    (rows,), columns = arrange(some, None, by="system")
    assert [one.row for one in rows] == [0, 2]
    assert columns.n_without_system == 2


def test_too_many_systems_are_refused_before_anything_is_explained() -> None:
    """A column of texts taken for systems; rows without a system count as none."""
    names = [f"system {i}" for i in range(MAX_SYSTEMS + 1)]
    cells = NamedTexts(names, [""] * len(names), {"reply": names})
    with pytest.raises(TableError, match=r"found 41 systems.*\(`system_column`\)"):
        arrange(cells, None, by="reply")
    arrange(NamedTexts(names, [""] * len(names), {"reply": ["", *names[1:]]}), None, by="reply")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> NaturalnessModel:
    """A model of quick groups."""
    return load_model(small_model(Path(tmp_path_factory.mktemp("small")) / "model"))


def test_each_text_once(model: NaturalnessModel) -> None:
    """Whatever the batch, equal texts share an explanation, which is that of the model."""
    rows = [TextRow("Old boats float. They leak.", "a", "s", "k", 7), TextRow("Dogs bark.", "b")]
    progress: list[tuple[int, int]] = []
    (new, old) = explain_rows(model, [rows, rows[::-1]], batch_size=1, advance=lambda *done: progress.append(done))
    assert progress == [(0, 2), (1, 2), (2, 2)]
    assert new[0].explanation is old[1].explanation
    # As text: undefined numbers are equal to nothing.
    assert repr([as_row(one.explanation) for one in new]) == repr(
        [as_row(one) for one in model.explain([r.text for r in rows])]
    )
    assert (new[0].system, new[0].source, new[0].key, new[0].row) == ("a", "s", "k", 7)
    assert (new[0].n_words, new[0].n_sentences, new[1].n_sentences) == (5, 2, 1)


def test_rows_that_cannot_be_used(model: NaturalnessModel) -> None:
    """They keep their place and have their own reason, or the model's."""
    other = replace(model.saved, description=replace(model.saved.description, threshold=0.3))
    model = NaturalnessModel(other, model.name, folder=model.folder)
    ((bad, empty),) = explain_rows(model, [[TextRow("", problem="not JSON"), TextRow("...")]])
    assert not bad.scored and not empty.scored
    assert (bad.explanation.reason, empty.explanation.reason) == ("not JSON", "no words")
    assert math.isnan(bad.explanation.total)
    assert bad.explanation.threshold == empty.explanation.threshold == 0.3


def test_the_judge(model: NaturalnessModel) -> None:
    """Its name without the path, its threshold and its better label."""
    judge = judge_of(model)
    assert (judge.name, judge.unit, judge.best) == ("model", "log-odds", "True")
    assert 0 < judge.threshold < 1
