"""Single columns of groups, selected by name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

from naturalness import FeatureExtractor, NaturalnessRegressor
from naturalness.cli import run
from naturalness.errors import NaturalnessError, UnknownName
from naturalness.features import GROUPS, SETS, column_names, gaps, measuring, resolve
from naturalness.features.base import needs_parse
from naturalness.features.measuring import measure
from naturalness.features.selected import names_of, narrowed, select
from naturalness.files.store import MeasurementStore
from naturalness.pipelines.saving import save_estimator
from naturalness.pipelines.scorer import load_model
from naturalness.text.parsing import parse
from tests.support import language_models as small
from tests.support.commands import Captured
from tests.support.rated import sentences, write_table

COLUMNS = ["word_lm__perplexity", "lexical__root_ttr"]
TEXTS = [text for text, _, _ in sentences(30)]


def test_columns_have_the_order_of_their_group() -> None:
    """Each column occurs once; a whole group includes its columns, and a set equals its columns."""
    names = column_names(resolve(["lexical__root_ttr", "surface", "lexical__type_token_ratio"]))
    assert names[:2] == ["lexical__type_token_ratio", "lexical__root_ttr"]
    assert len(names) == 2 + len(GROUPS["surface"].features)
    assert resolve(["lexical__root_ttr", "lexical"]) == resolve(["lexical"])
    assert resolve(["all", "lexical__root_ttr"]) == resolve()
    eleven = resolve(["groves-best-11"])
    assert sorted(column_names(eleven)) == sorted(SETS["groves-best-11"])
    assert resolve(eleven) == eleven
    assert names_of(resolve(), [*COLUMNS, *column_names([GROUPS["typing"]])]) == [
        "typing",
        "lexical__root_ttr",
        "word_lm__perplexity",
    ]


def test_values_equal_those_of_the_whole_group(tmp_path: Path) -> None:
    """Selected columns have the values and reasons of the whole group, measured or from the store."""
    whole = FeatureExtractor(["word_lm", "lexical"]).fit(TEXTS)
    indices = [list(whole.get_feature_names_out()).index(name) for name in COLUMNS]
    expected = whole.transform(TEXTS)[:, indices]
    some = FeatureExtractor(COLUMNS, store=tmp_path / "store")
    for _ in range(2):
        np.testing.assert_array_equal(clone(some).fit_transform(TEXTS), expected)
    assert some.fit(TEXTS).get_feature_names_out().tolist() == COLUMNS
    docs = parse([*TEXTS[:2], "word " * 300])
    (column,) = resolve(["constituency__tree_height"])
    assert gaps(docs, [column]) == gaps(docs, [GROUPS["constituency"]])


def test_the_store_keeps_whole_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values measured for one column are stored for all columns of the group."""
    store = MeasurementStore(tmp_path)
    assert measure(TEXTS, COLUMNS[1:], nlp="en", store=store).known == 0
    monkeypatch.setattr(measuring, "read_docs", lambda *arguments, **more: pytest.fail("parsed again"))
    assert measure(TEXTS, ["lexical"], nlp="en", store=store).known == len(TEXTS)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lexical__root_trr", "unknown feature 'lexical__root_trr'; did you mean 'lexical__root_ttr'"),
        ("lexcal__root_ttr", "did you mean 'lexical__root_ttr'"),
        ("grove-best-11", "did you mean 'groves-best-11'"),
        ("lexical__", "unknown feature 'lexical__'"),
        ("lm:words__slr", "did you mean 'lm:words__slor'"),
        ("words:512", "it has been removed"),
        ("bllip:models", "a part of the replications"),
        ("pll__mean", "it has been removed"),
        ("rating_large__predicted", "it has been removed with the large model; use 'rating'"),
    ],
)
def test_an_unknown_name_gets_a_hint(name: str, said: str) -> None:
    """A misspelt column gets a suggestion, and a former name the reason for its removal."""
    with pytest.raises(UnknownName, match=said):
        resolve(["surface", name])


