"""GLEU and the parser metrics that it combines."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.errors import AssetError
from naturalness.files.resources import load_manifest
from naturalness.metrics import METRICS, gleu
from naturalness.metrics.gleu import FORMAT_VERSION, FittedGleu, Hyperplane, fitted, read_fitted, score_parts
from naturalness.models.language import shipped
from naturalness.models.language.base import TokenScores
from naturalness.models.parsers.base import ParsedSentence
from naturalness.text.parsing import parse
from tests.support.metrics import scores

PLANE = Hyperplane(("fragments", "parse"), (1.0, 0.5), (0.5, 0.25), (-3.0, 4.0), 1.0)
FITTED = FittedGleu(0.5, -20.0, {}, {"two": PLANE})
TEXT = "It rained. Then it stopped."
GOOD = "She put the letter on the table and left the house without a word."
BAD = "Letter the put she the on on table out went without and house word."


def test_fragments_are_sentences_and_doubted_arcs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven tokens have two sentences and two arcs below .95; an arc of .95 is not doubted."""
    arcs = [0.2, 1.0, 0.95, 0.949, 0.96, 1.0, 1.0]
    monkeypatch.setattr(gleu, "arc_probabilities", lambda docs: [arcs for _ in docs])
    assert gleu.fragments(parse([TEXT])) == [4 / 7]


def sentences(*logs: float, problem: str = "") -> list[ParsedSentence]:
    """Return sentences of three and four tokens without trees."""
    spans = [(0, 3), (3, 7)]
    return [ParsedSentence(*at, (), (log,), problem) for at, log in zip(spans, logs, strict=True)]


def test_structure_is_what_is_beyond_pairs_of_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine tags and ends give (-18 - -27) / 9, and the trees (-3.5 - 3.5) / 7; an unparsed sentence gives NaN."""

    class Tags:
        """A model with the same number for every tag."""

        def __init__(self, each: float) -> None:
            self.each = each

        def token_logprobs(self, docs: list[Doc]) -> list[TokenScores]:
            return [scores([self.each] * 9, [-1] * 9) for _ in docs]

    monkeypatch.setattr(shipped, "tags", lambda order: Tags(-2.0 if order == 5 else -3.0))
    monkeypatch.setattr(gleu, "parsed", lambda parser, docs: [sentences(-3.5, -3.5)])
    assert gleu.structure(parse([TEXT])) == [pytest.approx(0.0)]
    missing = sentences(-3.5, -3.5, problem="too long")
    monkeypatch.setattr(gleu, "parsed", lambda parser, docs: [missing])
    assert math.isnan(gleu.structure(parse([TEXT]))[0])
    assert math.isnan(gleu.parse(parse([TEXT]))[0])


def test_the_papers_normalisations() -> None:
    """Fragments are divided by their maximum; parse is 1 - log-probability / minimum, so that likelier is higher."""
    table = FITTED.normalised(np.array([[0.25, -5.0], [0.75, -20.0]]), PLANE.parts)
    assert table.tolist() == [[0.5, 0.75], [1.5, 0.0]]


def test_a_distance_by_hand() -> None:
    """(0.5, 0.75) is standardised to (-1, 1): 3 + 4 + 1 over the weights' length, 5; an undefined part gives NaN."""
    assert PLANE.distance(np.array([[0.5, 0.75]])).tolist() == [pytest.approx(8 / 5)]
    assert np.isnan(PLANE.distance(np.array([[np.nan, 0.75]]))).all()


def test_shuffled_words_lie_on_the_other_side() -> None:
    """A plain sentence is above 0, its shuffled words below, and every part agrees."""
    good, bad = METRICS["gleu-structure"].score(parse([GOOD, BAD]))
    assert good > 0 > bad
    table, _ = score_parts(parse([GOOD, BAD]), fitted())
    better = {"fragments": -1, "parse": 1, "structure": 1}
    for name, (high, low) in zip(better, table.T, strict=True):
        assert (high - low) * better[name] > 0, name


def test_the_plane_was_fitted_with_shipped_assets() -> None:
    """The parts were measured with the shipped models; if not, run `python -m training.gleu`."""
    checksums = fitted().fitted_with
    needed = {name: checksum for name, checksum in checksums.items() if name != "link-grammar"}
    assert needed == {name: load_manifest()[name].checksum for name in needed}
    assert {"pipeline", "chart", "detector", "pcfg", "tags", "words"} == set(needed)


def written(path: Path, **changes: Any) -> Path:
    """Write a file as training does, with changes."""
    path.write_text(json.dumps({"format_version": FORMAT_VERSION, **asdict(FITTED), **changes}))
    return path


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    """A file that training writes is read unchanged."""
    assert read_fitted(written(tmp_path / "gleu.json")) == FITTED


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format_version": 9}, "format version 9, expected 1"),
        ({"largest_fragments": "many"}, "many"),
        ({"variants": []}, "holds no GLEU"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    """The error about a damaged file says what is wrong and what to do."""
    with pytest.raises(AssetError, match=said):
        read_fitted(written(tmp_path / "gleu.json", **changes))
