"""Measuring texts, with and without a store: a store changes no value, and only new texts are measured."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness import FeatureExtractor, NaturalnessClassifier, NaturalnessRegressor
from naturalness.errors import NaturalnessError, PipelineError
from naturalness.features import DEFAULT, GROUPS, Requirement, measuring
from naturalness.features.base import Feature, Measured
from naturalness.features.keys import group_key
from naturalness.features.measuring import groups_for, measure
from naturalness.files.store import MeasurementStore, StoreKey
from naturalness.text.parsing import read_docs
from tests.support.language_models import doc_of
from tests.support.rated import sentences

QUICK = ["surface", "typing", "lexical", "repetition", "pos", "dependency"]
ODD = ["", "...", "\0", "a\0b", "\ud800 half a character", "\ufeff", "x" * 50_001, "!" * 600, "é"]
TEXTS = [*(text for text, _, _ in sentences(40)), *ODD]


@dataclass
class Parsed:
    """A recorder of the texts that were parsed, by batch."""

    batches: list[list[str]] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """Return all recorded texts, and clear the record."""
        parsed_texts = [text for batch in self.batches for text in batch]
        self.batches.clear()
        return parsed_texts


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Parsed:
    """Record the texts that are parsed."""
    seen = Parsed()

    def watched(texts: Sequence[str], **how: Any) -> list[Any]:
        seen.batches.append(list(texts))
        return read_docs(texts, **how)

    monkeypatch.setattr(measuring, "read_docs", watched)
    return seen


def assert_same(one: Measured, other: Measured) -> None:
    """Require equality to the last bit."""
    assert one.table.tobytes() == other.table.tobytes()
    assert one.table.shape == other.table.shape
    assert (one.reasons, one.gaps) == (other.reasons, other.gaps)


def test_a_second_run_parses_nothing(tmp_path: Path, parsed: Parsed) -> None:
    """A second run, also with another store on the folder, returns the same values, reasons and gaps."""
    plain = measure(TEXTS, QUICK, nlp="en")
    assert parsed.texts == TEXTS
    first = measure(TEXTS, QUICK, nlp="en", store=MeasurementStore(tmp_path))
    assert parsed.texts == TEXTS
    second = measure(TEXTS, QUICK, nlp="en", store=MeasurementStore(tmp_path))
    assert parsed.texts == []
    assert_same(first, plain)
    assert_same(second, plain)
    assert (plain.known, first.known, second.known) == (0, 0, len(TEXTS))
    assert np.isnan(plain.table[40]).all() and plain.reasons[40] == "empty text"


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.sampled_from(TEXTS) | st.text(st.characters(), max_size=20), max_size=8),
    st.lists(st.sampled_from(TEXTS), max_size=8),
    st.integers(1, 5),
)
def test_values_do_not_depend_on_the_store(before: list[str], texts: list[str], batch_size: int) -> None:
    """Values do not depend on the contents of the store, the batch size or repeated texts."""
    with tempfile.TemporaryDirectory() as folder:
        store = MeasurementStore(folder)
        measure(before, QUICK[:3], nlp="en", store=store)
        progress: list[int] = []
        measured = measure(texts, QUICK, nlp="en", store=store, batch_size=batch_size, advance=progress.append)
        assert_same(measured, measure(texts, QUICK, nlp="en"))
        again = measure(texts, QUICK, nlp="en", store=store)
    assert_same(again, measured)
    assert again.known == len(texts)
    assert progress == sorted(set(progress)) and progress[-1:] == ([len(texts)] if texts else [])


def test_a_new_group_is_measured_alone(tmp_path: Path, parsed: Parsed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known texts are parsed only for a new group; a new text is measured by all groups."""
    store = MeasurementStore(tmp_path)
    texts = TEXTS[:6]
    measure(texts, QUICK[:3], nlp="en", store=store)
    measured: list[tuple[str, int]] = []

    def watched(docs: Sequence[Any], groups: Sequence[Any]) -> Any:
        measured.append((groups[0].name, len(docs)))
        return extract(docs, groups)

    extract = measuring.extract
    monkeypatch.setattr(measuring, "extract", watched)
    parsed.batches.clear()
    measure([*texts, "A new text."], QUICK[1:4], nlp="en", store=store)
    assert parsed.texts == [*texts, "A new text."]
    assert measured == [("typing", 1), ("lexical", 1), ("repetition", 7)]
    measure(texts, QUICK[:2], nlp="en", store=store)
    assert parsed.texts == []


class Moody:
    """A group that returns different numbers each time, and gaps for some texts."""

    name: ClassVar = "moody"
    features: ClassVar = (Feature("n", "a number", "0..", "more"),)
    requires: tuple[Requirement, ...] = ()
    calls = 0

    def extract(self, docs: Sequence[Any]) -> Any:
        self.calls += 1
        return np.array([[self.calls if len(doc) > 3 else np.nan] for doc in docs])

    def gaps(self, docs: Sequence[Any]) -> list[str]:
        return ["" if len(doc) > 3 else f"too short, call {self.calls}" for doc in docs]


