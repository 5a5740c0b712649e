"""Read Penn-style treebanks: trees without function tags and empty elements."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from naturalness.models.parsers.tree import Node, read_brackets
from training.treebanks import free_documents

TREES = {
    "gum": "gum-const.ptb.gz",
    "craft": "craft-penn.ptb.gz",
    "wsj": "wsj-sample.mrg.gz",
    "stories": "naturalstories-penn.ptb.gz",
}
ROOTS = frozenset({"", "ROOT", "TOP", "TITLE", "HEADING", "CAPTION"})
"""Labels around a sentence that say nothing about its structure."""
LEAF = re.compile(r"\(([^\s()]+) +([^()]+)\)")
SPACES = re.compile(r"\s")
"""Some words contain spaces."""
AS_TYPED = {"``": '"', "''": '"'}
"""Quotation marks as people type them."""
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
    """Yield the sentences of a file that contain words."""
    document = split = ""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# doc = "):
                document, _, split = line[8:].rstrip("\n").partition("\t")
                split = split.removeprefix("split = ")
            elif line.strip():
                tree = cleaned(line)
                if tree is not None:
                    yield Sentence(*tree, document, split)


def training_trees(treebanks: Path, name: str, split: str = "train") -> list[Sentence]:
    """Return sentences that may train shipped assets: CRAFT, and GUM's documents without a non-commercial term."""
    if name == "gum":
        free = free_documents(treebanks / "gum-docs.tsv")
        trees = read_trees(treebanks / TREES[name])
        return [s for s in trees if s.split == split and s.document in free]
    if name == "craft":
        documents = list(read_trees(treebanks / TREES[name]))
        held_out = set(sorted({s.document for s in documents})[::20])
        return [s for s in documents if (s.document in held_out) == (split != "train")]
    raise ValueError(f"{name!r} trains nothing that is shipped")


def cleaned(line: str) -> tuple[Node, list[str], list[str]] | None:
    """Return root, words and tags of a bracketed tree; None if it has no word."""
    line = LEAF.sub(lambda leaf: f"({leaf[1]} {SPACES.sub('', leaf[2])})", line.strip())
    if line.startswith(("( ", "((")):
        line = "(ROOT" + line[1:]
    root, words, tags = read_brackets(line)
    leaves = [i for i, tag in enumerate(tags) if tag != EMPTY]
    if not leaves:
        return None
    new_number = {old: new for new, old in enumerate(leaves)}
    (top,) = _clean(root, new_number)
    if isinstance(top, int):
        top = Node("X", top, top + 1, (top,))
    words_left, tags_left = [words[i] for i in leaves], [tags[i] for i in leaves]
    return top, [AS_TYPED.get(w, w).replace("\\/", "/") for w in words_left], tags_left


def _clean(node: Node | int, new_number: dict[int, int]) -> list[Node | int]:
    """Return the cleaned node in a list: itself, nothing, or the content of a wrapper."""
    if isinstance(node, int):
        return [new_number[node]] if node in new_number else []
    children = [cleaned_child for child in node.children for cleaned_child in _clean(child, new_number)]
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
    """Return a label without function tags and indices."""
    return label.split("-")[0].split("=")[0].split("|")[0]
