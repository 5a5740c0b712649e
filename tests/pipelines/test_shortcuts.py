"""`naturalness.score` and `naturalness.explain`."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import pytest
import spacy

import naturalness
from naturalness import FeatureExtractor
from naturalness.errors import ModelError, PipelineError
from naturalness.explaining.explanation import Explanation, Explanations
from naturalness.judging.model import model_folder
from naturalness.pipelines import shortcuts
from naturalness.pipelines.scorer import load_model
from naturalness.text import parsing

BAD, FINE = "She have no idea of it.", "The bakery on the corner opens at six."


def test_one_text_or_several() -> None:
    """The functions return the numbers of the model; a single text gives a single explanation."""
    model = load_model("fast")
    scores = naturalness.score([BAD, "", FINE], "fast")
    assert str(scores) == str(model.score([BAD, "", FINE])) and scores.texts == [BAD, "", FINE]
    assert naturalness.score(BAD, model="fast").naturalness.tolist() == scores.naturalness[:1].tolist()
    explained = naturalness.explain(BAD, "fast", edits=1)
    assert isinstance(explained, Explanation) and [edit.after for edit in explained.edits] == ["had"]
    several = naturalness.explain(iter([BAD, FINE]), model, edits=1)
    assert isinstance(several, Explanations) and str(asdict(several[0])) == str(asdict(explained))
    assert naturalness.explain([], "fast") == []
    with pytest.raises(ModelError, match="no-such-folder"):
        naturalness.explain(BAD, "no-such-folder")
    with pytest.raises(PipelineError, match="has no POS and no DEP"):
        naturalness.explain([spacy.blank("en")(BAD)], "fast")


def test_docs_are_left_as_given() -> None:
    """Nothing remains in a Doc parsed elsewhere, which spaCy could not serialise."""
    doc = spacy.blank("en")(BAD)
    for measure in (FeatureExtractor(["surface"]).fit_transform, naturalness.score):
        measure([doc])
        assert doc.user_data == {}


def test_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads give the same scores as a single thread, even if the vocabulary is full."""
    monkeypatch.setattr(parsing, "MAX_STRINGS", 0)
    model = load_model("fast")
    texts = [f"The glimmer{i} have wimbled a {name}{i} of snorves." for i in range(24) for name in ("zonk", "frump")]

    def score() -> list[float]:
        return model.score(texts, batch_size=2).naturalness.tolist()

    alone = score()
    with ThreadPoolExecutor(3) as pool:
        assert [job.result() for job in [pool.submit(score) for _ in range(3)]] == [alone] * 3


def test_a_model_is_opened_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A named model stays open until its folder, or the current folder, changes."""
    opened: list[str] = []
    monkeypatch.setattr(shortcuts, "load_model", lambda name: opened.append(str(name)) or load_model(name))
    shortcuts._open.cache_clear()
    for folder in ("a", "b"):
        shutil.copytree(model_folder("fast"), tmp_path / folder / "mine")
        monkeypatch.chdir(tmp_path / folder)
        for _ in range(2):
            naturalness.score(BAD, "mine")
            naturalness.explain(BAD, Path("mine"))
    assert opened == ["mine", "mine", "mine", "mine"]  # a name and a path of each
    os.utime("mine/manifest.json", ns=(1, 1))
    naturalness.score(BAD, "mine")
    assert len(opened) == 5
    shortcuts._open.cache_clear()
