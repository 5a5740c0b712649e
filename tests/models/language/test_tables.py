"""Pruning by entropy: probabilities sum to 1, the size is kept, and the least useful n-grams go first."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.tables import Ngrams, shrink
from tests.support.reference_models import as_table, corpus, logprob

TEXTS = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def full() -> Ngrams:
    """Estimate an unpruned model of the test corpus."""
    return estimate(corpus(), order=3)


def longer(ngrams: Ngrams) -> int:
    """Return the number of n-grams of two words or more."""
    return sum(ngrams.sizes[1:])


def sums(ngrams: Ngrams) -> list[float]:
    """Return the sum of the probabilities of all words after each context, computed with the back-off rule."""
    table = as_table(ngrams)
    contexts = [(), *(gram for gram in table if len(gram) < ngrams.order and gram[-1] != "</s>")]
    words = [word for word in ngrams.vocabulary if word != "<s>"]
    return [sum(10 ** logprob(table, context, word) for word in words) for context in contexts]


@given(texts=TEXTS, size=st.integers(0, 40), order=st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_every_context_sums_to_one(texts: list[str], size: int, order: int) -> None:
    """A pruned model has at most the requested size, and its probabilities still sum to 1."""
    small = shrink(estimate(texts, order=order), size)
    assert longer(small) <= size or size >= longer(estimate(texts, order=order))
    np.testing.assert_allclose(sums(small), 1, atol=2e-5)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_size_and_sums_of_a_larger_model(full: Ngrams, share: float) -> None:
    """The size is close to the requested one; the remaining n-grams keep their probabilities."""
    size = int(share * longer(full))
    small = shrink(full, size)
    assert 0.8 * size - 10 <= longer(small) <= size
    table, before = as_table(small), as_table(full)
    assert all(before[gram][0] == logprob for gram, (logprob, _) in table.items())
    np.testing.assert_allclose(sums(small)[:200], 1, atol=2e-5)


def test_the_bigrams_that_cost_least_go_first() -> None:
    """Removed bigrams have smaller losses, computed by brute force, than those that remain."""
    lines = ["a b", "a b", "a b", "a c", "b a", "c a c", "c b"] * 3 + ["a d", "d d b"]
    full = estimate(lines, order=2)
    costs = {gram: cost(full, lines, gram) for gram in as_table(full) if len(gram) == 2}
    for size in range(1, longer(full), 3):
        bigrams = {gram for gram in as_table(shrink(full, size)) if len(gram) == 2}
        assert max(costs[gram] for gram in costs if gram not in bigrams) <= 1e-6 + min(costs[gram] for gram in bigrams)


def cost(full: Ngrams, lines: list[str], gone: tuple[str, ...]) -> float:
    """Return the increase in relative entropy per unit if one bigram is removed."""
    table = as_table(full)
    context = gone[:1]
    words = [word for word in full.vocabulary if word != "<s>"]
    probabilities = {word: 10 ** logprob(table, context, word) for word in words}
    listed = [gram[1] for gram in table if len(gram) == 2 and gram[:1] == context and gram != gone]
    left = 1 - sum(probabilities[word] for word in listed)
    shorter = 1 - sum(10 ** logprob(table, (), word) for word in listed)
    without = {
        word: probabilities[word] if word in listed else left / shorter * 10 ** logprob(table, (), word)
        for word in words
    }
    units = [["<s>", *line.split(), "</s>"] for line in lines]
    n_context = sum(row[:-1].count(context[0]) for row in units)
    weight = n_context / sum(len(row) - 1 for row in units)
    return weight * sum(p * math.log(p / without[word]) for word, p in probabilities.items())
