"""The context of a text: which columns raters read before it, and how their cells are shown."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from naturalness.errors import ProjectError, TableError
from naturalness.studio.annotate.project import PAIRS, Project, Scale
from naturalness.studio.annotate.project.context import context_of
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
        (3, "3"),
        (["Hello.", "", "Hi!"], "Hello.\nHi!"),
        ([{"speaker": "A", "text": "Hello."}, {"speaker": "B", "text": "Hi!"}], "A: Hello.\nB: Hi!"),
        ({"city": "Ghent", "stars": 4, "pool": None}, "city: Ghent\nstars: 4"),
    ],
)
def test_cells_are_formatted_for_people(cell: Any, text: str) -> None:
    """Lists have a line per entry, turns of a dialogue their speakers; empty cells are left out."""
    assert context_of({"turn": cell}, ["turn", "gone"]) == ((("turn", text),) if text else ())


def test_text_in_two_contexts_is_rated_in_both(tmp_path: Path) -> None:
    """White space around a context does not matter."""
    with Project.create(tmp_path / "a.project", ROWS, SCALE, context=["turn"]) as project:
        assert [text.text for text in project.texts()] == [REPLY, REPLY, "Nine."]
        assert project.left_out == {"same text as a row before": 1}
        assert project.context(1) == (("turn", "When does the last bus leave?"),)
        assert project.contexts()[2] == ()
    with Project.create(tmp_path / "b.project", ROWS, SCALE) as project:
        assert [text.text for text in project.texts()] == [REPLY, "Nine."]
        assert project.contexts() == ((), ())


def test_context_columns_can_be_changed(tmp_path: Path) -> None:
    """The page shows them in the order named; names that the table lacks are refused."""
    with pytest.raises(TableError, match=r"no column 'turns'; did you mean 'turn'\?"):
        Project.create(tmp_path / "a.project", ROWS, SCALE, context=["turns"])
    with pytest.raises(ProjectError, match="column of texts itself"):
        Project.create(tmp_path / "a.project", ROWS, SCALE, context=["text"])
    assert not list(tmp_path.iterdir())
    with Project.create(tmp_path / "a.project", ROWS, SCALE) as project:
        project.settings.set_context(["place", "turn", "place"])
        with pytest.raises(TableError, match="no column 'turns'"):
            project.settings.set_context(["turns"])
    with Project.open(tmp_path / "a.project") as project:
        assert project.context(0) == (("place", "Ghent"), ("turn", "When does the museum open?"))
        project.settings.set_context([])
        assert project.context(0) == ()


def test_contexts_are_exported(tmp_path: Path) -> None:
    """In the table of pairs, each text has its own; a column whose name is taken there is renamed."""
    with Project.create(tmp_path / "a.project", ROWS, SCALE, context=["turn"]) as project:
        rate(project, "Ann", 1, 4.0)
        project.export(str(tmp_path / "rated.jsonl"))
    row = json.loads((tmp_path / "rated.jsonl").read_text())
    assert (row["turn"], row["rating"]) == ("When does the last bus leave?", 4.0)
    rows = [("Yes.", {"text": "Is it open?", "turn": "A"}), ("No.", {"text": "Is it shut?", "turn": "B"})]
    scale, context = Scale(PAIRS, -1, 1), ["text", "turn"]
    with Project.create(tmp_path / "b.project", rows, scale, text_column="sentence", context=context) as project:
        rate(project, "Ann", (1, 0), 1.0)
        project.export(str(tmp_path / "b.jsonl"))
    pair = json.loads((tmp_path / "b.pairs.jsonl").read_text())
    assert (pair["first_text"], pair["first_input_text"], pair["first_turn"]) == ("No.", "Is it shut?", "B")
    assert (pair["second_text"], pair["second_input_text"], pair["second_turn"]) == ("Yes.", "Is it open?", "A")
