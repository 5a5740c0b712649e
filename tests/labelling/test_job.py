"""The labeller gives the values of the model, whatever else there is to label."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from naturalness import load_model
from naturalness.errors import ModelError, NaturalnessError, UnknownName
from naturalness.explaining.wording import why
from naturalness.features import EVERY, extract, feature_names
from naturalness.labelling import job as module
from naturalness.labelling.job import Job, Labeller, batches, empty_row
from naturalness.labelling.parts import Parts
from naturalness.text.parsing import parse, read_docs
from tests.support.labelling import texts
from tests.support.language_models import HARBOUR, KITCHEN, train

PLAIN = "The old man gave his book to the girl."
ODD = ["", "...", "\0", "a\r\nb", "😀", "\ud800 half", "word " * 3000, "x" * 60_000, PLAIN, PLAIN]


def same(a: dict[str, list[Any]], b: dict[str, list[Any]]) -> bool:
    """Whether columns are equal, NaN and all."""
    return list(a) == list(b) and str(a) == str(b)


def test_values_are_those_of_the_model(job: Job) -> None:
    """Odd texts have the fields of the model's scores; without the voice, no reason mentions it."""
    columns = Labeller(job)(ODD)
    scores = load_model(job.model).score(ODD)
    expected = scores.columns(["naturalness", "voice", "label", "reason"])
    assert str(columns) == str(expected | {"label": [label or "" for label in scores.labels]})
    assert Labeller(replace(job, fields=("reason",)))(ODD)["reason"] == scores.reasons


def test_values_do_not_depend_on_other_texts(job: Job) -> None:
    """A text has the same values alone, in any order, in batches of any size, and a second time."""
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


def test_fields_are_those_of_explanations() -> None:
    """Bounds, doubts and causes of a shipped model; empty without a score."""
    some = [PLAIN, "Bal ver tuk mosin dreg.", PLAIN[:-1] + " today" * 80 + ".", "He have went to home.", ""]
    columns = Labeller(Job(model="fast", fields=("low", "high", "unlike", "why")))(some)
    explanations = load_model("fast").explain(some)
    assert str(columns["low"]) == str([one.low for one in explanations])
    assert str(columns["high"]) == str([one.high for one in explanations])
    assert columns["unlike"] == ["; ".join(one.unlike) for one in explanations]
    assert [bool(doubts) for doubts in columns["unlike"]] == [False, True, True, False, False]
    assert columns["why"] == [why(one, lowering=True) for one in explanations]
    assert columns["why"][3].startswith("verb forms −") and not columns["why"][4]


def test_a_model_without_repeats_has_no_bounds(job: Job) -> None:
    """The bounds are undefined; the score is not."""
    columns = Labeller(replace(job, fields=("naturalness", "low", "high")))([PLAIN])
    assert [math.isnan(values[0]) for values in columns.values()] == [False, True, True]


def test_a_text_that_breaks_something_is_alone(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its reason names the error; the other texts in its batch have scores. An error in the installation is raised."""
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
        ({"fields": ("sound",)}, NaturalnessError, "is an axis of adapted models"),
        ({"fields": ("percentile",)}, NaturalnessError, "needs `register`"),
    ],
)
def test_mistakes_come_before_any_text(job: Job, changes: dict[str, Any], error: type[Exception], said: str) -> None:
    """With what to do."""
    with pytest.raises(error, match=said):
        Labeller(replace(job, **changes))


def test_identity_tells_jobs_apart(job: Job) -> None:
    """The identity contains everything that changes a value."""
    plain = Labeller(job).identity()
    assert Labeller(replace(job, metrics=("length",))).identity() != plain
    assert Labeller(replace(job, fields=("naturalness",))).identity() != plain


def test_another_language_model_is_another_job(job: Job, tmp_path: Path) -> None:
    """The plan of unfinished work notices that the language model of a metric was trained again."""
    train(tmp_path / "lm", HARBOUR)
    job = replace(job, metrics=(f"slor:lm:{tmp_path / 'lm'}",))
    parts = Parts(str(tmp_path / "parts"))
    parts.begin(Labeller(job).identity())
    assert not parts.differences(Labeller(job).identity())
    shutil.rmtree(tmp_path / "lm")
    train(tmp_path / "lm", KITCHEN)
    assert any("metrics was" in line for line in parts.differences(Labeller(job).identity()))


def test_an_empty_row_has_a_reason_and_nothing_else() -> None:
    """Texts are empty, and numbers are NaN."""
    row = empty_row(["naturalness", "label", "reason", "low", "unlike", "why", "slor"], "so")
    assert str(row) == str((math.nan, "", "so", math.nan, "", "", math.nan))
