"""Docs read by a detector: every word once, long sentences in stretches, company without effect."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.detector import detect
from naturalness.models.detector.network import open_network
from naturalness.models.detector.reading import stretches
from naturalness.models.detector.shipped import Detector
from naturalness.text.parsing import parse
from naturalness.text.view import view
from tests.support.tiny_detector import KINDS, PLACES, write_tiny

LONG = "a b c d e f g h i j k l m n o p q r s t u v w x y"
TEXTS = ["The cat sat. A dog saw it!", "", "cat", LONG, "...", "“Go,” he said — at once."]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Detector:
    """A small detector."""
    return Detector("tiny", open_network(write_tiny(tmp_path_factory.mktemp("detector"))))


def test_every_token_of_a_sentence_is_read_once(own: Detector) -> None:
    """Also where a sentence is too long for the network."""
    docs = parse(TEXTS)
    for doc, found in zip(docs, detect(docs, own), strict=True):
        expected = [i for start, end in view(doc).sentences for i in range(start, end)]
        assert list(found.tokens) == expected
        assert found.logs.shape[0] == len(expected)
        parts = [i for part in found.parts for i in range(part.start, part.end)]
        assert parts == expected
        assert ((found.damage >= 0) & (found.damage <= 1)).all()
    assert len(detect(docs, own)[0].parts) == 2
    assert len(detect(docs, own)[3].parts) > 1
    assert detect(docs, own)[1].parts == ()


def test_company_changes_nothing(own: Detector) -> None:
    """To the last bit."""
    alone = [detect(parse([text]), own)[0] for text in TEXTS]
    together = detect(parse(TEXTS[::-1]), own)[::-1]
    for one, other in zip(alone, together, strict=True):
        assert one.parts == other.parts
        assert np.array_equal(one.logs, other.logs)


def test_odds_and_probabilities_agree(own: Detector) -> None:
    """log(p / (1 - p))."""
    found = detect(parse(TEXTS[:1]), own)[0]
    assert np.allclose(found.log_odds, np.log(found.damage / (1 - found.damage)))
    assert found.logs.shape[1] == len(KINDS)


def test_a_doc_is_read_once(own: Detector) -> None:
    """What was found is kept beside it."""
    docs = parse(TEXTS[:1])
    assert detect(docs, own)[0] is detect(docs, own)[0]


@given(st.lists(st.integers(1, PLACES - 2), min_size=1, max_size=60))
def test_stretches_follow_each_other_and_fit(lengths: list[int]) -> None:
    """None is longer than allowed; a sentence that fits is one."""
    cut = [[0] * n for n in lengths]
    found = stretches(cut, PLACES - 2)
    assert found[0][0] == 0 and found[-1][1] == len(cut)
    assert all(a[1] == b[0] for a, b in pairwise(found))
    assert all(0 < sum(lengths[a:b]) <= PLACES - 2 for a, b in found)
    assert (len(found) == 1) == (sum(lengths) <= PLACES - 2)
