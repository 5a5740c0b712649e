"""Training data of the grammar: decisions and words of treebanks, tagged words of corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from naturalness.models.parsers.generative.grammar import Symbols, decisions, shape
from naturalness.models.parsers.tree import Node, nodes
from training.constituency.treebank import Sentence
from training.language.tags import tagged_docs

ONE_IN = 16
"""Sentences of the corpora of which one is tagged."""


class Word(NamedTuple):
    """A word in its context; without a tree, its label is empty."""

    word: str
    tag: str
    label: str
    first: bool
    """Whether no letter precedes it in its sentence."""


def symbols_of(trees: Iterable[Sentence]) -> tuple[list[str], list[str]]:
    """Return the labels and tags of treebanks."""
    labels, tags = set(), set()
    for sentence in trees:
        labels.update(node.label for node in nodes(sentence.root))
        tags.update(sentence.tags)
    return sorted(labels), sorted(tags)


def words_of(trees: Iterable[Sentence]) -> Iterator[Word]:
    """Yield the words of treebanks."""
    for sentence in trees:
        yield from placed(sentence.words, sentence.tags, _labels(sentence.root))


def _labels(root: Node) -> list[str]:
    """Return the label above each word."""
    labels = [""] * root.stop
    for node in nodes(root):
        for child in node.children:
            if isinstance(child, int):
                labels[child] = node.label
    return labels


def placed(words: Sequence[str], tags: Sequence[str], labels: Sequence[str]) -> Iterator[Word]:
    """Yield the words of a sentence with the context that their probabilities depend on."""
    first = True
    for word, tag, label in zip(words, tags, labels, strict=True):
        yield Word(word, tag, label, first)
        first = first and not shape(word).cased


def tagged(corpora: Path) -> Counter[Word]:
    """Count the words of one corpus sentence in `ONE_IN`, tagged by the shipped pipeline."""
    counts: Counter[Word] = Counter()
    for doc in tagged_docs(corpora, one_in=ONE_IN):
        tokens = [token for token in doc if not token.is_space]
        words, tags = [t.text for t in tokens], [t.tag_ for t in tokens]
        counts.update(placed(words, tags, [""] * len(words)))
    return counts


def decisions_of(trees: Iterable[Sentence], symbols: Symbols) -> list[tuple[int, ...]]:
    """Return the decisions that produce trees."""
    return [
        decision
        for sentence in trees
        for decision in decisions(sentence.root, list(map(symbols.tag, sentence.tags)), symbols)
    ]
