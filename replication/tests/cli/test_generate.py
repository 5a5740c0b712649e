"""`generate`: complete output and errors."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from naturalness_replication.generating import token_count
from replication.tests.support.commands import run

Captured = pytest.CaptureFixture[str]
SUBJECTS = ("The teacher", "My brother", "A tall woman", "She", "The two old dogs")
VERBS = ("saw", "didn't see", "often painted", "has sold")
OBJECTS = ("a house in the village", "the well-known garden", "some bread, milk and tea")


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """Write a corpus of sixty sentences, a question and a fragment."""
    path = tmp_path / "corpus.txt"
    sentences = [f"{' '.join(parts)}." for parts in product(SUBJECTS, VERBS, OBJECTS)]
    path.write_text("\n".join(["Who has seen the dogs?", *sentences, "No stop here at all"]) + "\n")
    return str(path)


def rows(arguments: list[str], capfd: Captured) -> list[dict[str, Any]]:
    """Return the JSON lines of a command, which must succeed without a message."""
    assert run(["generate", *arguments]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("method", ["pos", "supertag", "cfg"])
def test_texts_are_made_of_words(method: str, corpus: str, capfd: Captured) -> None:
    """Texts have the requested length and one full stop; the same seed gives the same texts, however many."""
    arguments = [method, corpus, "-n", "6", "--length", "9"]
    generated = rows(arguments, capfd)
    assert len(generated) == 6
    count = token_count()
    for row in generated:
        text = row.pop("text")
        assert count(text) == 9
        assert text[0].isupper()
        assert text.find(".") == len(text) - 1
        assert row == {"method": method}
    again = rows([*arguments[:-3], "8", *arguments[-2:]], capfd)
    assert [row["text"] for row in again[:6]] == [row["text"] for row in rows(arguments, capfd)]
    other = rows([*arguments, "--seed", "1"], capfd)
    assert [row["text"] for row in other] != [row["text"] for row in again[:6]]


def test_sentences_of_the_length_are_taken_whole(corpus: str, capfd: Captured) -> None:
    """If pieces are as long as the text, each text is a different sentence of the corpus."""
    generated = rows(["sequence", corpus, "--sizes", "9", "--length", "9", "-n", "8"], capfd)
    texts = [row["text"] for row in generated]
    assert len(set(texts)) == 8
    assert set(texts) <= set(Path(corpus).read_text().splitlines())
    assert [row["size"] for row in generated] == [9] * 8


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
    """An error is one line, with exit code 2."""
    assert run(["generate", arguments[0], corpus, *arguments[1:]]) == 2
    assert capfd.readouterr().err == f"error: {message}\n"


@pytest.mark.parametrize(("method", "option"), [("pos", "--sizes"), ("cfg", "--sizes")])
def test_options_of_other_methods_are_refused(method: str, option: str, corpus: str, capfd: Captured) -> None:
    """The error about an option of another method names the option and the method."""
    assert run(["generate", method, corpus, option, "2"]) == 2
    assert capfd.readouterr().err == f"error: {option}: no option of {method}; leave it out\n"
