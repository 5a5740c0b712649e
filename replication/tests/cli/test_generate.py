"""`generate`: texts put together from a corpus, whole outputs and errors."""

from __future__ import annotations

import io
import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from naturalness_replication.generating import token_count
from replication.tests.support.commands import run

Captured = pytest.CaptureFixture[str]
COLUMNS = ["text", "original", "method", "kinds", "n_damages", "amount", "damages"]
SUBJECTS = ("The teacher", "My brother", "A tall woman", "She", "The two old dogs")
VERBS = ("saw", "didn't see", "often painted", "has sold")
OBJECTS = ("a house in the village", "the well-known garden", "some bread, milk and tea")


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """A text file of sixty sentences, a question and a fragment."""
    path = tmp_path / "corpus.txt"
    sentences = [f"{' '.join(parts)}." for parts in product(SUBJECTS, VERBS, OBJECTS)]
    path.write_text("\n".join(["Who has seen the dogs?", *sentences, "No stop here at all"]) + "\n")
    return str(path)


def rows(arguments: list[str], capfd: Captured) -> list[dict[str, Any]]:
    """The JSON lines of a command that must succeed without a message."""
    assert run(["generate", *arguments]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("method", ["pos", "supertag", "cfg"])
def test_texts_are_made_of_words(method: str, corpus: str, capfd: Captured) -> None:
    """Of the length asked for; what does not apply is null, and the columns are those of errors."""
    arguments = [method, corpus, "-n", "6", "--length", "9"]
    generated = rows(arguments, capfd)
    assert len(generated) == 6
    count = token_count()
    for row in generated:
        assert list(row) == COLUMNS
        text = row.pop("text")
        assert count(text) == 9
        assert text[0].isupper()
        assert text.find(".") == len(text) - 1
        assert row == {"original": "", "method": method, "kinds": "", "n_damages": None, "amount": None, "damages": []}
    again = rows([*arguments[:-3], "8", *arguments[-2:]], capfd)
    assert [row["text"] for row in again[:6]] == [row["text"] for row in rows(arguments, capfd)]
    other = rows([*arguments, "--seed", "1"], capfd)
    assert [row["text"] for row in other] != [row["text"] for row in again[:6]]


@pytest.mark.parametrize("method", ["sequence", "pos"])
def test_a_table_is_written(method: str, corpus: str, tmp_path: Path, capfd: Captured) -> None:
    """CSV: empty cells where a number is undefined; `size` for sequences alone."""
    out = tmp_path / "out.csv"
    sizes = ["--sizes", "2,8"] if method == "sequence" else []
    assert run(["generate", method, corpus, "-n", "2", "--length", "8", *sizes, "-o", str(out)]) == 0
    assert capfd.readouterr().err == f"{4 if sizes else 2} rows written to {str(out)!r}\n"
    header, *lines = out.read_text().splitlines()
    if method == "pos":
        assert header == ",".join(COLUMNS)
        assert [line.rsplit(".", 1)[1].lstrip('"') for line in lines] == [",,pos,,,,[]"] * 2
    else:
        assert header == ",".join([*COLUMNS, "size"])
        assert [line.rsplit(",", 1)[1] for line in lines] == ["2", "2", "8", "8"]


def test_sentences_of_the_length_are_taken_whole(corpus: str, capfd: Captured) -> None:
    """With the size of the text each is one of the corpus, none twice."""
    generated = rows(["sequence", corpus, "--sizes", "9", "--length", "9", "-n", "8"], capfd)
    texts = [row["text"] for row in generated]
    assert len(set(texts)) == 8
    assert set(texts) <= set(Path(corpus).read_text().splitlines())
    assert [row["amount"] for row in generated] == [0.0] * 8


@pytest.mark.parametrize("sizes", ["3,9", "9,3", "9,9"])
def test_standard_input_is_read_once(sizes: str, corpus: str, capfd: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole sentences and parts of others are taken from it alike."""
    options = ["--sizes", sizes, "--length", "9", "-n", "3"]
    wanted = rows(["sequence", corpus, *options], capfd)
    read = io.TextIOWrapper(io.BytesIO(Path(corpus).read_bytes()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", read)
    assert rows(["sequence", "-", "--input-format", "txt", *options], capfd) == wanted


def test_a_smaller_pool_is_drawn_from(corpus: str, capfd: Captured) -> None:
    """One sentence has no other words than its own."""
    generated = rows(["pos", corpus, "--pool", "1", "--length", "8", "-n", "3"], capfd)
    assert len({row["text"] for row in generated}) == 1
    texts = Path(corpus).read_text().replace(".", "").splitlines()
    words = set(generated[0]["text"].rstrip(".").split())
    assert any(words <= set(line.split()) for line in texts)


ERRORS = [
    (["pos", "--length", "1"], "texts of 1 tokens; expected a word and a full stop at least"),
    (
        ["sequence", "--sizes", "24"],
        "the corpus has 0 sentences of 24 tokens, 1000 were asked for; ask for fewer texts, leave out size 24, or give "
        "a larger corpus",
    ),
    (["cfg", "--length", "3"], "the grammar has no tree of 3 words; give more sentences, or choose another length"),
    (
        ["supertag", "--length", "2"],
        "no sequence of 1 tags and a full stop can be made of the corpus's pairs of tags; give more "
        "text, or choose another length",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors_say_what_to_do(arguments: list[str], message: str, corpus: str, capfd: Captured) -> None:
    """Exit 2 and one line."""
    assert run(["generate", arguments[0], corpus, *arguments[1:]]) == 2
    assert capfd.readouterr().err == f"error: {message}\n"


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("sequence", "the corpus has no sentence that ends in a full stop"),
        ("pos", "the corpus has no sentence from a letter to a full stop"),
        ("supertag", "the corpus has no sentence from a letter to a full stop"),
        ("cfg", "no tree of a sentence that goes from a letter to a full stop"),
    ],
)
def test_a_corpus_without_sentences_says_so(method: str, message: str, tmp_path: Path, capfd: Captured) -> None:
    """Questions and headlines teach nothing."""
    path = tmp_path / "titles.txt"
    path.write_text("Who has seen the old dogs?\nDogs seen in the garden\n")
    assert run(["generate", method, str(path)]) == 2
    assert capfd.readouterr().err == f"error: {message}\n"


@pytest.mark.parametrize(("method", "option"), [("pos", "--kinds"), ("errors", "--length"), ("cfg", "--sizes")])
def test_options_of_other_methods_are_refused(method: str, option: str, corpus: str, capfd: Captured) -> None:
    """The error names the option and the method."""
    assert run(["generate", method, corpus, option, "2"]) == 2
    assert capfd.readouterr().err == f"error: {option}: no option of {method}; leave it out\n"


SENTENCES = [
    "The teacher was reading a long letter in the quiet garden.",
    "My brother often walks to the station with his two dogs.",
    "She said that the children have seen these old films at school.",
]


@pytest.fixture
def three(tmp_path: Path) -> str:
    """A text file of three sentences."""
    path = tmp_path / "three.txt"
    path.write_text("\n".join(SENTENCES) + "\n")
    return str(path)


def test_errors_are_generated_and_recorded(three: str, capfd: Captured) -> None:
    """One JSON object per text, places included; the same seed gives the same bytes."""
    arguments = ["generate", "errors", three, "-n", "3", "--kinds", "drop"]
    assert run(arguments) == 0
    out = capfd.readouterr().out
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["original"] for row in rows] == SENTENCES
    for row in rows:
        (damage,) = row["damages"]
        assert list(row) == ["text", "original", "method", "kinds", "n_damages", "amount", "damages"]
        assert (row["kinds"], row["n_damages"], damage["kind"]) == ("drop", 1, "drop")
        assert len(row["text"].split()) == len(row["original"].split()) - 1
        assert damage["before"].lower() in row["original"].lower()
        assert damage["start"] == damage["end"]
    assert run(arguments) == 0
    assert capfd.readouterr().out == out
    assert run([*arguments, "--seed", "1"]) == 0
    assert capfd.readouterr().out != out


FEW_ERRORS = [
    (
        ["errors", "-n", "9"],
        "only 3 of 9 texts could be made: the corpus has 3 texts of four words or more, and not all can "
        "be damaged in this way; use a larger corpus, ask for fewer texts, or allow more kinds",
    ),
    (["errors", "-n", "1", "--kinds", "drp"], "unknown kind of damage 'drp'; did you mean 'drop'?"),
    (
        ["sequence", "-n", "1", "--sizes", "5"],
        "size 5 does not divide the length 24; choose one of [1, 2, 3, 4, 6, 8, 12, 24]",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), FEW_ERRORS)
def test_errors_of_few_sentences_say_what_to_do(
    arguments: list[str], message: str, three: str, capfd: Captured
) -> None:
    """Exit 2 and one line."""
    assert run(["generate", arguments[0], three, *arguments[1:]]) == 2
    assert capfd.readouterr().err == f"error: {message}\n"


def test_a_range_of_damages_is_checked(three: str, capfd: Captured) -> None:
    """A range that runs backwards is wrong usage."""
    with pytest.raises(SystemExit):
        run(["generate", "errors", three, "--damages", "4-1"])
    assert "expected a number or a range like 1-4, found '4-1'" in capfd.readouterr().err