def test_groups_of_users_are_never_stored(tmp_path: Path, parsed: Parsed) -> None:
    """Values of a user's group are never stored, since changes of its code cannot be detected; others are."""
    store, moody = MeasurementStore(tmp_path), Moody()
    for call in (1, 2):
        measured = measure(TEXTS[:2], ["surface", moody], nlp="en", store=store)
        assert measured.table[0, -1] == call
        assert measured.known == 0
        assert parsed.texts == TEXTS[:2]
    assert measure(TEXTS[:2], ["surface"], nlp="en", store=store).known == 2


def test_rows_without_values_are_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gap may be temporary, such as that of a busy server, so it is not stored."""
    texts = ["A plain sentence of several words.", "No."]
    moody, key = Moody(), StoreKey(bytes(16), 1)
    monkeypatch.setattr("naturalness.features.keys.group_key", lambda group, nlp: key)
    runs = [measure(texts, [moody], nlp="en", store=MeasurementStore(tmp_path)) for _ in range(2)]
    assert [run.known for run in runs] == [0, 1]
    assert [run.gaps for run in runs] == [["", f"no values of moody: too short, call {call}"] for call in (1, 2)]


def test_an_interrupted_run_stores_what_it_measured(
    tmp_path: Path, parsed: Parsed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted run stores its finished batches, and a killed one those up to the last regular write."""

    def interrupt(done: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    store = MeasurementStore(tmp_path)
    how: dict[str, Any] = {"nlp": "en", "store": store, "batch_size": 2}
    with pytest.raises(KeyboardInterrupt):
        measure(TEXTS[:8], QUICK, advance=interrupt, **how)
    parsed.batches.clear()
    assert measure(TEXTS[:8], QUICK, **how).known == 4
    assert parsed.texts == TEXTS[4:8]
    monkeypatch.setattr(measuring, "AT_ONCE", 4)
    counts: list[int] = []
    store = MeasurementStore(tmp_path / "killed")
    key = group_key(GROUPS["pos"], "en")
    assert key is not None
    measure(
        TEXTS[:8],
        ["pos"],
        nlp="en",
        store=store,
        batch_size=2,
        advance=lambda done: counts.append(len(store.read(key))),
    )
    assert counts == [0, 0, 4, 4]


ROWS = sentences(30)
LABELS = ["natural" if rating >= 4 else "unnatural" for _, rating, _ in ROWS]


@pytest.mark.parametrize(
    ("make", "y"), [(NaturalnessClassifier, LABELS), (NaturalnessRegressor, [rating for _, rating, _ in ROWS])]
)
def test_estimators_use_the_store(tmp_path: Path, parsed: Parsed, make: Any, y: Any) -> None:
    """Fit and predict parse each text once, and return the same as without a store."""
    from sklearn.base import clone

    texts = [text for text, _, _ in ROWS]
    how: dict[str, Any] = {"features": QUICK, "learner": "logistic-l2", "folds": 2}
    estimator = clone(make(**how, store=tmp_path / "store"))
    assert not (tmp_path / "store").exists()  # constructors store, fit checks
    expected = make(**how).fit(texts, y).naturalness(texts)
    parsed.batches.clear()
    np.testing.assert_array_equal(estimator.fit(texts, y).naturalness(texts), expected)
    assert sorted(parsed.texts) == sorted(set(texts))
    np.testing.assert_array_equal(clone(estimator).fit(texts, y).naturalness(texts), expected)
    assert parsed.texts == []


@pytest.mark.parametrize("make", [FeatureExtractor, NaturalnessClassifier, NaturalnessRegressor])
def test_fit_refuses_a_folder_that_cannot_be_used(tmp_path: Path, make: Any) -> None:
    """A folder that cannot be used raises an error before anything is parsed."""
    (tmp_path / "file").write_text("")
    estimator = make(features=["surface"], store=tmp_path / "file")
    with pytest.raises(NaturalnessError, match="cannot store measurements"):
        estimator.fit([text for text, _, _ in ROWS], range(30))


def test_groups_that_a_model_is_trained_on() -> None:
    """Without named groups, a model is trained on those of the default model."""
    assert groups_for(None) == list(DEFAULT)
    assert groups_for(["surface"]) == ["surface"]


def test_groups_refuse_docs_without_what_they_read() -> None:
    """Groups measure Docs that have the tags or arcs which they read, and refuse others."""
    doc = doc_of("Cats sleep .")
    doc[0].pos_ = "NOUN"
    measure([doc, doc_of("!")], ["pos", "surface"], nlp="en")
    for group in ("rules", "dependency", "tag_lm", "gleu"):
        with pytest.raises(PipelineError, match=f"has no .*, which group '{group}' reads"):
            measure([doc], [group], nlp="en")
