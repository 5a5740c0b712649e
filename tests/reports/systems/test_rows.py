"""Rows say which system wrote a text and which input it answers; each distinct text is explained once."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from naturalness.data.reading import NamedTexts
from naturalness.errors import TableError
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.systems.answers import ALL_TEXTS, MAX_SYSTEMS
from naturalness.reports.systems.rows import TextRow, UsedColumns, arrange, explain_rows, judge_of
from tests.support.labelling import small_model

TEXTS = ["one", "two", "three", "four"]
NEW = NamedTexts(
    TEXTS,
    ["", "", "", "empty text"],
    {"system": ["a", "b", "a", "b"], "id": ["1", "2", "3", "4"], "source": ["x", "x", "y", "y"]},
)
OLD = NamedTexts(TEXTS[:3], [""] * 3, {name: cells[:3] for name, cells in NEW.columns.items()})
RENAMED = NamedTexts(TEXTS, [""] * 4, {**NEW.columns, "system": ["c", "d", "c", "d"]})
PLAIN = NamedTexts(TEXTS, [""] * 4, {})


@pytest.mark.parametrize(
    ("new", "old", "by", "columns"),
    [
        # Systems share the values of `source`; `id` identifies rows.
        (NEW, None, "system", UsedColumns("system", "source")),
        (NEW, OLD, "system", UsedColumns("system", "source", "id")),
        (NEW, OLD, "", UsedColumns("", "", "id")),
        # Renamed systems do not hide the keys.
        (NEW, RENAMED, "system", UsedColumns("system", "source", "id")),
        (PLAIN, PLAIN, "", UsedColumns()),
    ],
)
def test_columns_of_inputs_and_keys(new: NamedTexts, old: NamedTexts | None, by: str, columns: UsedColumns) -> None:
    """The first suitable column identifies shared inputs, and another pairs the texts of two runs."""
    tables, used = arrange(new, old, by=by)
    assert used == columns
    assert [row.key for row in tables[0]] == [new.columns[columns.key][i] if columns.key else "" for i in range(4)]
    assert {row.system for row in tables[0]} == ({"a", "b"} if by else {ALL_TEXTS})
    assert tables[0][3].problem == new.problems[3]


def test_rows_without_a_system() -> None:
    """They are left out and counted; the other rows keep their numbers, and too many systems are refused."""
    some = NamedTexts(TEXTS, [""] * 4, {"system": ["a", "", "b", ""]})
    (rows,), columns = arrange(some, None, by="system")
    assert ([row.row for row in rows], columns.n_without_system) == ([0, 2], 2)
    names = [f"system {i}" for i in range(MAX_SYSTEMS + 1)]
    with pytest.raises(TableError, match=r"found 41 systems.*\(`system_column`\)"):
        arrange(NamedTexts(names, [""] * len(names), {"reply": names}), None, by="reply")
    arrange(NamedTexts(names, [""] * len(names), {"reply": ["", *names[1:]]}), None, by="reply")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> NaturalnessModel:
    """Return a model that reads only fast feature groups."""
    return load_model(small_model(Path(tmp_path_factory.mktemp("small")) / "model"))


def test_each_text_is_explained_once(model: NaturalnessModel) -> None:
    """Equal texts share an explanation, which is that of the model for any batch size."""
    rows = [TextRow("Old boats float. They leak.", "a", "s", "k", 7), TextRow("Dogs bark.", "b")]
    progress: list[tuple[int, int]] = []
    new, old = explain_rows(model, [rows, rows[::-1]], batch_size=1, advance=lambda *done: progress.append(done))
    assert progress == [(0, 2), (1, 2), (2, 2)]
    assert new[0].explanation is old[1].explanation
    # As text, because NaN equals nothing.
    explanations = model.explain([row.text for row in rows])
    assert repr([asdict(text.explanation) for text in new]) == repr(list(map(asdict, explanations)))
    assert (new[0].system, new[0].source, new[0].key, new[0].row) == ("a", "s", "k", 7)
    assert (new[0].n_words, new[0].n_sentences, new[1].n_sentences) == (5, 2, 1)
    judge = judge_of(model)
    assert (judge.name, judge.unit, judge.best) == ("model", "log-odds", "True")
    assert 0 < judge.threshold < 1


def test_unusable_rows_keep_their_reasons(model: NaturalnessModel) -> None:
    """The reason is that of the table, or the model's."""
    other = replace(model.saved, description=replace(model.saved.description, threshold=0.3))
    model = NaturalnessModel(other, model.name, folder=model.folder)
    ((bad, empty),) = explain_rows(model, [[TextRow("", problem="not JSON"), TextRow("...")]])
    assert not bad.scored and not empty.scored
    assert (bad.explanation.reason, empty.explanation.reason) == ("not JSON", "no words")
    assert math.isnan(bad.explanation.total)
    assert bad.explanation.threshold == empty.explanation.threshold == 0.3
