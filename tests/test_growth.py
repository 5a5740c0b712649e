"""Processing time grows linearly with the length of a text, for any repeated pattern."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Mapping
from functools import cache
from itertools import count, pairwise, product
from pathlib import Path
from typing import TypeVar

import pytest
from spacy.tokens import Doc

from naturalness.checking.sources import make_source, sentences
from naturalness.english.constructions import constructions, find_constructions, token_lines
from naturalness.english.foreign import is_foreign
from naturalness.features import GROUPS, LIGHT
from naturalness.files.toml import read_beside
from naturalness.models.parsers.doubts import KEY
from naturalness.text.normalisation import letters
from naturalness.text.parsing import MAX_CHARACTERS, SOURCE, parse, tokenise, unusable
from naturalness.text.view import view

Input = TypeVar("Input")
PACKAGE = Path(__file__).parents[1] / "naturalness"

TEXTS = read_beside(__file__)
PATTERNS, HOSTILE = TEXTS["patterns"], TEXTS["hostile"]
READ: dict[str, Callable[[str], object]] = {
    "letters": letters,
    "tokenise": lambda text: [unusable(doc) for doc in tokenise([text])],
    "language": is_foreign,
    "constructions": lambda text: list(find_constructions(token_lines(text))),
}
SHORT = 1.0
"""Seconds in which nothing has gone wrong; what grew with the square took from 1.5 to hundreds."""


def seconds(read: Callable[[Input], object], item: Input) -> float:
    """Return the processor time of a call."""
    started = time.process_time()
    read(item)
    return time.process_time() - started


AROUND = (("", ""), ("x", "b"), ("`", ""), ("(", ""), ("a:", "!"), ("at ", "b"), ("naturalness: ignore", "x"))
"""What stands before and after a repeated pattern, such as an opening that is never closed."""
SIZE = 4000
INSTANT = 0.02
"""Time below which growth is not tested; at this size, quadratic patterns take longer."""


@cache
def patterns() -> dict[str, tuple[re.Pattern[str], set[str]]]:
    """Return the regular expressions that read texts, with the methods by which the package uses them."""
    files = [path for room in ("checking", "text", "english", "explaining") for path in (PACKAGE / room).rglob("*.py")]
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    every = "\n".join(sources.values())
    found = {}
    for path, source in sources.items():
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for constant in re.findall(r"^(\w+) = re\.compile\((?!rb)", source, re.MULTILINE):
            methods = set(re.findall(rf"\b{constant}\.(\w+)\b", every)) & {
                "match",
                "fullmatch",
                "search",
                "finditer",
                "sub",
            }
            pattern = getattr(importlib.import_module(name), constant)
            found[f"{name}.{constant}"] = (pattern, methods or {"finditer"})
    found |= {f"constructions.{each.name}": (each.pattern, {"finditer"}) for each in constructions()}
    return found


def used(pattern: re.Pattern[str], methods: set[str], text: str) -> None:
    """Apply a regular expression to a text as the package does."""
    for method in methods & {"match", "fullmatch"}:
        getattr(pattern, method)(text)
    if methods - {"match", "fullmatch"}:
        assert all(match.end() <= len(text) for match in pattern.finditer(text))


@pytest.mark.slow
@pytest.mark.parametrize("name", patterns())
def test_time_of_patterns_grows_with_length(name: str) -> None:
    """Four times the length takes a regular expression about four times as long, for any repeated unit and context."""
    pattern, methods = patterns()[name]

    def taken(n: int) -> float:
        text = before + (unit * n)[:n] + after
        return seconds(lambda text: used(pattern, methods, text), text)

    for unit, (before, after) in product(HOSTILE, AROUND):
        if taken(SIZE) > INSTANT:
            least, most = (min(taken(n) for _ in range(2)) for n in (SIZE, 4 * SIZE))
            assert most < 9 * least + INSTANT, f"{before!r}, {unit!r}, {after!r}: {least:.3f} s, {most:.3f} s"


def listed(separator: str, part: Callable[[int], str]) -> Callable[[int], str]:
    """Return a function that makes a text of about ``n`` characters from parts that differ or grow."""

    def made(n: int) -> str:
        text = ""
        for i in count(1):
            if len(text) >= n:
                return text
            text += part(i) + separator
        raise AssertionError

    return made


def ignoring(inside: str) -> Callable[[int], str]:
    """Return a function that makes a comment of about ``n`` characters."""
    return lambda n: f"<!-- naturalness: ignore he-go {inside * (n // len(inside))}x -->\n\nA text."


DOCUMENTS: dict[str, Callable[[int], str]] = {
    "blanks in a comment": ignoring(" "),
    "brackets in a comment": ignoring("("),
    "codes in a comment": ignoring("group-a "),
    "lines of a comment": ignoring("a\n"),
    "underscores": lambda n: f"x{'_' * n}b",
    "more and more back-ticks": listed("a", lambda i: "`" * i),
    "back-ticks and blanks": lambda n: f"`a{' ' * n}b",
    "marks in a heading": lambda n: f"# {'#' * (n // 2)}\\# {'#' * (n // 2)}",
    "calls": lambda n: f"at {'(' * n}b",
    "paths": lambda n: f"{'a/' * (n // 2)} b",
    "comments behind a rule": lambda n: "-" * (n // 2) + "<!-- naturalness: ignore he-go -->" * (n // 68),
    "sentences of an ignored line": lambda n: "<!-- naturalness: ignore he-go --> " + "He go home. " * (n // 12),
    "deeper quotes": listed("a\n", lambda i: ">" * i),
    "deeper lists": listed("- a\n", lambda i: "  " * i),
    "lists in lists": lambda n: "- " * (n // 2) + "a",
    "lazy lines": lambda n: "> " * 20 + "a\n" * (n // 2),
    "a wide table": lambda n: "|a" * (n // 6) + "\n" + "|-" * (n // 6) + "\n" + "|x\n" * (n // 9),
    "a long table": lambda n: "|a|b|\n|-|-|\n" + "|a|b|\n" * (n // 6),
    "headings": lambda n: "a\n" * (n // 2) + "===\n",
    "front matter": lambda n: "---\n" + "a\n" * (n // 2),
    **{repr(unit): lambda n, unit=unit: (unit * n)[:n] for unit in dict.fromkeys((*HOSTILE, *PATTERNS))},  # type: ignore[misc]
    **{name: lambda n, unit=unit: unit * (n // len(unit)) for name, unit in TEXTS["documents"].items()},  # type: ignore[misc]
}


def read_file(name: str, text: str) -> None:
    """Read the sentences of a file."""
    assert all(sentence.text for sentence in sentences(make_source(name, text)))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::naturalness.errors.NaturalnessWarning")
@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_time_of_files_grows_with_length(name: str, document: str) -> None:
    """Four times the length takes about four times as long to read."""

    def taken(n: int) -> float:
        return seconds(lambda text: read_file(name, text), DOCUMENTS[document](n))

    if taken(5_000) > 0.05:
        least, most = (min(taken(n) for _ in range(2)) for n in (5_000, 20_000))
        assert most < 9 * least + SLACK, f"{least:.2f} s, {most:.2f} s"


@pytest.mark.slow
@pytest.mark.parametrize("name", READ)
def test_time_grows_with_length(name: str) -> None:
    """Twice the length takes about twice as long."""
    read = READ[name]
    read("Once, so that all is open.")
    for pattern in PATTERNS:
        text = (pattern * MAX_CHARACTERS)[: MAX_CHARACTERS - 1]
        taken = seconds(read, text)
        if taken > SHORT:
            half = text[: len(text) // 2]
            ratio = min(taken, seconds(read, text)) / min(seconds(read, half) for _ in range(2))
            assert ratio < 3.5, f"{pattern!r}: {taken:.2f} s"


PARSED_PATTERNS = (
    *("the ", "and and ", "a, a, a, ", "I am agree ", "He say dogs is big. ", "to be "),
    *("recieve ", "(a) ", "1 ", "a\n", "http://", "😀 a "),
)
TAGS: Mapping[str, tuple[str, str]] = TEXTS["tags"]
LEMMAS = {"am": "be", "is": "be", "dogs": "dog"}
TREES: Mapping[str, Callable[[int, int], int]] = {
    "chain": lambda i, start: max(start, i - 1),
    "flat": lambda _, start: start,
    "crossing": lambda i, start: max(start, i - 2 - i % 3),
}
"""The head of a token of a sentence that starts at another."""
RELATIONS = ("nsubj", "obj", "conj", "amod", "advcl", "det", "aux", "ccomp", "cc", "xcomp")


def parsed(text: str, tree: str) -> Doc:
    """Return a Doc with tags chosen by word and heads chosen by position."""
    (doc,) = tokenise([text])
    starts = [not i or bool(token.is_sent_start) for i, token in enumerate(doc)]
    bounds = [*(i for i, first in enumerate(starts) if first), len(doc)]
    head = TREES[tree]
    heads = [head(i, start) for start, end in pairwise(bounds) for i in range(start, end)]
    lower = [token.lower_ for token in doc]
    tags = [TAGS.get(w, ("NN", "NOUN") if w.isalpha() else (",", "PUNCT")) for w in lower]
    tagged_doc = Doc(
        doc.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
        lemmas=[LEMMAS.get(word, word) for word in lower],
        tags=[tag for tag, _ in tags],
        pos=[pos for _, pos in tags],
        heads=heads,
        deps=["ROOT" if i == h else RELATIONS[(i - 1) % 10] for i, h in enumerate(heads)],
        sent_starts=starts,
    )
    tagged_doc.user_data = {SOURCE: doc.user_data[SOURCE], KEY: [0.1] * len(doc)}
    return tagged_doc


LAYERS: dict[str, Callable[[Doc], object]] = {
    "view": view,
    **{name: lambda doc, name=name: GROUPS[name].extract([doc]) for name in LIGHT},  # type: ignore[misc]
}
SLACK = 0.1
"""Seconds that nothing is said of: collecting garbage takes as much."""


def afresh(layer: Callable[[Doc], object], doc: Doc) -> float:
    """Return a layer's processor time on a Doc without cached values."""
    remembered = doc.user_data
    doc.user_data = {key: remembered[key] for key in (SOURCE, KEY)}
    taken = seconds(layer, doc)
    doc.user_data = remembered
    return taken


