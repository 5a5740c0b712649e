"""Rows are arranged by system and input; each distinct text is explained once."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from naturalness.data.reading import NamedTexts
from naturalness.errors import TableError
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.reports.systems.answers import MAX_SYSTEMS, TextRow, arrange, explain_rows, judge_of
from tests.support.labelling import small_model

TEXTS = ["one", "two", "three", "four"]
COLUMNS = {"system": ["a", "b", "a", "b"], "id": ["1", "2", "3", "4"], "source": ["x", "x", "y", "y"]}
NEW = NamedTexts(TEXTS, ["", "", "", "empty text"], COLUMNS)
OLD = NamedTexts(TEXTS[:3], [""] * 3, {name: cells[:3] for name, cells in COLUMNS.items()})
PLAIN = NamedTexts(TEXTS, [""] * 4, {})


@pytest.mark.parametrize(
    ("tables", "by", "sources", "note"),
    [
        # Systems share the values of `source`; `id` identifies rows.
        ({"": NEW}, "system", "xxyy", "'source'"),
        ({"old": OLD, "new": NEW}, "", "1231234", "'id'"),
        # A blank value leaves its row unpaired.
        ({"old": NEW, "new": NamedTexts(TEXTS, [""] * 4, {"id": ["4", "", "2", "1"]})}, "", "1234421", "'id'"),
        ({"old": PLAIN, "new": NamedTexts(TEXTS, [""] * 4, {"id": ["1", "", "", ""]})}, "", "01230123", "their order"),
        ({"old": PLAIN, "new": PLAIN}, "", "01230123", "paired by their order"),
        ({"old": PLAIN, "new": NamedTexts(TEXTS[:1], [""], {})}, "", "", "are not paired"),
    ],
)
def test_inputs(tables: dict[str, NamedTexts], by: str, sources: str, note: str) -> None:
    """The first suitable column identifies shared inputs; otherwise, two runs of equal size are paired by order."""
    rows, notes = arrange(tables, by=by)
    assert "".join(row.source for row in rows) == sources
    assert note in "".join(notes)
    assert {row.system for row in rows} == ({"a", "b"} if by else set(tables))


def test_rows_without_a_system() -> None:
    """Rows without a system are left out and counted; too many systems are an error."""
    some = NamedTexts(TEXTS, [""] * 4, {"system": ["a", "", "b", ""]})
    rows, notes = arrange({"": some}, by="system")
    assert ([row.row for row in rows], notes) == ([0, 2], ["Left out without a system: 2 rows."])
    names = [f"system {i}" for i in range(MAX_SYSTEMS + 1)]
    with pytest.raises(TableError, match=r"found 41 systems.*\(`system_column`\)"):
        arrange({"": NamedTexts(names, [""] * len(names), {"reply": names})}, by="reply")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> NaturalnessModel:
    """Return a model that reads only fast feature groups."""
    return load_model(small_model(Path(tmp_path_factory.mktemp("small")) / "model"))


def test_each_text_is_explained_once(model: NaturalnessModel) -> None:
    """Equal texts share an explanation, which does not depend on the batch size."""
    rows = [TextRow("Old boats float. They leak.", "a", "s", 7), TextRow("Dogs bark.", "b")]
    progress: list[tuple[int, int]] = []
    new = explain_rows(model, rows * 2, batch_size=1, advance=lambda *done: progress.append(done))
    assert progress == [(0, 2), (1, 2), (2, 2)]
    assert new[0].explanation is new[2].explanation
    # As text, because NaN equals nothing.
    explanations = model.explain([row.text for row in rows])
    assert repr([asdict(text.explanation) for text in new[:2]]) == repr(list(map(asdict, explanations)))
    assert (new[0].system, new[0].source, new[0].row) == ("a", "s", 7)
    assert (new[0].n_words, new[0].n_sentences, new[1].n_sentences) == (5, 2, 1)
    judge = judge_of(model)
    assert (judge.name, judge.unit, judge.best) == ("model", "log-odds", "True")
    assert 0 < judge.threshold < 1


def test_unusable_rows_keep_their_reasons(model: NaturalnessModel) -> None:
    """A text without a score has the reason given by the table or by the model."""
    other = replace(model.saved, description=replace(model.saved.description, threshold=0.3))
    model = NaturalnessModel(other, model.name, folder=model.folder)
    bad, empty = explain_rows(model, [TextRow("", "a", problem="not JSON"), TextRow("...", "a")])
    assert not bad.scored and not empty.scored
    assert (bad.explanation.reason, empty.explanation.reason) == ("not JSON", "no words")
    assert math.isnan(bad.explanation.total)
    assert bad.explanation.threshold == empty.explanation.threshold == 0.3
