"""Constituency trees for counting productions, from a treebank file or a parser."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.errors import CorpusError, excerpt
from naturalness.models.parsers.tree import Bracketed, Node, read_brackets
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.models.parsers.base import ConstituencyParser

EMPTY = "-NONE-"
"""Tag of empty elements."""
AS_TYPED = {"``": '"', "''": '"', "\\/": "/"}
PART = re.compile(r"[()]")
LEAF = re.compile(r"\(([^\s()]+) +([^()]+)\)")
SPACES = re.compile(r"\s")
"""Some treebanks have words that contain white space."""


def parsed_trees(docs: Sequence[Doc], parser: ConstituencyParser) -> list[Bracketed]:
    """Return the best tree of each sentence of tagged Docs."""
    trees = []
    for doc, sentences in zip(docs, parser.nbest(docs, 1), strict=True):
        seen = view(doc)
        for sentence in sentences:
            if not sentence.problem:
                part = slice(sentence.start, sentence.stop)
                trees.append(Bracketed(sentence.best, seen.texts[part], seen.tags[part]))
    return trees


def read_treebank(path: Path) -> list[Bracketed]:
    """Read the trees of a file in Penn brackets (also .gz), which may span lines.

    Function tags and empty elements are removed; lines that start with ``#`` or ``*`` are skipped.
    """
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            trees = [tree for text in _brackets(lines, path) if (tree := _cleaned(text, path))]
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError) as error:
        raise CorpusError(f"{str(path)!r} is no treebank in UTF-8 ({error!s:.80})") from error
    if not trees:
        raise CorpusError(f"{str(path)!r} holds no tree; expected Penn brackets, as (S (NN word))")
    return trees


def _brackets(lines: Iterable[str], path: Path) -> Iterator[str]:
    """Yield the text of each pair of outermost brackets."""
    held: list[str] = []
    depth = 0
    for number, line in enumerate(lines, start=1):
        if not depth and (not line.strip() or line.startswith(("#", "*"))):
            continue
        for bracket in PART.findall(line):
            depth += 1 if bracket == "(" else -1
        held.append(line)
        if depth < 0 or (not depth and "(" not in line and len(held) == 1):
            raise CorpusError(f"{str(path)!r}, line {number}: no tree in brackets: {excerpt(line)}")
        if not depth:
            yield "".join(held)
            held = []
    if held:
        raise CorpusError(f"{str(path)!r} ends within a tree: {excerpt(held[0])}")


def _cleaned(text: str, path: Path) -> Bracketed | None:
    """Return a tree without empty elements and function tags; None for a tree without words."""
    text = LEAF.sub(lambda leaf: f"({leaf[1]} {SPACES.sub('', leaf[2])})", text.strip())
    if re.match(r"\(\s*\(", text):
        text = "(TOP" + text[1:]
    try:
        root, words, tags = read_brackets(text)
    except CorpusError as error:
        raise CorpusError(f"{str(path)!r}: {error}") from None
    words_at = [i for i, tag in enumerate(tags) if tag != EMPTY]
    top = _clean(root, {old: new for new, old in enumerate(words_at)})
    if top is None:
        return None
    while top.label == "TOP" and len(top.children) == 1 and isinstance(top.children[0], Node):
        top = top.children[0]
    typed = [AS_TYPED.get(words[i], words[i]).replace("\\/", "/") for i in words_at]
    return Bracketed(top, typed, [tags[i] for i in words_at])


def _clean(node: Node, positions: dict[int, int]) -> Node | None:
    children: list[Node | int] = []
    for child in node.children:
        if isinstance(child, int):
            children += [positions[child]] if child in positions else []
        elif (cleaned := _clean(child, positions)) is not None:
            children.append(cleaned)
    if not children:
        return None
    first, last = children[0], children[-1]
    start = first if isinstance(first, int) else first.start
    stop = last + 1 if isinstance(last, int) else last.stop
    label = re.split(r"[-=|]", node.label, maxsplit=1)[0] or node.label
    return Node(label, start, stop, tuple(children))
