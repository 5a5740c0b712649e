"""`trees`: the best trees of each sentence, as text, brackets or JSON."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import category, east_asian_width

from naturalness.cli.inputs import input_batches, note_written
from naturalness.cli.terminal import visible
from naturalness.data.batch import Batch
from naturalness.data.cells import finite
from naturalness.data.formats import STANDARD
from naturalness.data.writing import check_writable
from naturalness.errors import TableError, guess
from naturalness.files.storage import write_whole
from naturalness.models.parsers.tree import Node
from naturalness_replication.trees import brackets, unary_chain

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.models.parsers.base import ConstituencyParser, ParsedSentence


SUFFIXES = {".txt": "text", ".json": "json", ".mrg": "brackets", ".ptb": "brackets"}
UNDER = " › "
"""The separator between the labels of nodes that cover the same words; the outermost label is first."""
TAGS_AT = 60
"""The rightmost terminal column at which the tags of a phrase may start."""

Grammar = Callable[[Node, Sequence[str], Sequence[str]], float]


def run(args: argparse.Namespace) -> int:
    """Show the trees; return 1 if a text or a sentence has none."""
    style = _style(args)
    read = input_batches(args)
    parser, grammar = _parser(args.bllip), _grammar()
    failures = 0
    collected: list[ShownText] = []
    with _output(args) as write:
        for text in (t for batch in read for t in _read(batch, parser, grammar, args)):
            failed = list(text.failures())
            failures += len(failed)
            if style == "text":
                write(as_text(text))
            elif style == "brackets":
                write(as_brackets(text, apart=args.trees != 1))
                sys.stderr.writelines(f"{what}: no tree: {why}\n" for what, why in failed)
            else:
                collected.append(text)
        if style == "json":
            write(as_json(collected))
    note_written(read.count, "text", args)
    if failures:
        sys.stderr.write(f"{failures} {'text or sentence' if failures == 1 else 'texts or sentences'} without a tree\n")
    return read.code(failures)


def _style(args: argparse.Namespace) -> str:
    """Return the format that the options name, or the one that the output file's name implies."""
    to_file = args.output not in (None, STANDARD)
    style: str | None = args.format
    if style is None:
        style = SUFFIXES.get(Path(args.output).suffix.lower()) if to_file else "text"
    if style is None:
        meant = guess(Path(args.output).suffix.lower(), SUFFIXES)
        raise TableError(f"-o {args.output!r}: expected a name that ends in {', '.join(SUFFIXES)}, or --format{meant}")
    if to_file:
        check_writable(Path(args.output), force=args.force)
    return style


def _parser(folder: str | None) -> ConstituencyParser:
    """Return the BLLIP parser with the model in a folder, or the shipped parser if none is named."""
    if folder:
        from naturalness_replication.bllip import open_bllip

        return open_bllip(folder)
    from naturalness.models.parsers.chart.parser import chart

    return chart()


def _grammar() -> Grammar | None:
    """Return the shipped grammar, for log-probabilities of trees with their words; None if it is not installed."""
    from naturalness.files.resources import load_manifest
    from naturalness.models.parsers.generative import store

    return store.grammar().logprob if store.ASSET in load_manifest() else None


@contextmanager
def _output(args: argparse.Namespace) -> Iterator[Callable[[str], Any]]:
    """Yield a write function for standard output, or for a file that appears once it is complete."""
    if args.output in (None, STANDARD):
        yield sys.stdout.write
        return
    parts: list[str] = []
    yield parts.append
    write_whole(Path(args.output), "".join(parts).encode("utf-8", "replace"), mode=0o644)


def _read(
    batch: Batch, parser: ConstituencyParser, grammar: Grammar | None, args: argparse.Namespace
) -> list[ShownText]:
    """Return the texts of a batch with their trees as plain data, so that their Docs can be freed from memory."""
    from naturalness.text.parsing import parse, short_memory, unusable

    texts = []
    with short_memory(nlp=args.nlp):
        docs = parse(batch.texts, nlp=args.nlp)
        problems = [p or unusable(doc) for p, doc in zip(batch.problems, docs, strict=True)]
        good = [doc for doc, problem in zip(docs, problems, strict=True) if not problem]
        parses = iter(parser.nbest(good, args.trees))
        for index, (text, problem) in enumerate(zip(batch.texts, problems, strict=True)):
            number = str(batch.first_row + index + 1)
            sentences = [] if problem else _sentences(number, docs[index], next(parses), grammar)
            texts.append(ShownText(heading(number, text), text, sentences, problem))
        del docs, good
    return texts


def _sentences(number: str, doc: Doc, parses: Sequence[ParsedSentence], grammar: Grammar | None) -> list[ShownSentence]:
    from naturalness.models.parsers.base import words_of
    from naturalness.text.view import view

    seen, shown = view(doc), []
    spelled = words_of(seen)
    for index, sentence in enumerate(parses, start=1):
        words = seen.texts[sentence.start : sentence.stop]
        tags = seen.tags[sentence.start : sentence.stop]
        trees = []
        for tree in sentence.trees:
            root = tree.root
            read = spelled[sentence.start : sentence.stop]
            joint = grammar(root, read, tags) if grammar else math.nan
            trees.append(ShownTree(root, tree.logprob, joint))
        text = doc[seen.positions[sentence.start] : seen.positions[sentence.stop - 1] + 1].text
        name = heading(f"{number}.{index}" if len(parses) > 1 else number, text)
        shown.append(ShownSentence(name, words, tags, trees, sentence.problem))
    return shown


