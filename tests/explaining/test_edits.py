"""Proposed edits: they undo damage, have the scores that they state, and do not depend on the batch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from naturalness.explaining import edits as module
from naturalness.explaining.edits import propose
from naturalness.explaining.explanation import Edit, Repair
from naturalness.explaining.mending import ACCEPTED, SHOWN, Correction
from naturalness.explaining.rewriting import replaced
from naturalness.judging.judgement import judge_docs
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text.parsing import parse

WRONG = {
    "The two brothers was late for dinner again.": "The two brothers were late for dinner again.",
    "They are waiting for for the next train.": "They are waiting for the next train.",
    "He put the on keys the table before lunch .": "He put the keys on the table before lunch .",
    "My sister is interested  on old maps.": "My sister is interested  in old maps.",
    "We stayed at same hotel as last year.": "We stayed at the same hotel as last year.",
    "We the have never been to this part of the town.": "We have never been to this part of the town.",
    "“These boat are old,” I said. It did n't sink.": "“These boats are old,” I said. It did n't sink.",
    "The bell rang at noon. Old men was sitting in the sun.": "The bell rang at noon. Old men were sitting in the sun.",
}
SEVERAL = "He go to school every day. The park was was closed. I recieve leters."
ODD = ["", "...", "No.", "😀 ok"]


@pytest.fixture(scope="module")
def model() -> NaturalnessModel:
    """Open the default model."""
    return load_model()


Proposed = tuple[tuple[Edit, ...], Repair | None]


def proposed(model: NaturalnessModel, texts: Sequence[str], most: int = 3) -> list[Proposed]:
    """Return the edits and the repair of each text."""
    return list(propose(judge_docs(model, parse(texts, nlp=model.nlp)), most=most))


@pytest.fixture(scope="module")
def by_text(model: NaturalnessModel) -> dict[str, Proposed]:
    """Return the edits and repairs by text."""
    texts = [*WRONG, SEVERAL, *ODD]
    return dict(zip(texts, proposed(model, texts), strict=True))


def test_edits_say_what_they_do(model: NaturalnessModel, by_text: dict[str, Proposed]) -> None:
    """Offsets refer to the original text; `score` confirms scores and gains; the likeliest is first, of three."""
    for text, (edits, _) in by_text.items():
        before = model.score([text]).naturalness[0]
        assert len(edits) <= 3
        assert len({edit.text for edit in edits}) == len(edits)
        probabilities = [edit.probability for edit in edits]
        assert probabilities == sorted(probabilities, reverse=True)
        for edit in edits:
            assert text[edit.start : edit.end] == edit.before != edit.after
            assert text[: edit.start] + edit.after + text[edit.end :] == edit.text
            assert model.score([edit.text]).naturalness[0] == edit.naturalness
            assert math.isclose(edit.gain, edit.naturalness - before, abs_tol=1e-6)  # each has six digits
            assert edit.probability >= SHOWN
            assert edit.kind


def test_repairs_say_what_they_do(model: NaturalnessModel, by_text: dict[str, Proposed]) -> None:
    """Each step has the text and the score that it leads to alone; the repair has those of all together."""
    assert sum(repair is not None for _, repair in by_text.values()) >= len(WRONG)
    for text, (_, repair) in by_text.items():
        if repair is None:
            continue
        start = model.score([text]).naturalness[0]
        assert repair.text == replaced(text, [(step.start, step.end, step.after) for step in repair.steps])
        assert model.score([repair.text]).naturalness[0] == repair.naturalness
        assert math.isclose(repair.gain, repair.naturalness - start, abs_tol=1e-6)
        assert repair.probability == pytest.approx(math.prod(step.probability for step in repair.steps))
        for step in repair.steps:
            assert step.text == replaced(text, [(step.start, step.end, step.after)])
            assert model.score([step.text]).naturalness[0] == step.naturalness
            assert step.probability >= ACCEPTED


def test_edits_without_a_score_are_dropped(model: NaturalnessModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit that leaves a text without words has no score; a repair with such a step is none."""
    gone = Correction(0, 7, "...", 0.9, "rule", "wrong")
    kept = Correction(3, 5, "goes", 0.8, "inflect", "agreement", "a reason")

    monkeypatch.setattr(module, "attempts", lambda *_: [[(None, gone), (None, kept)]] * 2)
    chosen = iter([(gone,), (kept,)])
    monkeypatch.setattr(module, "choose", lambda _: next(chosen))
    (edits, without), (others, repair) = proposed(model, ["He go ."] * 2)
    assert edits == others
    assert [(edit.after, edit.reason) for edit in edits] == [("goes", "a reason")]
    assert without is None
    assert repair is not None and [step.text for step in repair.steps] == ["He goes ."]
