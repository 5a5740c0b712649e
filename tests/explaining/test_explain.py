"""Explanations by the shipped models add up, mark the errors, and do not depend on the batch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from naturalness.errors import TrainingError
from naturalness.explaining import explain as module
from naturalness.explaining.causes import TITLES
from naturalness.explaining.explain import mended_cause, propose
from naturalness.explaining.explanation import Edit, Explanation, Repair
from naturalness.explaining.mending import ACCEPTED, SHOWN, Correction
from naturalness.explaining.rewriting import replaced
from naturalness.judging.fields import LOG_ODDS
from naturalness.judging.judgement import judge_docs
from naturalness.pipelines.estimators import NaturalnessClassifier
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text.parsing import parse

WRONG = {
    "The two brothers was late for dinner again.": ("agreement", "was"),
    "She have lived in this town since March.": ("agreement", "have"),
    "They are waiting for for the next train.": ("extra", "for for"),
    "He put the on table keys before lunch.": ("order", "the on table"),
    "My sister is interested on old maps.": ("small_words", "interested on"),
    "He was very surprised when the the bell rang.": ("extra", "the the"),
    "Yesterday we goed to the museum with friends.": ("spelling", "goed"),
}
FINE = "The committee will meet again on Thursday morning."
LONG = " ".join(f"He saw {i} dogs." for i in range(400))
ODD = [
    "",
    "...",
    "\0",
    FINE,
    "  Tabs\tand\r\n\r\nlines , with spaces .  ",
    LONG,
    "😀 ok",
    "Ich habe heute keine Zeit für solche langen Reden gehabt.",
]


@pytest.fixture(scope="module")
def model() -> NaturalnessModel:
    """Open the default model."""
    return load_model()


@pytest.fixture(scope="module")
def explained(model: NaturalnessModel) -> dict[str, Explanation]:
    """Return the explanations by text."""
    texts = [*WRONG, *ODD]
    return dict(zip(texts, model.explain(texts), strict=True))


def test_scores_are_those_of_score(model: NaturalnessModel, explained: dict[str, Explanation]) -> None:
    """Score, label and reason equal those of `score`; base and contributions add up to the log-odds."""
    scores = model.score(list(explained))
    for one, score, label, reason in zip(
        explained.values(), scores.naturalness, scores.labels, scores.reasons, strict=True
    ):
        assert str(one.naturalness) == str(score)
        assert (one.label, one.reason, one.unit) == (label, reason, LOG_ODDS)
        if math.isnan(score):
            assert one.contributions == one.findings == ()
            assert math.isnan(one.total)
            continue
        together = one.base + sum(part.value for part in one.contributions)
        assert together == pytest.approx(one.total, abs=1e-4)
        assert 1 / (1 + math.exp(-one.total)) == pytest.approx(score, rel=1e-4)
        assert {part.cause for part in one.contributions} <= set(TITLES)
        sizes = [abs(part.value) for part in one.contributions]
        assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("text", WRONG)
def test_plain_errors_are_named_and_marked(explained: dict[str, Explanation], text: str) -> None:
    """For a plain error, the expected cause is named and the wrong words are marked."""
    cause, words = WRONG[text]
    one = explained[text]
    assert one.cause == cause
    first = one.findings[0]
    start = text.index(words)
    assert start <= first.start < first.end <= start + len(words)
    assert text[first.start : first.end] == first.text
    assert first.message


def test_explanations_do_not_depend_on_the_batch(model: NaturalnessModel, explained: dict[str, Explanation]) -> None:
    """A text has the same explanation alone, in another order and in small batches."""
    texts = list(explained)[::-1]
    for text, one in zip(texts, model.explain(texts, batch_size=3), strict=True):
        assert str(one) == str(explained[text])
    alone = model.explain([FINE])[0]
    assert str(alone) == str(explained[FINE])


def test_texts_unlike_the_training_texts_are_reported(explained: dict[str, Explanation]) -> None:
    """Another language and an extreme length are reported; a plain sentence is not."""
    assert explained[FINE].unlike == ()
    assert explained[ODD[-1]].reason == "not English"
    assert any("longer" in why for why in explained[LONG].unlike)


def test_estimators_explain() -> None:
    """Estimators fitted on texts explain; a table has no words to explain."""
    good = [
        f"The {a} {b} the {c} today." for a in ("man", "girl") for b in ("saw", "met") for c in ("dog", "boss", "queen")
    ]
    bad = [
        f"{c} the the {b} {a} today to"
        for a in ("man", "girl")
        for b in ("saw", "met")
        for c in ("dog", "boss", "queen")
    ]
    labels = ["natural"] * len(good) + ["unnatural"] * len(bad)
    classifier = NaturalnessClassifier(features=["surface", "repetition"], learner="logistic-l2")
    classifier.fit(good + bad, labels)
    one, other = classifier.explain([good[0], bad[0]])
    assert one.total > other.total
    assert one.threshold == classifier.threshold_
    for row, text in ((one, good[0]), (other, bad[0])):
        probability = classifier.predict_proba([text])[0, 0]
        assert row.naturalness == pytest.approx(probability, rel=1e-5)
        assert math.isnan(row.low)
    assert str(classifier.explain(parse([bad[0]]))[0]) == str(other)
    with pytest.raises(TrainingError, match="no words to mark"):
        classifier.explain(np.zeros((1, len(classifier.columns_))))


def test_the_cause_that_a_repair_mends() -> None:
    """The repair names the cause with the most evidence among edits that raise the score."""

    def step(before: str, after: str, gain: float, kind: str) -> Edit:
        return Edit(0, len(before), before, after, gain, 0.5, after, kind=kind)

    swap, article = step("sold the", "the sold", 0.3, "swap"), step("", "the ", 0.2, "insert")
    steps = swap, article, step("saw", "see", -0.1, "replace")
    repair = Repair("", 0.9, 0.4, steps)
    assert mended_cause(repair, {"order": 0.2, "small_words": 0.3, "verbs": 0.4}) == "small_words"
    assert mended_cause(repair, {"order": 0.2, "missing": 0.3}) == "missing"
    assert mended_cause(repair, {}) == "order"
    assert mended_cause(None, {}) == mended_cause(Repair("", 0.9, 0.0, ()), {}) == ""


MENDED = {
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


Proposed = tuple[tuple[Edit, ...], Repair | None]


def proposed(model: NaturalnessModel, texts: Sequence[str], most: int = 3) -> list[Proposed]:
    """Return the edits and the repair of each text."""
    return list(propose(judge_docs(model, parse(texts, nlp=model.nlp)), most=most))


@pytest.fixture(scope="module")
def by_text(model: NaturalnessModel) -> dict[str, Proposed]:
    """Return the edits and repairs by text."""
    texts = [*MENDED, SEVERAL, "", "...", "No.", "😀 ok"]
    return dict(zip(texts, proposed(model, texts), strict=True))


def test_edits_have_offsets_and_scores(model: NaturalnessModel, by_text: dict[str, Proposed]) -> None:
    """Up to three edits are listed, likeliest first, with offsets in the original text and the scores of `score`."""
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


def test_repairs_have_steps_and_scores(model: NaturalnessModel, by_text: dict[str, Proposed]) -> None:
    """Each step has the text and score that result from it alone; the repair has those of all steps together."""
    assert sum(repair is not None for _, repair in by_text.values()) >= len(MENDED)
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
    """An edit that leaves a text without words has no score and is dropped, and so is a repair with such a step."""
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
