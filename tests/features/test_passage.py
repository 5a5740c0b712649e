"""Variety and length of texts with several sentences."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.features import EVERY, column_names, extract, resolve
from naturalness.text.parsing import tokenise
from tests.support.values import VALUES

SENTENCE = "The old men sat by the old door and talked about the sea."
GROUP_OF = dict.fromkeys(["n_tokens", "mtld", "mattr", "hdd"], "lexical")
GROUP_OF |= dict.fromkeys(["distinct_share", "bigram_share", "trigram_share", "longest_repeat_share"], "repetition")
GROUP_OF |= {"n_sentences": "surface", "word_length_mean": "surface", "zipf_mean": "readability"}


def test_values_are_those_of_other_groups() -> None:
    """Values equal those of other groups for a text with two or more sentences."""
    docs = list(tokenise([f"{SENTENCE} Then they went home. {SENTENCE}"]))
    groups = resolve(["passage", *dict.fromkeys(GROUP_OF.values())])
    values = dict(zip(column_names(groups), extract(docs, groups)[0].tolist(), strict=True))
    assert [feature.name for feature in EVERY["passage"].features] == list(GROUP_OF)
    for name, group in GROUP_OF.items():
        assert values[f"passage__{name}"] == values[f"{group}__{name}"]
    for name, value in VALUES["passage"]["repeated"].items():
        assert values[f"passage__{name}"] == pytest.approx(value, rel=1e-4), name


def test_a_single_sentence_is_undefined() -> None:
    """A single sentence and a text without words are undefined."""
    assert np.isnan(EVERY["passage"].extract(list(tokenise([SENTENCE, ""])))).all()
