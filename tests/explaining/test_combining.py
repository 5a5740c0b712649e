"""Combined repairs: they read as people write, keep the content, and do not depend on the batch."""

from __future__ import annotations

import math

import pytest

from naturalness.explaining.combining import MAX_EDITS, MIN_GAIN, Combination, propose
from naturalness.explaining.edits import Tried
from naturalness.explaining.explanation import Repair
from naturalness.explaining.rewriting import Rewritten
from naturalness.judging.judgement import judge_docs
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text.parsing import parse

REPAIRED = {
    "He go to the school yesterday and she are happy.": "He went to the school yesterday and she was happy.",
    "The brothers was late and they misses the the train.": "The brothers were late and they missed the train.",
    "I am agree with you about the plan.": "I agree with you about the plan.",
    "She have three cats and a dog.": "She has three cats and a dog.",
}
FINE = ["We had lunch in the garden.", "The committee will meet again on Thursday morning.", "", "..."]


@pytest.fixture(scope="module")
def model() -> NaturalnessModel:
    """Open the default model."""
    return load_model()


def repairs_of(model: NaturalnessModel, texts: list[str]) -> list[Repair | None]:
    """Return the repairs of texts."""
    return [repair for _, repair in propose(judge_docs(model, parse(texts, nlp=model.nlp)))]


@pytest.fixture(scope="module")
def repairs(model: NaturalnessModel) -> dict[str, Repair | None]:
    """Return the repairs by text."""
    texts = [*REPAIRED, *FINE]
    return dict(zip(texts, repairs_of(model, texts), strict=True))


@pytest.mark.parametrize("text", REPAIRED)
def test_several_errors_are_repaired_together(repairs: dict[str, Repair | None], text: str) -> None:
    """The best combination is what people would write."""
    repair = repairs[text]
    assert repair is not None
    assert repair.text == REPAIRED[text]


def test_sound_texts_have_no_repair(repairs: dict[str, Repair | None]) -> None:
    """Nor has a text without words."""
    assert [repairs[text] for text in FINE] == [None] * len(FINE)


def test_steps_lead_to_the_repair(model: NaturalnessModel, repairs: dict[str, Repair | None]) -> None:
    """Offsets refer to the original text; `score` confirms the score after each step."""
    for text in REPAIRED:
        repair, before = repairs[text], model.score([text]).naturalness[0]
        assert repair is not None
        assert len(repair.steps) <= MAX_EDITS
        assert (repair.text, repair.naturalness) == (repair.steps[-1].text, repair.steps[-1].naturalness)
        assert math.isclose(repair.gain, repair.naturalness - before, abs_tol=1e-6)
        for step in repair.steps:
            assert text[step.start : step.end] == step.before
            assert model.score([step.text]).naturalness[0] == step.naturalness
            assert math.isclose(step.gain, step.naturalness - before, abs_tol=1e-6)
            assert step.gain >= MIN_GAIN
            before = step.naturalness


def test_the_same_alone_and_in_company(model: NaturalnessModel, repairs: dict[str, Repair | None]) -> None:
    """Repairs do not depend on the batch."""
    for text in REPAIRED:
        assert repairs_of(model, [text]) == [repairs[text]]


def test_no_edit_beats_the_repair(model: NaturalnessModel) -> None:
    """An edit that scores better, but is less likely to be right or drops content, is not shown with a repair."""
    texts = [
        "She suggested to going there, isn't it?",
        "The resturant has verry good foood.",
        "The goalkeeper dropped, and crowd went.",
        "I hope you will can come at my party.",
        "and of but or to",
        *REPAIRED,
    ]
    for text, (edits, repair) in zip(texts, propose(judge_docs(model, parse(texts, nlp=model.nlp))), strict=True):
        assert repair is not None, text
        assert max((edit.naturalness for edit in edits), default=0.0) <= repair.naturalness, text


def test_content_stays(model: NaturalnessModel) -> None:
    """A repair drops no content word, however doubtful it is; a repeated one may go."""
    text = "The quite old novel has several quaint quaint unexpected things."
    (repair,) = repairs_of(model, [text])
    words = {"old", "novel", "several", "quaint", "unexpected", "things"}
    assert repair is None or words <= set(repair.text.rstrip(".").split())


def test_gains_and_scores_are_within_the_register(model: NaturalnessModel) -> None:
    """Steps and repair are converted like single edits."""
    text = next(iter(REPAIRED))
    one = model.explain([text], edits=1, register="news")[0]
    assert one.repair is not None
    assert model.score([one.repair.text], register="news").naturalness[0] == one.repair.naturalness
    assert math.isclose(sum(step.gain for step in one.repair.steps), one.repair.gain, abs_tol=1e-5)
    assert math.isclose(one.repair.naturalness - one.naturalness, one.repair.gain, abs_tol=1e-5)


def tried(start: int, end: int, after: str, score: float = 0.6) -> Tried:
    """Return an edit of the text ``a b c``."""
    text = "a b c"
    return Tried(Rewritten(start, end, text[start:end], after, text[:start] + after + text[end:]), 2.0, score=score)


def test_edits_are_applied_together() -> None:
    """Whatever their order; an insertion may touch another edit."""
    nothing = Combination((), (0.5,), 0.0)
    both = nothing.plus(tried(4, 5, "long")).plus(tried(0, 1, "some"))
    assert both.text("a b c") == "some b long"
    assert nothing.plus(tried(0, 1, "x")).plus(tried(0, 0, "the ")).text("a b c") == "the x b c"
    assert nothing.plus(tried(0, 1, "x")).scores == (0.5, 0.6)
    assert both.scores[2] > both.scores[1]
    assert both.likelihood == 4.0


@pytest.mark.parametrize(("score", "better"), [(0.5 + MIN_GAIN, True), (0.5, False), (math.nan, False)])
def test_each_edit_must_gain(score: float, better: bool) -> None:
    """In score and in likelihood."""
    nothing = Combination((), (0.5,), 0.0)
    assert nothing.plus(tried(0, 1, "x", score)).improves(nothing) is better
    assert not nothing.plus(tried(0, 1, "x", 0.9)._replace(likelihood=0.0)).improves(nothing)
