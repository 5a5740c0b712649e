"""Training n-gram models: counts, files and errors."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from naturalness.errors import CorpusError, ModelError, TrainingError
from naturalness.models.language import training
from naturalness.models.language.training import Recipe, read_docs, sentences, train_language_model
from naturalness.models.language.units import OTHER
from naturalness.text.parsing import parse
from tests.support.language_models import HARBOUR, many, train
from tests.support.reference_models import read_arpa

RECIPE = Recipe(order=3)


def table(folder: Path) -> dict[str, int]:
    """Return the units of a model with their counts."""
    text = gzip.decompress((folder / "units-by-count.tsv.gz").read_bytes()).decode()
    rows = (line.split("\t") for line in text.splitlines())
    return {unit: int(count) for count, *units in rows for unit in units}


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_by_hand(tmp_path: Path) -> None:
    """Three short sentences have the counts worked out by hand; `<oov>` replaces units that occur once in n-grams."""
    texts = ["The boat left at noon.", "The boat  left at “night”.", "", "...", "We left."]
    summary = train_language_model(texts, tmp_path / "m", RECIPE)
    assert table(tmp_path / "m") == {".": 3, "left": 3, "</s>": 3, "The": 2, "at": 2, "boat": 2, '"': 2, OTHER: 3}
    assert {key: summary[key] for key in ("texts", "without_words", "sentences", "tokens")} == {
        "texts": 5,
        "without_words": 2,
        "sentences": 3,
        "tokens": 17,
    }
    assert summary["vocabulary"] == 6
    ngrams = read_arpa(tmp_path / "m" / "model.arpa")
    assert set(ngrams.vocabulary) == {*table(tmp_path / "m"), "<s>", "<unk>"}
    assert summary["n_grams"] == list(ngrams.sizes)
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text())
    assert (manifest["name"], manifest["units"], manifest["training"]) == ("m", "words", summary)
    assert sorted(files(tmp_path / "m")) == [
        "capitals.txt.gz",
        "manifest.json",
        "model.arpa",
        "order-3.binary",
        "units-by-count.tsv.gz",
    ]


def test_blank_lines_separate_sentences() -> None:
    """Only a blank line ends a sentence; both ways to read a Doc give the same units."""
    text = "We left.\n\n--\n\nThey stayed. So did we."
    expected = [["We", "left", ".", "--"], ["They", "stayed", "."], ["So", "did", "we", "."]]
    assert [sentences(doc, "words") for doc in read_docs([text], "words")] == [expected]
    for plain in ("They  stayed .", "...", "It 's 5 o'clock"):
        (doc,) = read_docs([plain], "words")
        doc.user_data["naturalness.source"] = None  # the way through the view
        by_view = sentences(doc, "words")
        (again,) = read_docs([plain], "words")
        assert sentences(again, "words") == by_view


def test_tags_are_those_of_the_whole_pipeline(tmp_path: Path) -> None:
    """Tags do not depend on the parser, which does not run."""
    texts = list(HARBOUR)
    tagged = [sentences(doc, "tags") for doc in read_docs(texts, "tags")]
    assert tagged == [[[token.tag_ for token in doc]] for doc in parse(texts)]
    folder = train(tmp_path / "m", texts, kind="tags")
    assert table(folder)["."] == 7
    assert sorted(files(folder)) == ["manifest.json", "model.arpa", "order-3.binary", "units-by-count.tsv.gz"]


def test_the_same_texts_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batch sizes and the string store do not affect the files."""
    texts = many(60)
    expected = files(train(tmp_path / "m", texts))
    for name, value in (("STREAMED", 20), ("STRINGS", 0)):
        monkeypatch.setattr(training, name, value)
        train_language_model(iter(texts), tmp_path / "m", Recipe(least=1, order=3), force=True)
        assert files(tmp_path / "m") == expected


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "none of 0 texts has a word"),
        (["", " ... "], "none of 2 texts has a word"),
        (["One two three."], "none of 4 different words occurs 2 times or more"),
    ],
)
def test_too_little_text_is_an_error(tmp_path: Path, texts: list[str], message: str) -> None:
    """Too little text is an error that leaves no folder behind."""
    with pytest.raises(CorpusError, match=message):
        train_language_model(texts, tmp_path / "m", RECIPE)
    assert list(tmp_path.iterdir()) == []


def test_settings_are_checked_before_texts_are_read(tmp_path: Path) -> None:
    """Orders, sizes and counts out of range are refused, and so is a single string."""

    def unread() -> Iterator[str]:
        raise AssertionError("read")
        yield ""

    for recipe, message in (
        (Recipe(order=7), "order is 7; expected 2 to 6"),
        (Recipe(size=0), "size is 0"),
        (Recipe(least=0), "least is 0"),
    ):
        with pytest.raises(TrainingError, match=message):
            train_language_model(unread(), tmp_path / "m", recipe)
    with pytest.raises(TypeError, match="one string"):
        train_language_model("A text.", tmp_path / "m")


def test_force_replaces_only_a_language_model(tmp_path: Path) -> None:
    """A failed run leaves the old model; folders with other files or another kind of manifest are not replaced."""
    folder = train(tmp_path / "m")
    before = files(folder)
    with pytest.raises(ModelError, match="exists; choose another name or add `force`"):
        train_language_model(HARBOUR, folder, RECIPE)
    with pytest.raises(CorpusError):
        train_language_model([], folder, RECIPE, force=True)
    assert files(folder) == before
    train_language_model(many(40), folder, RECIPE, force=True)
    assert files(folder) != before
    for name, text in (("manifest.json", '{"format_version": 1, "columns_hash": "x"}'), ("diary.txt", "mine")):
        (folder / name).write_text(text)
        with pytest.raises(ModelError, match="holds files that are not a model's"):
            train_language_model(HARBOUR, folder, RECIPE, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_the_size_of_a_model_is_limited(tmp_path: Path) -> None:
    """A limit on the size keeps all unigrams; an ARPA file is optional."""
    full = train_language_model(many(60), tmp_path / "full", RECIPE)["n_grams"]
    small = train_language_model(many(60), tmp_path / "small", Recipe(order=3, size=50, arpa=False))["n_grams"]
    assert small[0] == full[0]
    assert sum(small[1:]) <= 50 < full[1]
    assert not (tmp_path / "small" / "model.arpa").exists()
