"""Proposed edits: they undo damage, raise the score as stated, and do not depend on the batch."""

from __future__ import annotations

import math

import pytest

from naturalness.explaining import edits as module
from naturalness.explaining.combining import propose
from naturalness.explaining.edits import GAIN_STEP, MIN_GAIN, Tried, rank
from naturalness.explaining.explanation import Edit
from naturalness.explaining.rewriting import Rewritten
from naturalness.judging.judgement import judge_docs
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.text import parsing
from naturalness.text.matches import Checked, Match
from naturalness.text.parsing import parse, short_memory

WRONG = {
    "The two brothers was late for dinner again.": "The two brothers were late for dinner again.",
    "They are waiting for for the next train.": "They are waiting for the next train.",
    "He put the on keys the table before lunch .": "He put the keys on the table before lunch .",
    "My sister is interested  on old maps.": "My sister is interested  in old maps.",
    "She walked to station in the rain.": "She walked to the station in the rain.",
    "We the have never been to this part of the town.": "We have never been to this part of the town.",
    "“These boat are old,” I said. It did n't sink.": "“These boats are old,” I said. It did n't sink.",
    "The bell rang at noon. Old men was sitting in the sun.": "The bell rang at noon. Old men were sitting in the sun.",
}
ODD = ["", "...", "No.", "😀 ok"]


@pytest.fixture(scope="module")
def model() -> NaturalnessModel:
    """Open the default model."""
    return load_model()


def proposed(model: NaturalnessModel, texts: list[str], most: int = 3) -> list[tuple[Edit, ...]]:
    """Return the edits of texts."""
    docs = parse(texts, nlp=model.nlp)
    return [edits for edits, _ in propose(judge_docs(model, docs), most=most)]


@pytest.fixture(scope="module")
def edits_by_text(model: NaturalnessModel) -> dict[str, tuple[Edit, ...]]:
    """Return the edits by text."""
    texts = [*WRONG, *ODD]
    return dict(zip(texts, proposed(model, texts), strict=True))


@pytest.mark.parametrize("text", WRONG)
def test_damage_is_undone(edits_by_text: dict[str, tuple[Edit, ...]], text: str) -> None:
    """The corrected text is among the three edits."""
    assert WRONG[text] in [edit.text for edit in edits_by_text[text]]


def test_several_errors_each_have_an_edit(model: NaturalnessModel) -> None:
    """The best edit does not hide edits elsewhere."""
    text = "He go to the school every day. The park was was closed."
    (edits,) = proposed(model, [text])
    texts = {edit.text for edit in edits}
    assert "He goes to the school every day. The park was was closed." in texts
    assert "He go to the school every day. The park was closed." in texts


def test_sound_texts_keep_their_words(model: NaturalnessModel) -> None:
    """Edits that the networks find no likelier are not tried, whatever the classifier says."""
    sound = ["The committee will meet again on Thursday morning.", "We had lunch in the garden."]
    assert proposed(model, sound) == [(), ()]


def test_edits_say_what_they_do(model: NaturalnessModel, edits_by_text: dict[str, tuple[Edit, ...]]) -> None:
    """Offsets refer to the original text; `score` confirms scores and gains; there are at most three."""
    for text, edits in edits_by_text.items():
        before = model.score([text]).naturalness[0]
        assert len(edits) <= 3
        assert len({edit.text for edit in edits}) == len(edits)
        for edit in edits:
            assert text[edit.start : edit.end] == edit.before != edit.after
            assert text[: edit.start] + edit.after + text[edit.end :] == edit.text
            assert model.score([edit.text]).naturalness[0] == edit.naturalness
            assert math.isclose(edit.gain, edit.naturalness - before, abs_tol=1e-6)  # each has six digits
            assert edit.gain >= MIN_GAIN


def test_the_same_alone_and_in_company(model: NaturalnessModel, edits_by_text: dict[str, tuple[Edit, ...]]) -> None:
    """Edits do not depend on the batch, and a smaller number is a prefix of a larger one."""
    texts = list(edits_by_text)
    for text in texts[:4]:
        assert proposed(model, [text]) == [edits_by_text[text]]
    assert proposed(model, texts[3::-1], most=1) == [edits_by_text[text][:1] for text in texts[3::-1]]


def test_nothing_is_proposed_without_a_score(
    model: NaturalnessModel, edits_by_text: dict[str, tuple[Edit, ...]]
) -> None:
    """Texts without a score, and an empty batch, have no edits."""
    assert edits_by_text[""] == edits_by_text["..."] == ()
    assert proposed(model, []) == []


def test_gains_decide_and_near_ties_go_to_the_likelier() -> None:
    """Edits below the minimal gain are not shown."""

    def tried(name: str, likelihood: float) -> Tried:
        return Tried(Rewritten(0, 1, "x", name, name), likelihood)

    def ranked(*scores: float, most: int = 3) -> list[str]:
        some = [tried("sure", 3.0), tried("likely", 2.0), tried("near", 1.0), tried("none", 0.0)]
        scored = [attempt._replace(score=score) for attempt, score in zip(some, scores, strict=True)]
        return [edit.after for edit in rank(scored, 0.5, most)]

    assert ranked(0.5 + MIN_GAIN / 2, 0.9, 0.9 + GAIN_STEP / 10, 0.4) == ["likely", "near"]
    assert ranked(0.9, 0.9 + 2 * GAIN_STEP, 0.9, 0.9)[0] == "likely"
    assert ranked(0.9, 0.9, 0.9, 0.9, most=1) == ["sure"]


def test_what_a_rule_suggests_is_shown_even_if_the_score_falls(model: NaturalnessModel) -> None:
    """Last, and in addition to the best edits, so that no finding stands beside the claim that nothing can be done."""
    text = "They look forward to see the new bridge."
    (edits,) = proposed(model, [text], most=1)
    assert [edit.text for edit in edits] == ["They look forward to seeing the new bridge."]
    attempts = [Tried(Rewritten(0, 1, "x", "y", "y"), 1.0, by_rule=True, score=0.4)]
    attempts += [Tried(Rewritten(0, 1, "x", "z", "z"), 1.0, score=0.6)]
    assert [(edit.after, edit.gain > 0) for edit in rank(attempts, 0.5, 1)] == [("z", True), ("y", False)]


def test_words_of_the_callers_docs_are_not_forgotten(model: NaturalnessModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's Docs stay readable in its memory zone."""
    monkeypatch.setattr(parsing, "MAX_STRINGS", 0)
    text = next(iter(WRONG))
    with short_memory(nlp=model.nlp):
        assert WRONG[text] in [edit.text for edit in proposed(model, [text])[0]]


def test_languagetool_is_asked_by_models_that_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other model asks LanguageTool."""

    class FakeChecker:
        name = signature = "made up"

        def check(self, docs: list[object]) -> list[Checked]:
            return [Checked((Match(0, 2, "MADE_UP", "GRAMMAR", ""),)) for _ in docs]

    monkeypatch.setattr(module, "open_checker", lambda: FakeChecker())
    docs = parse(["He goes home."])
    assert module.matches_of(docs, ["rules"]) == [[]]
    assert [m.rule for m in module.matches_of(docs, ["rules", "grammar"])[0]] == ["MADE_UP"]