def test_columns_of_a_users_model(tmp_path: Path) -> None:
    """Columns of a user's model can be selected, even if the folder's name contains two underscores."""
    folder = small.train(tmp_path / "my__slor")
    (column,) = resolve([f"lm:{folder}__slor"])
    assert column_names([column]) == ["lm_my_slor__slor"]
    assert len(column_names(resolve([f"lm:{folder}"]))) > 1
    with pytest.raises(UnknownName, match=r"did you mean 'lm:.*my__slor__slor'"):
        resolve([f"lm:{folder}__slorr"])
    with pytest.raises(NaturalnessError, match="no language model"):
        FeatureExtractor([f"lm:{tmp_path / 'no'}__slor"]).fit(["x"])


@pytest.mark.slow
def test_a_model_of_columns(tmp_path: Path, capsys: Captured) -> None:
    """A model of columns trains, scores, labels, evaluates and starts another; the manifest names the columns."""
    table, model = str(write_table(tmp_path / "rated.csv", 60)), str(tmp_path / "model")
    quick = ["--learner", "logistic-l2", "--repeats", "2", "--jobs", "1", "--store", "none"]
    assert run(["train", table, "-o", model, "--features", ",".join([*COLUMNS, "repetition"]), *quick]) == 0
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert manifest["groups"] == ["word_lm", "lexical", "repetition"]
    assert manifest["columns"][:2] == COLUMNS
    assert run(["score", TEXTS[0], TEXTS[1], "--model", model]) == 0
    assert run(["evaluate", table, "--model", model, "--jobs", "1", "--store", "none"]) == 0
    assert "the same figures as in" in capsys.readouterr().err
    assert (
        run(
            [
                "label",
                table,
                "-o",
                str(tmp_path / "out.jsonl"),
                "--model",
                model,
                "--fields",
                f"naturalness,{COLUMNS[0]},why",
            ]
        )
        == 0
    )
    row = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
    assert row[COLUMNS[0]] > 1
    write_table(tmp_path / "other.csv", 60, seed=5)
    assert run(["train", str(tmp_path / "other.csv"), "-o", str(tmp_path / "next"), "--from", model, *quick[2:]]) == 0
    again = json.loads((tmp_path / "next" / "manifest.json").read_text())
    assert again["columns"] == manifest["columns"]


def test_an_estimator_of_columns_is_saved_and_explains(tmp_path: Path) -> None:
    """The estimator and its saved folder give the same scores."""
    regressor = NaturalnessRegressor(features=COLUMNS, learner="logistic-l2", folds=2)
    regressor = clone(regressor).fit(TEXTS, [float(r) for _, r, _ in sentences(30)])
    save_estimator(regressor, tmp_path / "saved")
    model = load_model(tmp_path / "saved")
    assert model.saved.description.columns == tuple(COLUMNS)
    np.testing.assert_allclose(model.score(TEXTS).naturalness, regressor.naturalness(TEXTS), atol=1e-6)
    causes = {c.cause for c in regressor.explain(TEXTS[:1])[0].contributions}
    assert causes == {"wording", "extra"}


def test_the_table_of_features_has_the_columns(tmp_path: Path, capsys: Captured) -> None:
    """The table has the columns in the requested order."""
    assert run(["features", TEXTS[0], "--features", ",".join(COLUMNS), "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert [name for name in row if "__" in name] == COLUMNS
    assert run(["features", TEXTS[0], "--features", "lexical__ttr"]) == 2
    assert "did you mean" in capsys.readouterr().err


def test_a_model_measures_only_its_columns() -> None:
    """Only the columns that the model reads are measured."""
    columns = [*column_names(resolve(["surface"])), "lexical__mtld"]
    few = narrowed(resolve(["surface", "lexical", "pos"]), columns)
    assert column_names(few) == columns
    assert few[0] is GROUPS["surface"]
    assert not any(map(needs_parse, few))
    assert needs_parse(GROUPS["lexical"]) and needs_parse(select(GROUPS["lexical"], "root_ttr"))
