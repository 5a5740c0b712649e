"""Rated sets, splits and samples for the papers' tables."""

from __future__ import annotations

import json
import lzma
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_ind

from naturalness_replication.papers import slor_learned
from naturalness_replication.papers.compared import TESTS, p_worse, read, thinned, together, worse_by
from naturalness_replication.papers.gruen_others import by_band
from naturalness_replication.papers.naturalness.learners import learners_of
from naturalness_replication.papers.significance import fisher_z, squared_errors, two_sample_t
from naturalness_replication.papers.slor_corpora import drawn

COLUMNS = ("id", "system", "text", "rating", "ratings", "references", "source")


def write_set(folder: Path, file: str, rows: list[tuple[str, ...]]) -> None:
    """Write a rated file with the columns that are read."""
    lines = ["\t".join(row) for row in (COLUMNS, *rows)]
    (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_set_has_the_data_of_a_comparison(tmp_path: Path) -> None:
    """Rows without a rating are left out, texts of one source share a group, and lists are parsed."""
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


def test_learners_of_the_paper_need_neither_sources_nor_a_model() -> None:
    """Most of the sets have one text from a source, so no learner compares texts of one source."""
    learners = learners_of("GUG")
    assert "random-forest" in learners
    assert not {"within-sources", "adapted", "mixture"}.intersection(learners)


def test_a_split_keeps_sources_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A split has the requested numbers of rows for training and set aside, and keeps sources whole."""
    monkeypatch.setattr(slor_learned, "TRAIN", 20)
    monkeypatch.setattr(slor_learned, "ASIDE", 20)
    groups = np.repeat(np.arange(40), 3)
    train, test = slor_learned.split(groups, np.random.default_rng(0))
    assert not set(groups[train]) & set(groups[test])
    assert 20 <= len(train) < 23
    assert 120 - 46 <= len(test) <= 120 - 40


def test_fisher_of_compcor() -> None:
    """Silver, Ullman & Picker: r = .50 for 100 pupils and .20 for 200 give z = 2.79, p < .01."""
    assert math.isnan(fisher_z(1.0, 50, 0.2, 50).p)
    test = fisher_z(0.5, 100, 0.2, 200)
    assert test.statistic == pytest.approx(2.79, abs=0.005)
    assert test.p == pytest.approx(0.0052, abs=1e-4)
    assert test.p_greater == pytest.approx(test.p / 2)
    assert fisher_z(0.2, 200, 0.5, 100).p_greater == pytest.approx(1 - test.p / 2)


def test_the_paper_of_slor() -> None:
    """On 2,955 texts, WordSLOR (.454) differs significantly from PPL, but not from ROUGE-L-mult (.429)."""
    assert fisher_z(0.454, 2955, 0.429, 2955).p_greater > 0.05
    assert fisher_z(0.454, 2955, 0.325, 2955).p_greater < 0.001


def test_t_equals_scipys() -> None:
    """The two-sample t test of errors from the best line equals SciPy's; smaller errors are better."""
    rng = np.random.default_rng(2)
    y = rng.normal(size=40)
    near, far = y + 0.5 * rng.normal(size=40), y + 3 * rng.normal(size=40)
    first, second = squared_errors(near, y), squared_errors(far, y)
    wanted, test = ttest_ind(second, first), two_sample_t(first, second)
    assert (test.statistic, test.p) == pytest.approx((wanted.statistic, wanted.pvalue))
    assert test.statistic > 0


def test_worse_metrics() -> None:
    """Each test identifies the better metric, whichever comes first."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    good, bad = y + rng.normal(size=200), y + 4 * rng.normal(size=200)
    for letter in TESTS:
        p = p_worse(good, bad, y, letter)
        assert p < 0.01
        assert p_worse(bad, good, y, letter) == pytest.approx(1 - p)
    assert worse_by({"good": good, "bad": bad}, y, "good", "bad") == "z t W"


def test_bands_by_hand() -> None:
    """Equal ratings stay in one band, and a missing rating is in none."""
    parts = by_band(np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, math.nan]), 3)
    assert [part.rows.tolist() for part in parts] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert parts[0].name == "band 1/3 (1 to 3)"
    tied = by_band(np.array([1.0, 5, 5, 5, 5, 5]), 3)
    assert [part.name for part in tied] == ["band 1/2 (1)", "band 2/2 (5)"]
    assert by_band(np.ones(5), 3) == []


def test_a_smaller_sample_is_part_of_a_larger_one(tmp_path: Path) -> None:
    """A smaller sample is part of a larger one, so that samples differ only in size."""
    lines = [f"Sentence number {n} has six words." for n in range(400)]
    with lzma.open(tmp_path / "news.txt.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines))
    (tmp_path / "stats.tsv").write_text("source\twords\nnews\t2400\n")
    small, large = (list(drawn(tmp_path, ["news"], words)) for words in (600, 1200))
    assert set(small) < set(large) < set(lines)
    assert len(small) == pytest.approx(100, abs=30)
    assert list(drawn(tmp_path, ["news"], 9000)) == lines
