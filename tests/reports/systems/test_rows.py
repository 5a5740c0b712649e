"""Which columns say who wrote a text, what it answers, and where it stood before."""

from __future__ import annotations

from naturalness.reports.systems.answers import EVERYTHING
from naturalness.reports.systems.rows import Cells, Columns, arrange

TEXTS = ["one", "two", "three", "four"]
NEW = Cells(
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
    old = Cells(TEXTS[:3], [""] * 3, {name: v[:3] for name, v in NEW.columns.items()})
    (new, before), columns = arrange(NEW, old, by="system")
    assert columns == Columns("system", "source", "id")
    assert [one.key for one in before] == ["1", "2", "3"]
    (new, before), columns = arrange(NEW, old)
    assert columns == Columns("", "", "id")
    assert {one.system for one in new + before} == {EVERYTHING}


def test_a_run_of_a_new_system() -> None:
    """That systems have other names than before hides no keys."""
    old = Cells(TEXTS, [""] * 4, {**NEW.columns, "system": ["c", "d", "c", "d"]})
    _, columns = arrange(NEW, old, by="system")
    assert columns == Columns("system", "source", "id")


def test_a_named_column_is_used_for_both() -> None:
    """Without asking whether it fits."""
    _, columns = arrange(NEW, NEW, by="system", key="source")
    assert columns == Columns("system", "source", "source")


def test_no_column_fits() -> None:
    """Then nothing is shared and texts are paired by order."""
    plain = Cells(TEXTS, [""] * 4, {})
    (rows, _), columns = arrange(plain, plain)
    assert columns == Columns()
    assert rows[0].key == rows[0].source == ""


def test_rows_without_a_system() -> None:
    """They are left out and counted; the others keep their numbers."""
    some = Cells(TEXTS, [""] * 4, {"system": ["a", "", "b", ""]})
    (rows,), columns = arrange(some, None, by="system")
    assert [one.row for one in rows] == [0, 2]
    assert columns.n_without_system == 2
