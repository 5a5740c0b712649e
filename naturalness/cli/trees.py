"""`naturalness features --show-tree`: the best trees of each sentence, drawn or as data."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import input_batches
from naturalness.cli.options import positive
from naturalness.cli.shown import ShownSentence, ShownText, ShownTree, as_brackets, as_json, as_svg, as_text, heading
from naturalness.data.formats import STANDARD
from naturalness.data.reading import Batch
from naturalness.data.writing import check_writable
from naturalness.errors import TableError
from naturalness.models.parsers.tree import Node

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.models.parsers.base import ConstituencyParser, ParsedSentence

STYLES = ("text", "json", "brackets", "svg")
TREES_ALONE = ("brackets", "svg")
"""The styles in which nothing but trees can be told."""
SUFFIXES = {".txt": "text", ".json": "json", ".mrg": "brackets", ".ptb": "brackets", ".svg": "svg"}
SHOWN = 5

Grammar = Callable[[Node, Sequence[str], Sequence[str]], float]


def add_tree_options(parser: argparse.ArgumentParser) -> None:
    """What is shown instead of numbers."""
    add = parser.add_argument_group("trees").add_argument
    add(
        "--show-tree",
        action="store_true",
        help="measure nothing; show the best constituency trees of each sentence, as "
        f"{', '.join(STYLES)} (--format), or in -o FILE with {', '.join(SUFFIXES)}",
    )
    add("--trees", type=positive, metavar="N", help=f"trees shown per sentence ({SHOWN})")


def check_tree_options(given: argparse.Namespace) -> None:
    """Refuse options that have no meaning beside, or without, --show-tree."""
    if given.show_tree:
        for name in ("features", "list"):
            if getattr(given, name):
                raise TableError(f"--show-tree measures nothing; leave out --{name}")
    elif given.trees is not None:
        raise TableError("--trees needs --show-tree beside it")
    elif given.format in TREES_ALONE:
        raise TableError(f"--format {given.format} needs --show-tree beside it")


def show_trees(given: argparse.Namespace) -> int:
    """Show the trees; 1 where a text or a sentence has none."""
    from naturalness.models.parsers.chart.parser import ASSET
    from naturalness.models.parsers.spec import open_parser

    style = _style(given)
    read = input_batches(given)
    parser, grammar = open_parser(given.parser or ASSET), _grammar()
    failures = 0
    kept: list[ShownText] = []  # where the whole is one value
    with _output(given) as write:
        for text in (t for batch in read for t in _read(batch, parser, grammar, given)):
            failed = list(text.failures())
            failures += len(failed)
            if style == "text":
                write(as_text(text))
            elif style == "brackets":
                write(as_brackets(text, apart=given.trees != 1))
                sys.stderr.writelines(f"{what}: no tree: {why}\n" for what, why in failed)
            else:
                kept.append(text)
        if style in {"json", "svg"}:
            write(as_json(kept) if style == "json" else as_svg(kept))
    if failures:
        sys.stderr.write(f"{failures} texts or sentences without a tree\n")
    return int(failures > 0 or not read.count)


def _style(given: argparse.Namespace) -> str:
    """The format asked for, or told by the name of the file."""
    to_file = given.output not in (None, STANDARD)
    style: str | None = given.format
    if style is None:
        style = SUFFIXES.get(Path(given.output).suffix.lower()) if to_file else "text"
    if style not in STYLES:
        found = f"--format {style}" if style else f"-o {given.output!r}"
        raise TableError(
            f"{found} is no format of trees; expected {', '.join(STYLES)} as --format, or a file "
            f"name that ends in {', '.join(SUFFIXES)}"
        )
    if to_file:
        check_writable(Path(given.output), force=given.force)
    return style


def _grammar() -> Grammar | None:
    """The shipped grammar's log-probability of a tree and its words, if the grammar is there."""
    from naturalness.files.resources import load_manifest
    from naturalness.models.parsers.generative import store

    return store.grammar().logprob if store.ASSET in load_manifest() else None


@contextmanager
def _output(given: argparse.Namespace) -> Iterator[Callable[[str], Any]]:
    """Standard output, or a file, which is written only when all is done."""
    if given.output in (None, STANDARD):
        yield sys.stdout.write
        return
    parts: list[str] = []
    yield parts.append
    Path(given.output).write_text("".join(parts), encoding="utf-8", errors="replace")


def _read(
    batch: Batch, parser: ConstituencyParser, grammar: Grammar | None, given: argparse.Namespace
) -> list[ShownText]:
    """The texts of a batch with their trees, as plain data: their Docs do not outlive this."""
    from naturalness.text.parsing import parse, short_memory, unusable

    texts = []
    with short_memory(nlp=given.nlp):
        docs = parse(batch.texts, nlp=given.nlp, batch_size=given.batch_size)
        problems = [p or unusable(doc) for p, doc in zip(batch.problems, docs, strict=True)]
        good = [doc for doc, problem in zip(docs, problems, strict=True) if not problem]
        found = iter(parser.nbest(good, given.trees or SHOWN))
        for place, (text, problem) in enumerate(zip(batch.texts, problems, strict=True)):
            number = str(batch.first_row + place + 1)
            own = [] if problem else _sentences(number, docs[place], next(found), grammar)
            texts.append(ShownText(heading(number, text), text, own, problem))
        del docs, good
    return texts


def _sentences(number: str, doc: Doc, found: Sequence[ParsedSentence], grammar: Grammar | None) -> list[ShownSentence]:
    from naturalness.models.parsers.base import words_of
    from naturalness.text.view import view

    seen, made = view(doc), []
    spelled = words_of(seen)
    for place, sentence in enumerate(found, start=1):
        words = seen.texts[sentence.start : sentence.stop]
        tags = seen.tags[sentence.start : sentence.stop]
        trees = []
        for tree in sentence.trees:
            root = tree.root
            read = spelled[sentence.start : sentence.stop]
            joint = grammar(root, read, tags) if grammar else math.nan
            trees.append(ShownTree(root, tree.logprob, joint))
        text = doc[seen.places[sentence.start] : seen.places[sentence.stop - 1] + 1].text
        name = heading(f"{number}.{place}" if len(found) > 1 else number, text)
        made.append(ShownSentence(name, words, tags, trees, sentence.problem))
    return made
