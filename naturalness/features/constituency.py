"""What a constituency parser says of a text: how sure it is, how the best tree is built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.features.base import MEAN, NAN, TOTAL, Feature
from naturalness.features.requirements import Requirement, asset, named_model, package
from naturalness.features.trees import PHRASES, TreeCounts, count_tree, mean
from naturalness.models.parsers.base import MAX_TOKENS, N_BEST, ConstituencyParser, ParsedSentence, parsed, words_of
from naturalness.models.parsers.chart.parser import chart
from naturalness.models.parsers.generative import Grammar
from naturalness.models.parsers.generative import store as grammars
from naturalness.models.parsers.spec import open_parser, parser_checksum
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

OWN_PARSER = "parser:"
CHART = (asset("chart"), asset("detector"), package("onnxruntime"))
"""What the shipped parser needs."""
GROVES = "Groves et al. 2018"
UNDEFINED = f"no words, or a sentence that the parser cannot read (of more than {MAX_TOKENS} tokens)"
MIN_TREES_SKEW, MIN_TREES_KURTOSIS = 3, 4
PHRASE_WORDS = {
    "NP": "noun phrases",
    "VP": "verb phrases",
    "PP": "prepositional phrases",
    "ADJP": "adjective phrases",
    "SBAR": "subordinate clauses",
}
"""The phrases that are counted, and what they are called."""
EQUAL = 1e-9
"""Deviation, relative to the mean, that is rounding and no difference."""


def _table() -> tuple[Feature, ...]:
    best = f"the {N_BEST} best trees"

    def column(
        name: str,
        formula: str,
        values: str,
        direction: str,
        *,
        source: str = GROVES,
        several: str = MEAN,
        undefined: str = "",
        words: str,
    ) -> Feature:
        why = f"{UNDEFINED}{undefined and f'; {undefined}'}"
        return Feature(name, formula, values, direction, source, several, why, words)

    ours = "this project"
    return (
        column(
            "parser_logprob",
            "ln P(best tree, its tags, words) under a treebank grammar",
            "..0",
            "more likely words and rules",
            several=TOTAL,
            words="log-probability of the tree and its words",
        ),
        column(
            "parser_logprob_word",
            "parser_logprob / tokens",
            "..0",
            "more likely, per token",
            several="whole text",
            words="likelihood of the tree and its words",
        ),
        column(
            "rules_logprob_word",
            "ln P(best tree, tags) under the grammar, without words / tokens",
            "..0",
            "more usual constructions",
            source=ours,
            several="whole text",
            words="likelihood of the constructions",
        ),
        column(
            "words_logprob_word",
            "ln P(words | tags and constituents) / tokens; words that the "
            "grammar never counted are one word of their tag",
            "..0",
            "more usual words in their places",
            source=ours,
            several="whole text",
            words="likelihood of the words in their constructions",
        ),
        column(
            "reranker_logprob",
            "ln P(best tree | sentence) of the parser",
            "..0",
            "a surer parser",
            several=TOTAL,
            words="log-probability of the best tree",
        ),
        column(
            "reranker_logprob_word",
            "reranker_logprob / tokens",
            "..0",
            "surer, per token",
            several="whole text",
            words="certainty of the parser per word",
        ),
        column(
            "nbest_skew",
            f"skew m3 / m2**1.5 of ln P of {best}",
            "any",
            "a few trees stand out from the rest",
            undefined="fewer than 3 trees",
            words="skew of the best trees",
        ),
        column(
            "nbest_kurtosis",
            f"kurtosis m4 / m2**2 - 3 of ln P of {best}",
            "-2..",
            "more so, or longer tails",
            undefined="fewer than 4 trees",
            words="tails of the best trees",
        ),
        column(
            "nbest_entropy",
            f"entropy in nats of {best}, their probabilities scaled to 1",
            "0..",
            "many trees compete",
            source=ours,
            words="competition among the best trees",
        ),
        column(
            "nbest_margin",
            "ln P of the best tree - ln P of the second",
            "0..",
            "a clear best tree",
            source=ours,
            undefined="only one tree",
            words="lead of the best tree",
        ),
        column(
            "nbest_mass",
            f"sum of P of {best}",
            "0..1",
            "few trees are possible",
            source=ours,
            words="certainty of the 50 best trees",
        ),
        column(
            "tree_height",
            "constituents on the longest way from the root to a word",
            "1..",
            "deeper nesting",
            words="depth of the phrases",
        ),
        column(
            "n_subtrees",
            "constituents + tokens",
            "2..",
            "longer, more structure",
            several=TOTAL,
            words="phrases and words",
        ),
        column(
            "n_nonterminal_subtrees", "constituents", "1..", "more structure", several=TOTAL, words="number of phrases"
        ),
        column(
            "nonterminal_share",
            "constituents / (constituents + tokens)",
            "0..1",
            "more structure per token",
            several="whole text",
            words="phrases per word",
        ),
        *(
            feature
            for phrase in PHRASES
            for feature in (
                column(
                    f"{phrase.lower()}_count",
                    f"constituents {phrase}",
                    "0..",
                    f"more {phrase}",
                    several=TOTAL,
                    words=f"number of {PHRASE_WORDS[phrase]}",
                ),
                column(
                    f"{phrase.lower()}_length_mean",
                    f"tokens per {phrase}",
                    "1..",
                    f"longer {phrase}",
                    several="mean over phrases",
                    undefined=f"no {phrase}",
                    words=f"mean length of {PHRASE_WORDS[phrase]}",
                ),
            )
        ),
        column(
            "coordinations",
            "constituents with a conjunction (CC, CONJP) among their children",
            "0..",
            "more coordination",
            source=ours,
            several=TOTAL,
            words="number of coordinations",
        ),
        column(
            "unary_share",
            "constituents that hold one constituent alone / constituents",
            "0..1",
            "more levels without branching",
            source=ours,
            several="whole text",
            words="phrases that hold one phrase alone",
        ),
        column(
            "branching_mean",
            "children per constituent",
            "1..",
            "flatter trees",
            source=ours,
            several="whole text",
            words="mean number of parts of a phrase",
        ),
        column(
            "branching_max",
            "most children of a constituent",
            "1..",
            "a flat stretch",
            source=ours,
            several="largest",
            words="most parts of a phrase",
        ),
        column(
            "right_share",
            "mean share of its tokens in a constituent's last child, for those of "
            "several children, a mark at the end left out",
            "0..1",
            "branching to the right, as English does",
            source=ours,
            several="mean over constituents",
            undefined="no such constituent",
            words="branching to the right",
        ),
        column(
            "root_fragment",
            "root is FRAG or X",
            "0..1",
            "pieces, not a sentence",
            source=ours,
            words="fragments in place of sentences",
        ),
        column(
            "root_clause",
            "root is a clause: S, SINV, SQ or SBARQ",
            "0..1",
            "full sentences",
            source=ours,
            words="sentences that are full clauses",
        ),
    )


FEATURES = _table()


@dataclass(frozen=True)
class ConstituencyFeatures:
    """Numbers over the 50 best constituency trees of each sentence, and over the best one."""

    name: str = "constituency"
    open: Callable[[], ConstituencyParser] = chart
    requires: tuple[Requirement, ...] = (*CHART, asset("pcfg"), asset("words"))

    @property
    def features(self) -> tuple[Feature, ...]:
        """The table of its features."""
        return FEATURES

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        grammar = grammars.grammar()
        rows = [
            row(view(doc), sentences, grammar) for doc, sentences in zip(docs, parsed(self.open(), docs), strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(docs), len(FEATURES))

    def prepare(self) -> None:
        """Open the grammar, and the parser if it is the shipped one."""
        grammars.grammar()
        if self.open is chart:
            chart()

    def gaps(self, docs: Sequence[Doc]) -> list[str]:
        """Why a Doc with words has no values; empty where it has."""
        return [
            next((sentence.problem for sentence in sentences if sentence.problem), "")
            for sentences in parsed(self.open(), docs)
        ]


@cache
def parser_group(name: str) -> ConstituencyFeatures:
    """The group over another parser, named ``parser:SPEC``."""
    spec = name.removeprefix(OWN_PARSER)
    needs = (named_model(OWN_PARSER, spec, parser_checksum, english=True), asset("pcfg"), asset("words"))
    return ConstituencyFeatures(name, partial(open_parser, spec), needs)


def row(seen: View, sentences: Sequence[ParsedSentence], grammar: Grammar) -> tuple[float, ...]:
    """The values of a text, in the order of `FEATURES`."""
    if not sentences or any(sentence.problem for sentence in sentences):
        return (NAN,) * len(FEATURES)
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
    spread = np.array([_shape(sentence.logprobs) for sentence in sentences])
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
    """Skew, kurtosis, entropy, margin and mass of the log-probabilities of a sentence's trees.

    Skew and kurtosis (normal = 0) are those of the logs, as they are; NaN where there are too few
    or all are equal.
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


_shape = lru_cache(maxsize=1024)(shape_of)
"""Short sentences repeat themselves, within a text too."""
