"""Constituency trees: the parser's certainty, and the shape of the best tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, Columns, Requirement, first_problems, stack
from naturalness.features.requirements import asset, named_model, package
from naturalness.features.trees import TreeCounts, count_tree, mean
from naturalness.models.parsers.base import ConstituencyParser, ParsedSentence, parsed, words_of
from naturalness.models.parsers.chart.parser import chart
from naturalness.models.parsers.generative import Grammar
from naturalness.models.parsers.generative import store as grammars
from naturalness.models.parsers.spec import open_parser, parser_checksum
from naturalness.text.view import Doc, View, view

OWN_PARSER = "parser:"
CHART = (asset("chart"), asset("detector"), package("onnxruntime"))
"""The requirements of the shipped parser."""
MIN_TREES_SKEW, MIN_TREES_KURTOSIS = 3, 4
EQUAL = 1e-9
"""The largest standard deviation, relative to the mean, at which log-probabilities count as equal."""


@dataclass(frozen=True)
class ConstituencyFeatures:
    """Measures of each sentence's 50 best constituency trees: their probabilities, and the best tree's shape."""

    name: str = "constituency"
    open: Callable[[], ConstituencyParser] = chart
    requires: tuple[Requirement, ...] = (*CHART, asset("pcfg"), asset("words"))

    features = Columns("constituency")

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Return an array of shape (n_docs, n_features)."""
        grammar = grammars.grammar()
        rows = (
            row(view(doc), sentences, grammar) for doc, sentences in zip(docs, parsed(self.open(), docs), strict=True)
        )
        return stack(rows, len(self.features))

    def prepare(self) -> None:
        """Open the grammar, and the parser if it is the shipped one."""
        grammars.grammar()
        if self.open is chart:
            chart()

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Return, for each Doc, why it has no values although it has words; an empty string if it has values."""
        return first_problems(parsed(self.open(), docs))


@cache
def parser_group(name: str) -> ConstituencyFeatures:
    """Return the constituency group that uses another parser, given the group's name, ``parser:SPEC``."""
    spec = name.removeprefix(OWN_PARSER)
    needs = (named_model(OWN_PARSER, spec, parser_checksum, english=True), asset("pcfg"), asset("words"))
    return ConstituencyFeatures(name, partial(open_parser, spec), needs)


def row(seen: View, sentences: Sequence[ParsedSentence], grammar: Grammar) -> tuple[float, ...] | None:
    """Return the values of a text in the order of ``tables/constituency.csv``.

    Return None if the text has no sentence or a sentence has no tree.
    """
    if not sentences or any(sentence.problem for sentence in sentences):
        return None
    counts, texts = TreeCounts(), words_of(seen)
    tokens = sum(sentence.stop - sentence.start for sentence in sentences)
    rules = words = spelling = 0.0
    for sentence in sentences:
        tags = seen.tags[sentence.start : sentence.stop]
        parts = grammar.parts(sentence.best, texts[sentence.start : sentence.stop], tags)
        rules += parts.rules
        words += parts.words
        spelling += parts.spelling
        count_tree(sentence.best, tags, counts)
    sure = sum(sentence.logprobs[0] for sentence in sentences)
    spread = np.array([shape_of(sentence.logprobs) for sentence in sentences])
    return (
        rules + words + spelling,
        (rules + words + spelling) / tokens,
        rules / tokens,
        words / tokens,
        sure,
        sure / tokens,
        *(mean(column[~np.isnan(column)].tolist()) for column in spread.T),
        *counts.values(tokens, len(sentences)),
    )


def shape_of(logprobs: Sequence[float]) -> tuple[float, float, float, float, float]:
    """Return the skew, kurtosis, entropy, margin and total probability of a sentence's trees.

    Skew and excess kurtosis are computed on the log-probabilities; they are NaN if there are too few trees or all
    log-probabilities are equal. The margin is the difference in log-probability between the best and the second-best
    tree; NaN if there is only one tree.
    """
    logs = np.array(logprobs)
    centred = logs - logs.mean()
    m2 = float((centred**2).mean())
    skew = kurtosis = NAN
    differ = m2 > (EQUAL * max(1.0, abs(float(logs.mean())))) ** 2
    if differ and len(logs) >= MIN_TREES_SKEW:
        skew = float((centred**3).mean()) / m2**1.5
    if differ and len(logs) >= MIN_TREES_KURTOSIS:
        kurtosis = float((centred**4).mean()) / m2**2 - 3
    weights = np.exp(logs - logs.max())
    shares = weights / weights.sum()
    entropy = -float((shares * np.log(np.maximum(shares, 1e-300))).sum())
    margin = float(logs[0] - logs[1]) if len(logs) > 1 else NAN
    return skew, kurtosis, entropy + 0.0, margin, min(float(np.exp(logs).sum()), 1.0)
