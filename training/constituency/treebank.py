"""Read Penn-style treebanks: trees without function tags and empty elements."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from naturalness.models.parsers.tree import Node, read_brackets

TREES = {
    "gum": "gum-const.ptb.gz",
    "craft": "craft-penn.ptb.gz",
    "wsj": "wsj-sample.mrg.gz",
    "stories": "naturalstories-penn.ptb.gz",
}
ROOTS = frozenset({"", "ROOT", "TOP", "TITLE", "HEADING", "CAPTION"})
"""What stands around a sentence and says nothing of its structure."""
LEAF = re.compile(r"\(([^\s()]+) +([^()]+)\)")
SPACES = re.compile(r"\s")
"""Some words hold spaces of one kind or another."""
AS_TYPED = {"``": '"', "''": '"'}
"""Marks as people type them."""
EMPTY = "-NONE-"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a treebank."""

    root: Node
    words: list[str]
    tags: list[str]
    document: str
    split: str


def read_trees(path: Path) -> Iterator[Sentence]:
    """The sentences of a file, but those of which nothing is left."""
    document = split = ""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# doc = "):
                document, _, split = line[8:].rstrip("\n").partition("\t")
                split = split.removeprefix("split = ")
            elif line.strip():
                found = cleaned(line)
                if found is not None:
                    yield Sentence(*found, document, split)


def training_trees(treebanks: Path, name: str, split: str = "train") -> list[Sentence]:
    """Sentences that may train what is shipped: GUM without documents whose terms are NC, CRAFT."""
    if name == "gum":
        with (treebanks / "gum-docs.tsv").open(encoding="utf-8") as rows:
            free = {r["doc"] for r in csv.DictReader(rows, delimiter="\t") if r["nc"] == "no"}
        found = read_trees(treebanks / TREES[name])
        return [s for s in found if s.split == split and s.document in free]
    if name == "craft":
        documents = list(read_trees(treebanks / TREES[name]))
        held_out = set(sorted({s.document for s in documents})[::20])
        return [s for s in documents if (s.document in held_out) == (split != "train")]
    raise ValueError(f"{name!r} trains nothing that is shipped")


def cleaned(line: str) -> tuple[Node, list[str], list[str]] | None:
    """Root, words and tags of a tree in brackets; None where it has no word."""
    line = LEAF.sub(lambda leaf: f"({leaf[1]} {SPACES.sub('', leaf[2])})", line.strip())
    if line.startswith(("( ", "((")):
        line = "(ROOT" + line[1:]
    root, words, tags = read_brackets(line)
    kept = [i for i, tag in enumerate(tags) if tag != EMPTY]
    if not kept:
        return None
    place = {old: new for new, old in enumerate(kept)}
    (top,) = _clean(root, place)
    if isinstance(top, int):
        top = Node("X", top, top + 1, (top,))
    kept_words, kept_tags = [words[i] for i in kept], [tags[i] for i in kept]
    return top, [AS_TYPED.get(w, w).replace("\\/", "/") for w in kept_words], kept_tags


def _clean(node: Node | int, place: dict[int, int]) -> list[Node | int]:
    """The node as it is kept: itself, nothing, or what stood in a wrapper."""
    if isinstance(node, int):
        return [place[node]] if node in place else []
    children = [kept for child in node.children for kept in _clean(child, place)]
    label = plain(node.label)
    if not children:
        return []
    only = children[0] if len(children) == 1 else None
    if label in ROOTS and only is not None:
        return [only]
    label = "X" if label in ROOTS else label
    if isinstance(only, Node) and only.label == label:
        return [only]  # (NP (NP ...)) left over where empty elements were
    first, last = children[0], children[-1]
    start = first if isinstance(first, int) else first.start
    stop = last + 1 if isinstance(last, int) else last.stop
    return [Node(label, start, stop, tuple(children))]


def plain(label: str) -> str:
    """A label without function tags and indices."""
    return label.split("-")[0].split("=")[0].split("|")[0]
