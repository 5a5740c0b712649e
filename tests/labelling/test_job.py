"""The shard function: the same values as the model's, whatever else there is to label."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from naturalness import load_model
from naturalness.errors import ModelError, NaturalnessError, UnknownName
from naturalness.explaining.causes import TITLES
from naturalness.explaining.shown import MIN_CONTRIBUTION
from naturalness.features import EVERY, extract, feature_names
from naturalness.labelling import job as module
from naturalness.labelling.job import ALWAYS, Job, Labeller, batches, empty_row, identity, open_job
from naturalness.labelling.parts import Parts
from naturalness.text.parsing import parse, read_docs
from tests.support.labelling import texts
from tests.support.language_models import HARBOUR, KITCHEN, train

PLAIN = "The old man gave his book to the girl."
ODD = ["", "...", "\0", "a\r\nb", "😀", "\ud800 half", "word " * 3000, "x" * 60_000, PLAIN, PLAIN]


def same(a: dict[str, list[Any]], b: dict[str, list[Any]]) -> bool:
    """Whether columns are equal, NaN and all."""
    return list(a) == list(b) and str(a) == str(b)


def test_values_are_the_models(job: Job) -> None:
    """Score, voice, label and reason of every text, odd ones too; without the voice, its reason is absent."""
    columns = Labeller(job)(ODD)
    scores = load_model(job.model).score(ODD)
    assert list(columns) == list(ALWAYS)
    assert str(columns["naturalness"]) == str(scores.naturalness.tolist())
    assert columns["label"] == [label or "" for label in scores.labels]
    assert str(columns["voice"]) == str(scores.voice.tolist())
    assert columns["reason"] == scores.all_reasons
    assert Labeller(replace(job, fields=("reason",)))(ODD)["reason"] == scores.reasons


def test_company_and_memory_change_nothing(job: Job) -> None:
    """Alone, in any order, in batches of any size, again; by one labeller or a new one."""
    fields = ("naturalness", "low", "high", "unlike", "why", "features")
    job = replace(job, fields=fields, metrics=("length",))
    some = texts(30)
    whole = Labeller(job)(some)
    small = Labeller(replace(job, batch_size=3))
    assert same(small(some), whole)
    assert same(small(some), whole)
    backwards = small(some[::-1])
    assert same({name: values[::-1] for name, values in backwards.items()}, whole)
    assert same(Labeller(job)(some[7:8]), {name: values[7:8] for name, values in whole.items()})


def test_batches_are_bounded_in_texts_and_letters() -> None:
    """Short texts fill a batch by number, long ones by letters; one that is too long goes alone."""
    short, long = ["Tea."] * 5, ["a" * 60, "b" * 60, "c" * 540, "d"]
    assert list(batches(short, 2, 120)) == [short[:2], short[2:4], short[4:]]
    assert list(batches(long, 2, 120)) == [long[:2], long[2:3], long[3:]]
    assert list(batches([], 2, 120)) == []


def test_identical_texts_are_scored_once(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a shard and over shards, as far as the memory goes."""
    seen: list[str] = []
    monkeypatch.setattr(module, "read_docs", lambda batch, **options: seen.extend(batch) or read_docs(batch, **options))
    monkeypatch.setattr(module, "REMEMBERED_TEXTS", 2)
    label = Labeller(job)
    first = label([PLAIN, "Another one.", PLAIN, "Another one."])
    assert sorted(seen) == ["Another one.", PLAIN]
    assert same(label([PLAIN] * 4), {name: [values[0]] * 4 for name, values in first.items()})
    assert len(seen) == 2
    label(["Third.", "Fourth."])
    label(["Another one."])
    assert seen[2:] == ["Third.", "Fourth.", "Another one."]


def test_features_groups_and_metrics_are_columns(job: Job) -> None:
    """Those of the model by `features`, any group by its name, metrics by theirs."""
    columns = Labeller(replace(job, fields=("typing", "naturalness", "features"), metrics=("length", "slor")))([PLAIN])
    features = [name for group in ("surface", "lexical", "repetition") for name in feature_names(EVERY[group])]
    assert list(columns) == [*feature_names(EVERY["typing"]), "naturalness", *features, "length", "slor"]
    values = extract(parse([PLAIN]), [EVERY["lexical"]])[0].tolist()
    assert str([columns[name][0] for name in feature_names(EVERY["lexical"])]) == str(values)
    assert columns["length"] == [9.0]  # words


def test_bounds_and_doubts_are_those_of_explanations() -> None:
    """Where the score of a shipped model lies, and whether it means much; empty without a score."""
    some = [PLAIN, "Bal ver tuk mosin dreg.", PLAIN[:-1] + " today" * 80 + ".", ""]
    columns = Labeller(Job(model="fast", fields=("low", "high", "unlike")))(some)
    explanations = load_model("fast").explain(some)
    assert str(columns["low"]) == str([one.low for one in explanations])
    assert str(columns["high"]) == str([one.high for one in explanations])
    assert columns["unlike"] == ["; ".join(one.unlike) for one in explanations]
    assert [bool(doubts) for doubts in columns["unlike"]] == [False, True, True, False]
    assert math.isnan(columns["low"][-1])


