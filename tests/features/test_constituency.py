"""The constituency group on chosen trees and probabilities, with values calculated by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features.constituency import ConstituencyFeatures, shape_of
from naturalness.features.named import is_named_group, named_group
from naturalness.features.trees import TreeCounts, count_tree, height, right_share
from naturalness.models.parsers.base import ConstituencyParser, ParsedSentence, ScoredTree
from naturalness.models.parsers.generative import TreeLogprobs
from naturalness.models.parsers.generative import store as grammars
from naturalness.models.parsers.tree import read_brackets, spans
from tests.support.documents import Build
from tests.support.values import VALUES

COORDINATED = "(S (NP (NP (DT The) (NN cat)) (CC and) (NP (DT the) (NN dog))) (VP (VBD sat)) (. .))"
NESTED = "(FRAG (SBAR (S (VP (VBG going) (PP (TO to) (NP (NNP York)))))) (ADJP (JJ alone)))"
DOCUMENT = """
    The the DET   DT  1 det
    cat cat NOUN  NN  5 nsubj
    and and CCONJ CC  4 cc
    the the DET   DT  4 det
    dog dog NOUN  NN  1 conj
    sat_ sit VERB VBD 5 root
    .   .   PUNCT .   5 punct

    going go VERB VBG 3 advcl
    to to ADP TO 2 case
    York York PROPN NNP 0 obl
    alone alone ADJ JJ 3 root
"""
# Two sentences of 7 and 4 tokens. Constituents: 5 and 7. Heights: S NP NP; FRAG SBAR S VP PP NP.
# Children: 3 3 2 2 1; 2 1 1 2 2 1 1. One holds another alone: SBAR and S in the second.
# Last children, no marks: VP 1 of 6, NP 2 of 5, 1 of 2 twice; ADJP 1 of 4, PP 2 of 3, NP 1 of 2.
LOGS = (-1.0, -2.0, -4.0)
CHOSEN = VALUES["constituency"]["chosen"]
FOUR = (0.0, -1.0, -1.0, -2.0)  # m2 = m4 = 1/2: kurtosis 2 - 3


@dataclass(frozen=True)
class Chosen:
    """A parser that returns the same sentences for every Doc."""

    sentences: Sequence[ParsedSentence]
    name: str = "chosen"
    signature: str = "chosen"

    def nbest(self, docs: Sequence[Doc], k: int = 50, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """Return the chosen sentences for every Doc."""
        return [list(self.sentences) for _ in docs]


class Flat:
    """A grammar that gives every tree the same probability."""

    def parts(self, root: object, words: Sequence[str], tags: Sequence[str]) -> TreeLogprobs:
        """Return rules, words and spelling."""
        return TreeLogprobs(-4.0, -2.0, -1.0)


def sentence(brackets: str, start: int, logs: Sequence[float] = LOGS) -> ParsedSentence:
    """Return a sentence with a single tree."""
    root, words, _ = read_brackets(brackets)
    tree = ScoredTree(tuple(spans(root)), logs[0])
    return ParsedSentence(start, start + len(words), (tree,), tuple(logs))


def group(*sentences: ParsedSentence) -> ConstituencyFeatures:
    """Return the group over chosen sentences."""
    parser = Chosen(sentences)
    assert isinstance(parser, ConstituencyParser)
    return ConstituencyFeatures("chosen", lambda: parser, ())


@pytest.fixture(autouse=True)
def flat_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the shipped grammar, which the tests do not need."""
    monkeypatch.setattr(grammars, "grammar", Flat)


def test_values_by_hand(build: Build) -> None:
    """Values are sums, means over sentences, or shares of the whole text."""
    feature_group = group(sentence(COORDINATED, 0), sentence(NESTED, 7))
    names = [f.name for f in feature_group.features]
    values = dict(zip(names, feature_group.extract([build(DOCUMENT)])[0], strict=True))
    assert values == pytest.approx(CHOSEN, rel=1e-4, nan_ok=True)


def test_values_of_few_trees(build: Build) -> None:
    """A mean covers the sentences that have a value, and is NaN if none has."""
    one, two = sentence(COORDINATED, 0, [0.0]), sentence(NESTED, 7, FOUR)
    feature_group = group(one, two)
    names = [f.name for f in feature_group.features]
    values = dict(zip(names, feature_group.extract([build(DOCUMENT)])[0], strict=True))
    assert values["nbest_kurtosis"] == pytest.approx(VALUES["constituency"]["four_trees"]["nbest_kurtosis"])
    assert values["nbest_skew"] == pytest.approx(0)
    assert values["nbest_margin"] == 1
    alone = dict(zip(names, group(one, one).extract([build(DOCUMENT)])[0], strict=True))
    assert all(math.isnan(alone[f"nbest_{x}"]) for x in ("skew", "kurtosis", "margin"))
    assert alone["nbest_entropy"] == 0
    assert alone["nbest_mass"] == 1


def test_a_text_with_an_unparsed_sentence_has_no_values(build: Build) -> None:
    """All values of a text with an unparsed sentence are NaN, and the reason is given."""
    missing = ParsedSentence(7, 11, (), (), "a sentence of 400 tokens")
    feature_group = group(sentence(COORDINATED, 0), missing)
    docs = [build(DOCUMENT)]
    assert np.isnan(feature_group.extract(docs)).all()
    assert feature_group.gaps(docs) == ["a sentence of 400 tokens"]
    assert group(sentence(COORDINATED, 0)).gaps([build(DOCUMENT)]) == [""]
    assert np.isnan(group().extract([build(DOCUMENT)])).all()


def test_equal_probabilities_have_no_shape() -> None:
    """Without variance, skew and kurtosis are undefined, even if rounding leaves a tiny variance."""
    for logs in ((-1.0,), (-2.0,) * 4, (-1.6193751272311019,) * 50):
        skew, kurtosis, entropy, *_ = shape_of(logs)
        assert math.isnan(skew) and math.isnan(kurtosis)
        assert entropy == pytest.approx(math.log(len(logs)))


def test_parts_of_a_tree() -> None:
    """The height, the last child's share and the counts of a tree are those worked out by hand."""
    root, _, tags = read_brackets("(S (NP (PRP I)) (VP (VBP know) (NP (PRP you))) (, ,) (. .))")
    assert height(root) == 3
    assert right_share(root, tags) == 2 / 3
    counts = TreeCounts()
    count_tree(root, tags, counts)
    assert (counts.constituents, counts.clauses, counts.unaries) == (4, 1, 0)


def test_a_parser_of_benepar_is_a_group() -> None:
    """A benepar group can be created from its name."""
    benepar = named_group("parser:benepar:some/model.pt")
    assert isinstance(benepar, ConstituencyFeatures) and is_named_group(benepar)
    assert not is_named_group(ConstituencyFeatures())
