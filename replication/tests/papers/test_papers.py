"""Rated sets, splits and draws of the papers' tables."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from naturalness.statistics.significance import compare_all
from naturalness_replication.papers import slor_learned
from naturalness_replication.papers.compared import p_worse, read, thinned, together
from naturalness_replication.papers.slor_corpora import drawn

COLUMNS = ("id", "system", "text", "rating", "ratings", "references", "source")


def write_set(folder: Path, file: str, rows: list[tuple[str, ...]]) -> None:
    """A rated file with the columns that are read."""
    lines = ["\t".join(row) for row in (COLUMNS, *rows)]
    (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_set_keeps_what_a_comparison_needs(tmp_path: Path) -> None:
    """Rows without a rating go; texts of one source share a group; lists are read."""
    references = json.dumps(["A room is free.", "There is a room."])
    write_set(
        tmp_path,
        "sfhot.naturalness.tsv",
        [
            ("1", "old", "A room are free.", "2.5", "[2, 3]", references, "inform(room)"),
            ("2", "new", "There is a room.", "5", "", references, "inform(room)"),
            ("3", "new", "No rating here.", "", "", "", "inform(bar)"),
            ("4", "new", "We have a bar.", "6", "[6, 6]", "", "inform(bar)"),
        ],
    )
    dataset = read(tmp_path, "SFHOTEL")
    assert dataset.texts == ("A room are free.", "There is a room.", "We have a bar.")
    assert dataset.ratings.tolist() == [2.5, 5, 6]
    assert dataset.groups[0] == dataset.groups[1] != dataset.groups[2]
    assert dataset.references == (("A room is free.", "There is a room."),) * 2 + ((),)
    assert dataset.singles == ((2, 3), (), (6, 6))
    assert thinned(dataset, 2).texts == ("A room are free.", "We have a bar.")
    both = together(dataset, dataset)
    assert len(both) == 6
    assert not set(both.groups[:3]) & set(both.groups[3:])


def test_a_split_parts_no_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many rows as asked for learn, as many are set aside, and sources stay whole."""
    monkeypatch.setattr(slor_learned, "TRAIN", 20)
    monkeypatch.setattr(slor_learned, "ASIDE", 20)
    groups = np.repeat(np.arange(40), 3)
    train, test = slor_learned.split(groups, np.random.default_rng(0))
    assert not set(groups[train]) & set(groups[test])
    assert 20 <= len(train) < 23
    assert 120 - 46 <= len(test) <= 120 - 40


def test_worse_is_told_in_either_order() -> None:
    """The test of "best is better than other" does not depend on which stands first in a pair."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    scores = {"good": y + rng.normal(size=200), "bad": y + 4 * rng.normal(size=200)}
    turned = dict(reversed(scores.items()))
    for test in ("fisher", "pearson", "error_unpaired"):
        first = p_worse(compare_all(scores, y), "good", "bad", test)
        assert first < 0.01
        assert first == pytest.approx(p_worse(compare_all(turned, y), "good", "bad", test))
        assert p_worse(compare_all(scores, y), "bad", "good", test) == pytest.approx(1 - first)


def test_a_smaller_draw_is_part_of_a_larger_one(tmp_path: Path) -> None:
    """So that what differs between sizes is size alone."""
    lines = [f"Sentence number {n} has six words." for n in range(400)]
    with lzma.open(tmp_path / "news.txt.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines))
    (tmp_path / "stats.tsv").write_text("source\twords\nnews\t2400\n")
    small, large = (list(drawn(tmp_path, ["news"], words)) for words in (600, 1200))
    assert set(small) < set(large) < set(lines)
    assert len(small) == pytest.approx(100, abs=30)
    assert list(drawn(tmp_path, ["news"], 9000)) == lines
