"""Time grows with the length of a text and no faster, whatever pattern it repeats."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from naturalness.models.foreign import is_foreign
from naturalness.normalisation import letters
from naturalness.parsing import MAX_CHARACTERS, parse, tokenise, unusable
from naturalness.pipelines.checking.prose import joined
from naturalness.pipelines.checking.sources import make_source

PATTERNS = [
    "“a” ", "“ ", "a” ", "‘a’ ", "«a» ", "'", "' ", "'s", "!'s", "’s ", '"a" ', '"', "( ", ") ",
    "((a",
    "(a) ", "[ ", "{a}", ": ", "; ", ", ", ". ", "a.", "a. ", "a.a.a.", "... ", "…", "---", "- ",
    "—",
    "a-", "1", "1 ", "1,000 ", "$1 ", "1km", "% ", "°c.", "a", "A ", "aB", "_", "a_", "\n", "a\n",
    "a\n\n", "\u2029", " ", "\t", "\u00a0", "\u200b", "a\u200b", "a\u0301", "😀", "😀 ", "語", "ａ",
    "\ufffd", "the ", "and and ", "do n't ", "don't ", "http://", "https://a.b/", "www.a.", "a@b.",
    "*_*_", "**a", "~~", "`", "``a", "`a``", "|-|", "|a|b|\n", "[a](", "![", "](", "[a][", "<a",
    "<!--",
    "&amp", "\\", "> ", "- a\n", "# ", "```\n", ":a", ":a:`b", "`a <b", "::\n", "`a`_ ", "|a",
    "====\n", ".. a\n", "-LRB- ",
]  # fmt: skip
READ: dict[str, Callable[[str], object]] = {
    "letters": letters,
    "tokenise": lambda text: [unusable(doc) for doc in tokenise([text])],
    "language": is_foreign,
    "markdown": lambda text: passages("a.md", text),
    "restructured": lambda text: passages("a.rst", text),
}
SHORT = 1.0
"""Seconds in which nothing has gone wrong; what grew with the square took from 1.5 to hundreds."""


def passages(name: str, text: str) -> list[str]:
    """What a checker reads of a file."""
    source = make_source(name, text)
    return [source.markup.shown(joined(part)).text for part in source.markup.passages(source.text)]


def seconds(read: Callable[[str], object], text: str) -> float:
    """Processor time."""
    started = time.process_time()
    read(text)
    return time.process_time() - started


@pytest.mark.parametrize("name", READ)
def test_time_grows_with_length(name: str) -> None:
    """It is far from four times as much for twice the length, unless both are quick."""
    read = READ[name]
    read("Once, so that all is open.")
    for pattern in PATTERNS:
        text = (pattern * MAX_CHARACTERS)[: MAX_CHARACTERS - 1]
        taken = seconds(read, text)
        if taken > SHORT:
            half = text[: len(text) // 2]
            ratio = min(taken, seconds(read, text)) / min(seconds(read, half) for _ in range(2))
            assert ratio < 3.5, f"{pattern!r}: {taken:.2f} s"


def test_symbols_are_a_run_however_they_are_spaced() -> None:
    """The spaces behind brackets and before commas go, as they would from tokenised text."""
    for pattern in ("( ", ") ", "“ ", ", "):
        (doc,) = tokenise([pattern * 600])
        assert unusable(doc) == "a run of 500 symbols or more"
    (doc,) = tokenise(["( a ) " * 600])
    assert unusable(doc) == ""


def test_long_words_are_tokenised_in_pieces() -> None:
    """No character is lost, no sentence begins inside, and words beside it stay as they are."""
    text = f"I don't know {'ab!' * 700} isn't it?"
    (doc,) = tokenise([text])
    assert doc.text == text
    assert [token.norm_ for token in doc[:4]] == ["i", "do", "not", "know"]
    assert max(len(token) for token in doc) <= 500
    assert not any(token.is_sent_start for token in doc[1:])
    (parsed,) = parse([text])
    assert parsed.text == text


def test_paragraphs_begin_sentences() -> None:
    """At their first token, and nowhere else by force."""
    (doc,) = tokenise(["One\n\ntwo “three”\n\n\n(four"])
    assert [t.text for t in doc[1:] if t.is_sent_start] == ["two", "("]
