"""The detector: values compared with numpy, damaged files, long sentences and batches."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import AssetError
from naturalness.models.detector import DESCRIPTION, NETWORK, Detector, Network, detect, open_network, stretches
from naturalness.text.parsing import parse
from naturalness.text.view import view
from tests.support.tiny_detector import KINDS, PLACES, VOCABULARY, reference, weights, write_tiny
from training.detector.export import write

WORDS = ["the", "cat", "saw", "a", "dog", "."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small detector."""
    return write_tiny(tmp_path_factory.mktemp("detector"))


@pytest.fixture(scope="module")
def network(folder: Path) -> Network:
    """Open the small detector."""
    return open_network(folder)


@pytest.mark.parametrize("rated_layers", [1, 3])
def test_values_equal_those_of_numpy(tmp_path: Path, rated_layers: int) -> None:
    """Values equal those of numpy, up to the rounding to seven- and eight-bit integers."""
    drawn = weights(rated_layers=rated_layers)
    write(drawn, tmp_path, vocabulary=VOCABULARY, kinds=KINDS)
    network = open_network(tmp_path)
    cut = [network.cut(word) for word in WORDS]
    ids = [VOCABULARY.index("[CLS]"), *(p for pieces in cut for p in pieces)]
    ids.append(VOCABULARY.index("[SEP]"))
    kinds, sound, rating = reference(ids, drawn)
    first = np.cumsum([1, *(len(pieces) for pieces in cut[:-1])])
    logs = kinds[first] - np.log(np.exp(kinds[first]).sum(1, keepdims=True))
    (said,) = network.read([cut])
    network_logs = said.logs
    assert network_logs.shape == (len(WORDS), len(KINDS))
    assert np.allclose(np.exp(network_logs).sum(1), 1)
    assert np.abs(network_logs - logs).max() < 0.3
    assert abs(said.soundness - sound) < 0.15
    assert abs(said.rating - rating) < 0.15


def test_very_long_words_are_truncated(network: Network) -> None:
    """A word has at most as many pieces as the network reads at once."""
    assert len(network.cut("x" * 80)) == PLACES - 2
    assert np.isfinite(network.read([[network.cut("x" * 80)]])[0].logs).all()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        (NETWORK, b"\x08\x0a" * 40, "is not a network"),
        (DESCRIPTION, b'{"format_version": 99}', "format version 99"),
        (DESCRIPTION, b"[" * 100_000, "holds no detector"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    """The error about a damaged file is one line that says what to do."""
    write_tiny(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(AssetError, match=reason) as error:
        open_network(tmp_path)
    assert "reinstall" in str(error.value) and "\n" not in str(error.value)


LONG = "a b c d e f g h i j k l m n o p q r s t u v w x y"
TEXTS = ["The cat sat. A dog saw it!", "", "cat", LONG, "...", "“Go,” he said — at once."]


@pytest.fixture(scope="module")
def detector(tmp_path_factory: pytest.TempPathFactory) -> Detector:
    """Return a small detector."""
    return Detector("tiny", open_network(write_tiny(tmp_path_factory.mktemp("detector"))))


def test_every_token_of_a_sentence_is_read_once(detector: Detector) -> None:
    """Each token is read once, also in a sentence that is too long for the network."""
    docs = parse(TEXTS)
    for doc, detection in zip(docs, detect(docs, detector), strict=True):
        expected = [i for start, end in view(doc).sentences for i in range(start, end)]
        assert list(detection.tokens) == expected
        assert detection.logs.shape[0] == len(expected)
        parts = [i for part in detection.parts for i in range(part.start, part.end)]
        assert parts == expected
        assert ((detection.damage >= 0) & (detection.damage <= 1)).all()
    first, empty, _, long, *_ = detect(docs, detector)
    assert (len(first.parts), empty.parts) == (2, ()) and len(long.parts) > 1
    assert np.allclose(first.log_odds, np.log(first.damage / (1 - first.damage)))


def test_results_do_not_depend_on_the_batch(detector: Detector) -> None:
    """Results do not depend on the other texts of a batch, to the last bit."""
    alone = [detect(parse([text]), detector)[0] for text in TEXTS]
    together = detect(parse(TEXTS[::-1]), detector)[::-1]
    for one, other in zip(alone, together, strict=True):
        assert one.parts == other.parts
        assert np.array_equal(one.logs, other.logs)


@given(st.lists(st.integers(1, PLACES - 2), min_size=1, max_size=60))
def test_parts_of_a_sentence_are_adjacent_and_fit(lengths: list[int]) -> None:
    """No part is longer than allowed; a sentence that fits is one part."""
    cut = [[0] * n for n in lengths]
    spans = stretches(cut, PLACES - 2)
    assert spans[0][0] == 0 and spans[-1][1] == len(cut)
    assert all(a[1] == b[0] for a, b in pairwise(spans))
    assert all(0 < sum(lengths[a:b]) <= PLACES - 2 for a, b in spans)
    assert (len(spans) == 1) == (sum(lengths) <= PLACES - 2)


def test_coordinates_of_a_vector_by_hand(network: Network) -> None:
    """A coordinate is the product of a direction with the difference from the mean."""
    assert network.directions is not None
    means, rows = network.directions[:, 0], network.directions[:, 1:]
    assert network.along(means) == pytest.approx(0)
    along = network.along(means + rows[:, 5]).reshape(rows.shape[:2])
    assert along[:, 5] == pytest.approx((rows[:, 5] ** 2).sum(axis=1), rel=1e-4)
