"""Pruning by entropy: sizes, probabilities that sum to 1, and which n-grams are removed."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.tables import Ngrams, shrink
from tests.support.reference_models import as_table, logprob, sums

TEXTS = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=8)


def longer(ngrams: Ngrams) -> int:
    """Return the number of n-grams of two words or more."""
    return sum(ngrams.sizes[1:])


@given(texts=TEXTS, size=st.integers(0, 40), order=st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_pruned_probabilities_sum_to_one(texts: list[str], size: int, order: int) -> None:
    """A pruned model has at most the requested size; its n-grams keep their probabilities, which still sum to 1."""
    full = estimate(texts, order=order)
    small = shrink(full, size)
    assert longer(small) <= size
    table, before = as_table(small), as_table(full)
    assert all(before[gram][0] == logprob for gram, (logprob, _) in table.items())
    np.testing.assert_allclose(sums(small), 1, atol=2e-5)


def test_the_least_useful_bigrams_are_removed_first() -> None:
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