@pytest.fixture(scope="module")
def grown() -> list[tuple[str, Doc, Doc]]:
    """Return Docs of 2,000 and of 16,000 characters for each pattern and tree."""
    docs = []
    for tree, pattern in product(TREES, PARSED_PATTERNS):
        short, long = (parsed((pattern * n)[:n], tree) for n in (2000, 16_000))
        docs.append((f"{tree} of {pattern!r}", short, long))
    return docs


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYERS)
def test_layers_grow_with_length(name: str, grown: list[tuple[str, Doc, Doc]]) -> None:
    """Eight times the length takes far less than 64 times as long, for any shape of parse."""
    afresh(LAYERS[name], parsed("Once, so that all is open.", "chain"))
    for what, short, long in grown:
        taken = afresh(LAYERS[name], long)
        if taken > SLACK:
            least = min(afresh(LAYERS[name], short) for _ in range(2))
            taken = min(taken, afresh(LAYERS[name], long))
            assert taken <= 20 * least + SLACK, f"{what}: {taken:.2f} s, {least:.3f} s"


def test_long_words_are_tokenised_in_pieces() -> None:
    """A long word is split without losing characters, starting sentences or changing its neighbours."""
    text = f"I don't know {'ab!' * 700} isn't it?"
    (doc,) = tokenise([text])
    assert doc.text == text
    assert [token.norm_ for token in doc[:4]] == ["i", "do", "not", "know"]
    assert max(len(token) for token in doc) <= 500
    assert not any(token.is_sent_start for token in doc[1:] if not doc.text[: token.idx].endswith(" "))
    (parsed,) = parse([text])
    assert parsed.text == text
