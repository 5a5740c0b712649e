"""Random tag sequences, and the best words for them."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.errors import CorpusError
from naturalness.text.parsing import parse
from naturalness_replication.generating import TagChain, pos_tagged
from naturalness_replication.generating.chain import TagSequences, WordSearch
from naturalness_replication.generating.tagged import Tagged, TaggedToken
from tests.support.corpus import TEXTS


@pytest.fixture(scope="module")
def sentences() -> list[Tagged]:
    """Return tagged sentences."""
    return pos_tagged(parse(TEXTS))


CHAIN = [["A", "B"], ["A", "A", "B"], ["A", "B", "A", "B"], ["B"]]


def test_tag_sequences_have_the_probabilities_of_the_chain() -> None:
    """The shares of 4,000 sequences of three tags are close to the products of the shares of pairs."""
    start = {"A": 3 / 4, "B": 1 / 4}
    step = {"AA": 1 / 5, "AB": 4 / 5, "BA": 1 / 5, "B.": 4 / 5, "A.": 0.0, "BB": 0.0}
    wanted = {}
    for tags in product("AB", repeat=3):
        share = start[tags[0]] * step[tags[2] + "."]
        for pair in pairwise(tags):
            share *= step["".join(pair)]
        wanted["".join(tags)] = share
    total = sum(wanted.values())
    drawn = TagSequences(CHAIN, 3)
    counts = Counter("".join(drawn.draw(random.Random(f"{i}"))) for i in range(4000))
    assert set(counts) == {name for name, share in wanted.items() if share}
    for name, share in wanted.items():
        assert counts[name] / 4000 == pytest.approx(share / total, abs=0.025)


@pytest.mark.parametrize(("length", "message"), [(1, "texts of 1 tokens"), (2, "no sequence of")])
def test_a_chain_without_such_texts_is_an_error(sentences: list[Tagged], length: int, message: str) -> None:
    """A length that no text can have, and a corpus without sentences, are errors."""
    with pytest.raises(CorpusError, match=message):
        TagChain(sentences, length=length)
    with pytest.raises(CorpusError, match="no sentence from a letter to a full stop"):
        TagChain([])


Pair = tuple[str, str]


def tagged(text: str) -> Tagged:
    """Return a sentence from `word/TAG word/TAG`, with a full stop."""
    pairs = [token.split("/") for token in text.split()]
    return [*(TaggedToken(word, True, tag) for word, tag in pairs), TaggedToken(".", False, ".")]


SENTENCES = [tagged("a/D cat/N sat/V"), tagged("a/D dog/N sat/V"), tagged("a/D dog/N ran/V")]


class Reference:
    """The probabilities of the chain, computed word by word from the formulas."""

    def __init__(self, sentences: Sequence[Tagged]) -> None:
        self.emitted = Counter((t.tag, t.text) for s in sentences for t in s[:-1])
        self.words = Counter(t.text for s in sentences for t in s)
        self.pairs = Counter(p for s in sentences for p in pairwise(["^", *(t.text for t in s)]))

    def words_of(self, tag: str) -> list[str]:
        """Return the words that occurred with a tag."""
        return [word for label, word in self.emitted if label == tag]

    def after(self, before: str, word: str) -> float:
        """Return Witten and Bell's probability of a word after another."""
        followers = [n for (v, _), n in self.pairs.items() if v == before]
        share = self.words[word] / self.words.total()
        count = self.pairs[before, word] + len(followers) * share
        return count / (sum(followers) + len(followers))

    def score(self, tags: Sequence[str], words: Sequence[str], cost: float) -> float:
        """Return the score of a sequence of words, less the cost of repeated words."""
        total = math.fsum(math.log(self.after(*pair)) for pair in pairwise(["^", *words, "."]))
        for tag, word in zip(tags, words, strict=True):
            seen = sum(n for (label, _), n in self.emitted.items() if label == tag)
            total += math.log(self.emitted[tag, word] / seen)
        return total - cost * (len(words) - len(set(words)))

    def best(self, tags: Sequence[str], cost: float) -> float:
        """Return the score of the best of all sequences."""
        return max(self.score(tags, w, cost) for w in product(*map(self.words_of, tags)))


def test_the_best_words_by_hand() -> None:
    """P(a|^) P(a|D), P(dog|a) P(dog|N), P(sat|dog) P(sat|V), P(.|sat), of 12 tokens in all."""
    words, score = WordSearch(SENTENCES).best(["D", "N", "V"])
    assert words == ["a", "dog", "sat"]
    by_hand = [
        (3 + 1 * 3 / 12) / (3 + 1) * 1,
        (2 + 2 * 2 / 12) / (3 + 2) * (2 / 3),
        (1 + 2 * 2 / 12) / (2 + 2) * (2 / 3),
        (2 + 1 * 3 / 12) / (2 + 1),
    ]
    assert score == pytest.approx(math.fsum(map(math.log, by_hand)))


tokens = st.tuples(st.sampled_from("abcde"), st.sampled_from("XYZ"))

corpora = st.lists(st.lists(tokens, min_size=1, max_size=5), min_size=1, max_size=6)


@settings(deadline=None, max_examples=150)
@given(corpus=corpora, data=st.data())
def test_the_search_finds_the_best_words(corpus: list[list[Pair]], data: st.DataObject) -> None:
    """Without a cost for repeated words, the search finds the best of all sequences."""
    sentences = [tagged(" ".join(f"{w}/{t}" for w, t in s)) for s in corpus]
    reference = Reference(sentences)
    known = sorted({tag for s in corpus for _, tag in s})
    tags = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=6))
    words, score = WordSearch(sentences, repeat_cost=0).best(tags)
    assert score == pytest.approx(reference.score(tags, words, 0))
    assert score == pytest.approx(reference.best(tags, 0))
