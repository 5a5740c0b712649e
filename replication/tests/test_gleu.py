"""GLEU with Link Grammar's parts: hand-worked values of the paper's four, and the group of five."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from naturalness.features import feature_names
from naturalness.files.resources import load_manifest
from naturalness.metrics import gleu as core
from naturalness.metrics.gleu import measure_parts
from naturalness.text.parsing import parse
from naturalness_replication import gleu, link_features
from naturalness_replication.gleu import GLEU_LINK, PAPER, PARTS, STRUCTURE_LINK, GleuLinkFeatures, fitted
from naturalness_replication.link import LinkedSentence


def test_parts_of_link_grammar_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one null in seven tokens, and 3 + 1 of 16 linkages are invalid; a problem gives NaN."""
    docs = parse(["It rained. Then it stopped."])
    parses = [
        LinkedSentence(0, 3, nulls=0, linkages=8, valid=5, violating=3),
        LinkedSentence(3, 7, nulls=1, linkages=8, valid=7, violating=1),
    ]
    monkeypatch.setattr(gleu, "parsed", lambda docs: [parses for _ in docs])
    assert measure_parts(docs, ["nulls", "invalid"], PARTS).tolist() == [[1 / 7, 4 / 16]]
    slow = [parses[0], replace(parses[1], problem="out of time")]
    monkeypatch.setattr(gleu, "parsed", lambda docs: [slow for _ in docs])
    assert np.isnan(measure_parts(docs, ["nulls", "invalid"], PARTS)).all()


def test_the_papers_gleu_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score of measured parts follows from the shipped weights."""
    monkeypatch.setattr(core, "measure_parts", lambda docs, names, parts: np.array([[0.25, -8.0, 0.1, 0.5]]))
    plane = fitted(PAPER).variants[PAPER]
    assert [round(weight, 2) for weight in plane.coef] == [-0.84, 0.67, -1.17, -0.21]
    normal = (0.25 / 1.0, 1 - 8 / 18.667175576998364, 0.1, 0.5)
    terms = zip(normal, plane.mean, plane.scale, plane.coef, strict=True)
    above = plane.intercept + sum((x - mean) / scale * coef for x, mean, scale, coef in terms)
    length = math.sqrt(sum(weight**2 for weight in plane.coef))
    assert GLEU_LINK.score(parse(["A text."])) == pytest.approx([above / length])
    checksum = load_manifest(gleu.ASSETS)["gleu_paper"].checksum
    assert GLEU_LINK.signature.startswith(f"gleu-link|variant:four(fragments+parse+nulls+invalid)|fitted:{checksum}|")


def test_the_plane_was_fitted_with_shipped_assets() -> None:
    """The parts were measured with the shipped models; if not, run `python -m training.gleu`."""
    needed = {name: checksum for name, checksum in fitted(PAPER).fitted_with.items() if name != "link-grammar"}
    assert needed == {name: load_manifest()[name].checksum for name in needed}


def test_the_group_has_all_five_parts() -> None:
    """The group's columns are the parts of its metric, and its score."""
    names = ["fragments", "parse", "structure", "nulls", "invalid"]
    assert feature_names(GleuLinkFeatures()) == tuple(f"gleu_link__{name}" for name in [*names, "score"])
    assert fitted(STRUCTURE_LINK).variants[STRUCTURE_LINK].parts == tuple(PARTS) == tuple(names)


def test_link_grammars_gaps_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that the parser can read, but Link Grammar cannot, has a gap."""
    late = [LinkedSentence(0, 80, problem="a sentence that is late")]
    monkeypatch.setattr(link_features, "parsed", lambda docs: [late, []])
    assert GleuLinkFeatures().gaps(parse(["word " * 80, ""])) == ["a sentence that is late", ""]