def test_a_model_without_repeats_has_no_bounds(job: Job) -> None:
    """They are undefined, and no score is lost over it."""
    columns = Labeller(replace(job, fields=("naturalness", "low", "high", "unlike")))([PLAIN])
    assert not math.isnan(columns["naturalness"][0])
    assert str([columns["low"], columns["high"]]) == "[[nan], [nan]]"


def test_why_names_what_lowered_the_score(job: Job) -> None:
    """With its contribution, and not what raised it; empty without a score."""
    label = Labeller(replace(job, fields=("naturalness", "why", "reason")))
    columns = label([PLAIN, "a a a a b b.", ""])
    for row, text in enumerate([PLAIN, "a a a a b b."]):
        lowest = min(label.model.explain([text])[0].contributions, key=lambda contribution: contribution.value)
        expected = f"{TITLES[lowest.cause]} {lowest.value:+.1f}" if lowest.value <= -MIN_CONTRIBUTION else ""
        assert columns["why"][row].startswith(expected)
        assert "+" not in columns["why"][row]
    assert any(columns["why"])
    assert (columns["why"][2], columns["reason"][2]) == ("", "empty text")


def test_a_text_that_breaks_something_is_alone(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no score and says why; the others in its batch have theirs."""
    plain = module.judge_docs

    def judge(model: Any, docs: Any, **options: Any) -> Any:
        if any("trap" in doc.text for doc in docs):
            raise RecursionError("too deep\nfor us")
        return plain(model, docs, **options)

    whole = Labeller(job)([PLAIN, "No problem here."])
    monkeypatch.setattr(module, "judge_docs", judge)
    columns = Labeller(job)([PLAIN, "This is a trap.", "No problem here."])
    assert columns["reason"][1] == "no score: RecursionError: too deep"
    assert math.isnan(columns["naturalness"][1])
    assert columns["label"][1] == ""
    assert [columns["naturalness"][i] for i in (0, 2)] == whole["naturalness"]


def test_what_is_wrong_with_the_installation_is_told_at_once(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no text's fault."""

    def missing(model: Any, docs: Any, **options: Any) -> Any:
        raise ModelError("gone")

    label = Labeller(job)
    monkeypatch.setattr(module, "judge_docs", missing)
    with pytest.raises(ModelError, match="gone"):
        label([PLAIN])


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"fields": ("naturalnes",)}, UnknownName, "did you mean 'naturalness'"),
        ({"fields": ("lexical", "lexical")}, NaturalnessError, "asked for twice"),
        ({"fields": ("features", "lexical")}, NaturalnessError, "asked for twice"),
        ({"metrics": ("slorr",)}, UnknownName, "did you mean 'slor'"),
        ({"metrics": ("rouge-l",)}, NaturalnessError, "needs references"),
        ({"metrics": ("nce:lm:nowhere",)}, ModelError, "no language model 'nowhere'"),
        ({"model": "nowhere"}, ModelError, "no model at"),
    ],
)
def test_mistakes_come_before_any_text(job: Job, changes: dict[str, Any], error: type[Exception], said: str) -> None:
    """With what to do."""
    with pytest.raises(error, match=said):
        open_job(replace(job, **changes))


def test_identity_tells_jobs_apart(job: Job) -> None:
    """By all that changes a value; not by the size of batches."""
    plain = identity(open_job(job))
    assert identity(open_job(replace(job, batch_size=7))) == plain
    assert identity(open_job(replace(job, metrics=("length",)))) != plain
    assert identity(open_job(replace(job, fields=("naturalness",)))) != plain


def test_another_language_model_is_another_job(job: Job, tmp_path: Path) -> None:
    """The plan of unfinished work tells that the model of a metric was made anew."""
    train(tmp_path / "lm", HARBOUR)
    job = replace(job, metrics=(f"slor:lm:{tmp_path / 'lm'}",))
    parts = Parts(str(tmp_path / "parts"))
    parts.begin(identity(open_job(job)))
    assert not parts.differences(identity(open_job(job)))
    shutil.rmtree(tmp_path / "lm")
    train(tmp_path / "lm", KITCHEN)
    assert any("metrics was" in line for line in parts.differences(identity(open_job(job))))


def test_metrics_alone_measure_nothing_else(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job without fields is as quick as its metrics."""
    job = replace(job, fields=(), metrics=("length",))
    monkeypatch.delattr(module, "judge_docs")
    assert Labeller(job)([PLAIN, ""]) == {"length": [9.0, pytest.approx(math.nan, nan_ok=True)]}


def test_an_empty_row_has_a_reason_and_nothing_else() -> None:
    """Texts are empty, numbers NaN."""
    row = empty_row(["naturalness", "label", "reason", "low", "unlike", "why", "slor"], "so")
    assert str(row) == str((math.nan, "", "so", math.nan, "", "", math.nan))