class ShownTree(NamedTuple):
    """A tree and its probabilities."""

    root: Node
    logprob: float
    """ln P(tree | sentence)."""
    joint: float
    """ln P(tree, words) under the grammar; NaN if the grammar is not installed."""

    @property
    def probability(self) -> float:
        """P(tree | sentence)."""
        return math.exp(self.logprob)

    def described(self) -> str:
        """Return the probabilities as text."""
        numbers = f"P {self.probability:.3g}, ln P(tree | sentence) {self.logprob:.4g}"
        return numbers if math.isnan(self.joint) else f"{numbers}, ln P(tree, words) {self.joint:.5g}"


class ShownSentence(NamedTuple):
    """A sentence with its trees, the best first; no trees if there is a problem."""

    heading: str
    words: list[str]
    tags: list[str]
    trees: list[ShownTree]
    problem: str

    def written(self, tree: ShownTree) -> str:
        """Return a tree in bracket notation."""
        return brackets(tree.root, self.words, self.tags)

    def together(self) -> str:
        """Return the probability mass of the listed trees."""
        total = math.fsum(tree.probability for tree in self.trees)
        return f"together: P {min(total, 1.0):.3g}"


class ShownText(NamedTuple):
    """A text with its sentences; no sentences if the text has a problem."""

    heading: str
    text: str
    sentences: list[ShownSentence]
    problem: str

    def failures(self) -> Iterator[tuple[str, str]]:
        """Yield the texts and sentences that have no tree, each with the reason."""
        if self.problem:
            yield self.heading, self.problem
        yield from ((s.heading, s.problem) for s in self.sentences if s.problem)


def heading(number: str, text: str) -> str:
    """Return a heading with the number and words of a text or sentence."""
    return f"[{number}] {visible(' '.join(text.split())) or '(empty)'}"


def as_text(text: ShownText) -> str:
    """Return a drawing of each best tree, followed by the other trees in brackets."""
    parts = [f"{text.heading}\n   no tree: {text.problem}\n\n"] if text.problem else []
    for sentence in text.sentences:
        parts.append(f"{sentence.heading}\n")
        if sentence.problem:
            parts.append(f"   no tree: {sentence.problem}\n")
        for rank, tree in enumerate(sentence.trees, start=1):
            drawn = [visible(sentence.written(tree))]
            if rank == 1:
                drawn = lines(tree.root, sentence.words, sentence.tags)
            parts += [f"{rank}. {tree.described()}\n", *(f"   {line}\n" for line in drawn)]
        parts.append(f"{sentence.together()}\n\n" if len(sentence.trees) > 1 else "\n")
    return "".join(parts)


def as_brackets(text: ShownText, *, apart: bool) -> str:
    """Return the trees in brackets, one per line, the best first; with ``apart``, an empty line ends each sentence."""
    return "".join(
        "".join(f"{sentence.written(tree)}\n" for tree in sentence.trees) + "\n" * apart
        for sentence in text.sentences
        if sentence.trees
    )


def as_json(texts: Sequence[ShownText]) -> str:
    """Return a JSON list with an object per text."""
    rows = [
        {"text": text.text, "sentences": list(map(_sentence_row, text.sentences)), "problem": text.problem}
        for text in texts
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _sentence_row(sentence: ShownSentence) -> dict[str, Any]:
    trees = [
        {
            "brackets": sentence.written(tree),
            "logprob": tree.logprob,
            "probability": tree.probability,
            "joint_logprob": finite(tree.joint),
        }
        for tree in sentence.trees
    ]
    return {"words": sentence.words, "tags": sentence.tags, "trees": trees, "problem": sentence.problem}


def lines(root: Node, words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the lines of a tree for a terminal, outer nodes first.

    A phrase that contains only words is on one line, with the tags of the words on the right. Every other word is on a
    separate line, preceded by its tag.
    """
    rows: list[tuple[str, str]] = []
    waiting: list[tuple[Node | int, str, str]] = [(root, "", "")]  # node, prefix of its line, prefix of the lines below
    while waiting:
        item, lead, below = waiting.pop()
        if isinstance(item, int):
            word, tag = visible(words[item]), visible(tags[item])
            rows.append((f"{lead}{word}" if word == tag else f"{lead}{tag}  {word}", ""))
            continue
        label, children = _chain(item)
        words_alone = [child for child in children if isinstance(child, int)]
        if len(words_alone) == len(children):
            phrase = " ".join(visible(words[i]) for i in words_alone)
            rows.append((f"{lead}{label}  {phrase}", " ".join(visible(tags[i]) for i in words_alone)))
            continue
        rows.append((lead + label, ""))
        waiting.append((children[-1], f"{below}└─ ", f"{below}   "))
        waiting += [(c, f"{below}├─ ", f"{below}│  ") for c in reversed(children[:-1])]
    column = min(max((cells(text) for text, right in rows if right), default=0), TAGS_AT)
    return [f"{text}{' ' * max(column - cells(text), 0)}   {right}" if right else text for text, right in rows]


def _chain(node: Node) -> tuple[str, tuple[Node | int, ...]]:
    """Return the joined labels of nodes that cover the same words, and the children of the innermost node."""
    labels, inner = unary_chain(node)
    return UNDER.join(labels), inner.children


def cells(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(2 if east_asian_width(c) in "WF" else category(c) not in {"Mn", "Me", "Cf"} for c in text)
