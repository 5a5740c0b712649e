"""Scores and explanations in one line."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import pytest

import naturalness
from naturalness.errors import ModelError
from naturalness.explaining.explanation import Explanation, Explanations
from naturalness.judging.model import model_folder
from naturalness.pipelines import shortcuts
from naturalness.pipelines.scorer import load_model
from naturalness.text import parsing

BAD, FINE = "She have no idea of it.", "The bakery on the corner opens at six."


def test_one_text_or_several() -> None:
    """The numbers of the model; of a single text a single explanation."""
    model = load_model("fast")
    scores = naturalness.score([BAD, "", FINE], "fast")
    assert str(scores) == str(model.score([BAD, "", FINE])) and scores.texts == [BAD, "", FINE]
    assert naturalness.score(BAD, model="fast").naturalness.tolist() == scores.naturalness[:1].tolist()
    explained = naturalness.explain(BAD, "fast", edits=1)
    assert isinstance(explained, Explanation) and [edit.after for edit in explained.edits] == ["has"]  # by a rule
    several = naturalness.explain(iter([BAD, FINE]), model, edits=1)
    assert isinstance(several, Explanations) and str(asdict(several[0])) == str(asdict(explained))
    assert naturalness.explain([], "fast") == [] and naturalness.score([], "fast").naturalness.tolist() == []


def test_threads_score_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a full vocabulary too, where the words of a batch are forgotten when it ends."""
    monkeypatch.setattr(parsing, "MAX_STRINGS", 0)
    model = load_model("fast")
    texts = [f"The glimmer{i} have wimbled a {name}{i} of snorves." for i in range(24) for name in ("zonk", "frump")]

    def score() -> list[float]:
        return model.score(texts, batch_size=2).naturalness.tolist()

    alone = score()
    with ThreadPoolExecutor(3) as pool:
        assert [job.result() for job in [pool.submit(score) for _ in range(3)]] == [alone] * 3


def test_within_a_register() -> None:
    """Scores and explanations have the same values."""
    scores = naturalness.score([BAD, FINE], "fast", register="books")
    explained = naturalness.explain([BAD, FINE], "fast", register="books")
    assert [standing.register for standing in scores.standings] == ["books", "books"]
    assert [one.naturalness for one in explained] == scores.naturalness.tolist()


def test_neither_texts_nor_names_are_guessed() -> None:
    """What is no text is a mistake; a model that is not there is an error."""
    with pytest.raises(TypeError, match="text 1 is int"):
        naturalness.score([BAD, 3], "fast")
    with pytest.raises(TypeError, match="not a single string"):
        load_model("fast").explain(BAD)
    with pytest.raises(ModelError, match="no-such-folder"):
        naturalness.explain(BAD, "no-such-folder")


def test_a_model_is_opened_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, from whatever folder; again after it was trained again."""
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
