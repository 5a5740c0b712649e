"""Variety and length of texts with several sentences."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.features import EVERY, column_names, extract, resolve
from naturalness.text.parsing import tokenise

SENTENCE = "The old men sat by the old door and talked about the sea."
VALUES: dict[str, dict[str, float]] = {
    "passage": {
        "n_tokens": 13 + 4 + 13,
        "mtld": 16.25,
        "mattr": 0.890476,
        "hdd": 0.759701,
        "distinct_share": 14 / 30,
        "bigram_share": 13 / 29,
        "trigram_share": 11 / 28,
        "longest_repeat_share": 13 / 30,
        "n_sentences": 3,
        "word_length_mean": 104 / 30,
        "zipf_mean": 6.20218,
    }
}
"""Of the sentence, another one, and the sentence again."""
SAME = {
    "n_tokens": "lexical",
    "mtld": "lexical",
    "mattr": "lexical",
    "hdd": "lexical",
    "distinct_share": "repetition",
    "bigram_share": "repetition",
    "trigram_share": "repetition",
    "longest_repeat_share": "repetition",
    "n_sentences": "surface",
    "word_length_mean": "surface",
    "zipf_mean": "readability",
}


def test_numbers_are_those_of_other_groups() -> None:
    """Values equal those of other groups for a text with two or more sentences."""
    docs = list(tokenise([f"{SENTENCE} Then they went home. {SENTENCE}"]))
    groups = resolve(["passage", *dict.fromkeys(SAME.values())])
    values = dict(zip(column_names(groups), extract(docs, groups)[0].tolist(), strict=True))
    assert [feature.name for feature in EVERY["passage"].features] == list(SAME)
    for name, group in SAME.items():
        assert values[f"passage__{name}"] == values[f"{group}__{name}"]
    for name, value in VALUES["passage"].items():
        assert values[f"passage__{name}"] == pytest.approx(value, rel=1e-4), name


def test_a_single_sentence_has_none() -> None:
    """A single sentence and a text without words are undefined."""
    assert np.isnan(EVERY["passage"].extract(list(tokenise([SENTENCE, ""])))).all()
