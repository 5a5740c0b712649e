"""What a comparison tells of parts of the texts, and what it leaves out or does once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import spacy

from naturalness.models import metrics
from naturalness.models.metrics.documents import LENGTH
from naturalness.reports.metrics import scoring
from naturalness.reports.metrics.compare import Columns, compare
from naturalness.reports.metrics.result import Settings, everything, table_of
from naturalness.statistics.agreement import agree
from naturalness.statistics.significance import compare_all
from tests.support.fake_metrics import GOOD, LONG, MATCHED, Fake, rated

QUICK = Settings(resamples=100)
DOCS, RATINGS, SOURCES = rated()
SYSTEMS = [("x", "y", "z")[i % 3] for i in range(60)]
REFERENCES = [["ref"] * (1 + i % 4) for i in range(60)]
SINGLES = [[r, r + i % 2] for i, r in enumerate(RATINGS)]


def test_pairs_and_agreement_of_parts() -> None:
    """Tests of ranks within each part; raters where ratings did not choose the texts."""
    columns = Columns(systems=SYSTEMS, singles=SINGLES, by={"half": ["a"] * 52 + ["b"] * 8})
    found = compare(DOCS, RATINGS, [LONG, GOOD], columns, settings=QUICK)
    parts = {part.name: part for part in found.parts}
    assert list(parts)[:5] == ["system=x", "system=y", "system=z", "half=a", "half=b"]
    scores = {m.name: m.score(DOCS)[1::3] for m in (LONG, GOOD)}
    wanted = compare_all(scores, np.array(RATINGS)[1::3], ranks_only=True)
    assert parts["system=y"].pairs == tuple(wanted)
    assert parts["half=b"].pairs == ()
    assert parts["system=y"].agreement == agree(SINGLES[1::3])
    assert parts["half=b"].agreement is not None
    assert parts["band 1/3 (1 to 2)"].agreement is None
    assert found.as_good_as_best("half=a") == ["good"]
    assert found.beats("good", "half=a") == ["words"]
    told = {part["part"]: part for part in everything(found)["parts"]}
    assert told["half=a"]["as_good_as_best"] == ["good"]
    assert told["half=a"]["pairs"][0]["better"] == "good"
    assert told["system=y"]["agreement"]["items"] == 20


def test_length_is_one_length() -> None:
    """Nothing is left of metric `length` given length, dashes and clitics or not."""
    nlp = spacy.blank("en")
    texts = [f"{'So - ' * (i % 3)}it didn't {'very ' * (i % 7)}well go." for i in range(40)]
    ratings = [float(i % 5) for i in range(40)]
    found = compare([nlp(text) for text in texts], ratings, [LENGTH, LONG], settings=QUICK)
    assert math.isnan(found.row("length", "given length").figures.spearman.value)
    assert not math.isnan(found.row("words", "given length").figures.spearman.value)


def test_named_twice_is_scored_once() -> None:
    """The order stays."""
    found = compare(DOCS, RATINGS, [GOOD, LONG, GOOD, replace(LONG)], settings=QUICK)
    assert found.names == ["good", "words"]


def test_few_sources_are_told_once_for_all_metrics() -> None:
    """As a note of the part; figures stay, intervals go."""
    columns = Columns(sources=[i % 9 for i in range(60)])
    found = compare(DOCS, RATINGS, [GOOD, LONG], columns, settings=QUICK)
    row = found.row("good")
    assert row.part_note == "9 sources, fewer than 10: no interval"
    assert row.note == ""
    assert row.figures.spearman.value > 0
    assert math.isnan(row.figures.spearman.low)
    told = table_of(found)[0]
    assert (told["spearman_low"], told["note"], told["sources"]) == (None, row.part_note, 9)
    with pytest.raises(ValueError, match="99 resamples; an interval needs 100"):
        compare(DOCS, RATINGS, [GOOD], settings=Settings(resamples=99))


def test_slow_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    """On long texts they are scored only where they are named, and never for the curve."""
    calls: list[int] = []

    def count(words: list[str], references: Sequence[str]) -> float:
        calls.append(1)
        return float(len(references))

    slow = Fake("ter", count, needs_references=True)
    table = {m.name: m for m in (GOOD, MATCHED, slow)}
    monkeypatch.setattr(metrics, "METRICS", table)
    columns = Columns(references=REFERENCES)
    found = compare(DOCS, RATINGS, None, columns, settings=QUICK)
    assert {row.metric for row in found.rows if row.kind == "references"} == {"matched"}
    assert len(calls) == 60
    monkeypatch.setattr(scoring, "LONG", 5)
    found = compare(DOCS, RATINGS, None, columns, settings=QUICK)
    assert "ter" not in found.names
    assert found.notes[0].startswith("ter left out: it is slow on texts as long as these (median ")
    assert len(calls) == 60
    assert compare(DOCS, RATINGS, ["ter"], columns, settings=QUICK).names == ["ter"]


def test_progress_of_each_metric() -> None:
    """A word before the first text and after every few; scores are those of all at once."""
    told: list[tuple[str, int, int]] = []

    def advance(stage: str, done: int, total: int) -> None:
        told.append((stage, done, total))

    found = compare(DOCS, RATINGS, [GOOD], settings=QUICK, advance=advance)
    assert told[:3] == [("metric good", 0, 60), ("metric good", 32, 60), ("metric good", 60, 60)]
    np.testing.assert_array_equal(found.metrics[0].scores, GOOD.score(DOCS))
    told.clear()
    whole = Fake("whole", lambda w, r: float(len(w)), set_dependent=True)
    compare(DOCS, RATINGS, [whole], settings=QUICK, advance=advance)
    assert told[:2] == [("metric whole", 0, 60), ("metric whole", 60, 60)]
