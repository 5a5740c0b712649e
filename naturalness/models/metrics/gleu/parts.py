"""The parser metrics that GLEU is made of: one number per text each, not yet normalised.

Mutton, Dras, Wan & Dale (ACL 2007) count the fragments of Connexor's dependency parser, take the
log-probability of Collins's parser, and Link Grammar's null count and share of invalid linkages.
Theirs are texts of 24 tokens; here every count and sum is per token, so that texts of any length
compare. `structure` is ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.language import shipped as language
from naturalness.models.parsers.base import ParsedSentence, parsed, words_of
from naturalness.models.parsers.chart.parser import chart
from naturalness.models.parsers.doubts import arc_probabilities
from naturalness.models.parsers.generative import store as grammars
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAN = float("nan")
MUTTON = "Mutton et al. 2007"
CHANGED = f"{MUTTON}, changed"
DOUBTED = 0.95
"""An arc of a lower probability is one that the parser doubts: the sentence falls apart there."""
NEIGHBOURS, LONGEST = 2, 5
"""Orders of the tag models that tell what neighbours alone, and what longer stretches expect."""


@dataclass(frozen=True, slots=True)
class Part:
    """One parser metric."""

    formula: str
    range: str
    direction: str
    """What a higher value means."""
    measure: Callable[[Sequence[Doc]], list[float]]
    source: str
    link: bool = False
    """Whether it is Link Grammar's."""


def fragments(docs: Sequence[Doc]) -> list[float]:
    """(Sentences + arcs that the dependency parser doubts) / tokens, 0..1; lower is better."""
    found = []
    for doc, arcs in zip(docs, arc_probabilities(docs), strict=True):
        seen = view(doc)
        own = [arcs[place] for place in seen.places]
        pieces = len(seen.sentences) + sum(arc < DOUBTED for arc in own)
        read = seen.words and not any(map(math.isnan, own))
        found.append(pieces / len(seen.texts) if read else NAN)
    return found


def parse(docs: Sequence[Doc]) -> list[float]:
    """ln P(best tree, its tags, words) / tokens under a treebank grammar, below 0."""
    grammar = grammars.grammar()
    found = []
    for doc, sentences in zip(docs, parsed(chart(), docs), strict=True):
        seen = view(doc)
        texts = words_of(seen)
        total, tokens = 0.0, _tokens(sentences)
        for sentence in sentences if tokens else ():
            inside = slice(sentence.start, sentence.stop)
            total += grammar.logprob(sentence.best, texts[inside], seen.tags[inside])
        found.append(total / tokens if tokens else NAN)
    return found


def structure(docs: Sequence[Doc]) -> list[float]:
    """How much likelier tree and tags are than pairs of tags alone would have it, per token.

    ln P(tags) by n-grams of five, and ln P(best tree | words), minus ln P(tags) by n-grams of two.
    """
    longer = language.tags(LONGEST).token_logprobs(docs)
    pairs = language.tags(NEIGHBOURS).token_logprobs(docs)
    found = []
    for sentences, far, near in zip(parsed(chart(), docs), longer, pairs, strict=True):
        tokens, units = _tokens(sentences), len(far.units)
        if not tokens or not units:
            found.append(NAN)
            continue
        sure = sum(sentence.logprobs[0] for sentence in sentences)
        found.append(float(far.logprobs.sum() - near.logprobs.sum()) / units + sure / tokens)
    return found


def nulls(docs: Sequence[Doc]) -> list[float]:
    """Words that Link Grammar leaves out to get a parse / tokens, 0..1; lower is better."""
    from naturalness.models.parsers.link.parser import parsed as linked

    return [
        sum(s.nulls for s in sentences) / sum(s.tokens for s in sentences)
        if sentences and not any(s.problem for s in sentences)
        else NAN
        for sentences in linked(docs)
    ]


def invalid(docs: Sequence[Doc]) -> list[float]:
    """Linkages that break Link Grammar's rules / linkages looked at, 0..1, over all sentences."""
    from naturalness.models.parsers.link.parser import parsed as linked

    found = []
    for sentences in linked(docs):
        seen = sum(s.valid + s.violating for s in sentences)
        sound = sentences and not any(s.problem for s in sentences)
        found.append(sum(s.violating for s in sentences) / seen if sound and seen else NAN)
    return found


def _tokens(sentences: Sequence[ParsedSentence]) -> int:
    """Tokens of the sentences; 0 where one was not parsed."""
    if any(sentence.problem for sentence in sentences):
        return 0
    return sum(sentence.stop - sentence.start for sentence in sentences)


PARTS: Mapping[str, Part] = {
    "fragments": Part(
        f"(sentences + arcs of the dependency parse with a probability below {DOUBTED}) / tokens, "
        "divided by the largest of training",
        "0..",
        "falls apart",
        fragments,
        CHANGED,
    ),
    "parse": Part(
        "1 - (ln P(best tree, its tags, words) / tokens) / the least of training",
        "..1",
        "more likely words and rules",
        parse,
        CHANGED,
    ),
    "structure": Part(
        "(ln p(tags) of order 5 - ln p(tags) of order 2) / n + ln P(best tree | words) / tokens",
        "any",
        "a structure beyond what neighbours make",
        structure,
        "this project",
    ),
    "nulls": Part(
        "words that Link Grammar leaves out to get a parse / tokens",
        "[0, 1]",
        "words that fit nowhere",
        nulls,
        MUTTON,
        link=True,
    ),
    "invalid": Part(
        "linkages that break Link Grammar's rules / linkages looked at",
        "[0, 1]",
        "no clear direction",
        invalid,
        MUTTON,
        link=True,
    ),
}


def measure_parts(docs: Sequence[Doc], names: Sequence[str]) -> FloatArray:
    """Parts of shape (n_docs, n_names), as they are measured; NaN where one cannot be."""
    columns = [PARTS[name].measure(docs) for name in names]
    return np.array(columns, dtype=np.float64).reshape(len(names), len(docs)).T
