"""What a rater reads before a text: which columns, and how their cells are shown."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from naturalness.errors import ProjectError, TableError
from naturalness.studio.annotate.project import PAIRS, Project, Scale
from naturalness.studio.annotate.project.context import context_of, readable
from tests.support.annotation_projects import SCALE, rate

REPLY = "At half past nine, I think."
ROWS = [
    (REPLY, {"turn": "When does the museum open?", "place": "Ghent"}),
    (REPLY, {"turn": "When does the last bus leave?", "place": "Ghent"}),
    (REPLY, {"turn": " When does the museum open? ", "place": "Bruges"}),
    ("Nine.", {"turn": None, "place": "Ghent"}),
]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("  Two lines\nof a turn. ", "Two lines\nof a turn."),
        (None, ""),
        (math.nan, ""),
        ("none", "none"),
        (3, "3"),
        (["Hello.", "", "Hi!"], "Hello.\nHi!"),
        ([{"speaker": "A", "text": "Hello."}, {"speaker": "B", "text": "Hi!"}], "A: Hello.\nB: Hi!"),
        ({"city": "Ghent", "stars": 4, "pool": None}, "city: Ghent\nstars: 4"),
    ],
)
def test_cells_as_people_read_them(cell: Any, text: str) -> None:
    """Lists line by line, turns with their speakers; nothing where there is nothing."""
    assert readable(cell) == text
    assert context_of({"turn": cell}, ["turn", "gone"]) == ((("turn", text),) if text else ())


def test_one_text_after_two_contexts_is_two_texts(tmp_path: Path) -> None:
    """After the same context, apart from blanks around it, it is one."""
    with Project.create(tmp_path / "a.project", ROWS, SCALE, context=["turn"]) as project:
        assert [text.text for text in project.texts()] == [REPLY, REPLY, "Nine."]
        assert project.left_out == {"same text as a row before": 1}
        assert project.context(1) == (("turn", "When does the last bus leave?"),)
        assert project.contexts()[2] == ()
    with Project.create(tmp_path / "b.project", ROWS, SCALE) as project:
        assert [text.text for text in project.texts()] == [REPLY, "Nine."]
        assert project.contexts() == ((), ())


def test_columns_can_be_chosen_later(tmp_path: Path) -> None:
    """Those of the table, in the order of the page; the setting is stored, and nothing else changes it."""
    with Project.create(tmp_path / "a.project", ROWS, SCALE) as project:
        project.settings.set_context(["place", "turn", "place"])
        with pytest.raises(ValueError, match="belongs to the file"):
            project.settings.set("context", [])
    with Project.open(tmp_path / "a.project") as project:
        assert project.settings.context == ("place", "turn")
        assert project.context(0) == (("place", "Ghent"), ("turn", "When does the museum open?"))
        project.settings.set_context([])
        assert project.context(0) == ()


def test_columns_that_cannot_be(tmp_path: Path) -> None:
    """The message names what there is; no file is left behind."""
    with pytest.raises(TableError, match=r"no column 'turns'; did you mean 'turn'\?"):
        Project.create(tmp_path / "a.project", ROWS, SCALE, context=["turns"])
    with pytest.raises(ProjectError, match="column of texts itself"):
        Project.create(tmp_path / "a.project", ROWS, SCALE, context=["text"])
    assert not list(tmp_path.iterdir())
    with Project.create(tmp_path / "a.project", ROWS, SCALE) as project:
        with pytest.raises(TableError, match="no column 'turns'"):
            project.settings.set_context(["turns"])
        with pytest.raises(TypeError, match="a list of columns"):
            project.settings.set_context("turn")


def test_contexts_are_exported(tmp_path: Path) -> None:
    """As columns of the input beside ratings, and beside either text of a pair."""
    with Project.create(tmp_path / "a.project", ROWS, SCALE, context=["turn"]) as project:
        rate(project, "Ann", 1, 4.0)
        assert project.export(str(tmp_path / "rated.jsonl")).options == ()
    row = json.loads((tmp_path / "rated.jsonl").read_text())
    assert (row["turn"], row["rating"]) == ("When does the last bus leave?", 4.0)
    with Project.create(tmp_path / "b.project", ROWS, Scale(PAIRS, -1, 1), context=["turn"]) as project:
        rate(project, "Ann", (1, 0), 1.0)
        project.export(str(tmp_path / "b.jsonl"))
    pair = json.loads((tmp_path / "b.pairs.jsonl").read_text())
    assert (pair["first_turn"], pair["second_turn"]) == ("When does the last bus leave?", "When does the museum open?")


def test_a_context_named_like_a_column_of_pairs_gets_another_name(tmp_path: Path) -> None:
    """Nothing of the answers is overwritten."""
    rows = [("Yes.", {"text": "Is it open?", "sentence": "Yes."}), ("No.", {"text": "Is it shut?", "sentence": "No."})]
    scale = Scale(PAIRS, -1, 1)
    with Project.create(tmp_path / "a.project", rows, scale, text_column="sentence", context=["text"]) as project:
        rate(project, "Ann", (0, 1), 1.0)
        project.export(str(tmp_path / "a.jsonl"))
    pair = json.loads((tmp_path / "a.pairs.jsonl").read_text())
    assert (pair["first_text"], pair["first_input_text"]) == ("Yes.", "Is it open?")
