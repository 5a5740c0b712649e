"""The span scorer: values of the formulas, independence of the batch, and damaged files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from naturalness.errors import AssetError
from naturalness.models.parsers.chart import network as scoring
from naturalness.models.parsers.chart.network import ROWS, Slots, SpanScorer, open_network
from naturalness.models.pieces import SHAPES, shape
from tests.support import chart_networks as networks
from tests.support.chart_networks import LABELS, encoded

WORDS = ["The", "cat", "sat", "."]
SENTENCES = st.lists(
    st.lists(st.sampled_from(["the", "cat", "Cats", "sitting", ".", "I", "x1"]), min_size=1, max_size=12),
    min_size=1,
    max_size=6,
)
Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> SpanScorer:
    """Open a small network."""
    return networks.opened(tmp_path_factory.mktemp("network"))


def written_out(words: list[str]) -> Floats:
    """Return the scores computed span by span with the formulas, in double precision."""
    a = {name: array.astype(np.float64) for name, array in networks.arrays().items()}

    def rows(name: str) -> Floats:
        return a[f"{name}.rows"] * a[f"{name}.scales"][:, None]

    def linear(name: str, x: Floats) -> Floats:
        return x @ rows(name).T + a.get(f"{name}.bias", 0.0)

    sentence = encoded(words)
    look = ["none", *(SHAPES[shape(word, i)] for i, word in enumerate(words)), "none"]
    shapes = [SHAPES.index(s) for s, n in zip(look, [1, *sentence.lengths, 1], strict=True) for _ in range(n)]
    x = np.maximum(linear("body", sentence.vectors.astype(np.float64)) + a["shapes.weight"][shapes], 0)
    ends = np.cumsum([0, *sentence.lengths])  # last piece before each fence
    out = []
    for width in range(1, len(words) + 1):
        for start in range(len(words) - width + 1):
            left, right = (np.hstack([x[ends[f]], x[ends[f] + 1]]) for f in (start, start + width))
            span = linear("left", left) + linear("right", right)
            span = (span - span.mean()) / np.sqrt(span.var() + 1e-5) * a["span.weight"] + a["span.bias"]
            out.append(linear("label", np.maximum(span, 0)))
    return np.array(out)


def test_scores_agree_with_the_formulas(network: SpanScorer) -> None:
    """Scores agree with the formulas; spans are ordered by width, then by start."""
    (scores,) = network.span_scores([encoded(WORDS)])
    assert scores.shape == (10, len(LABELS))
    np.testing.assert_allclose(scores, written_out(WORDS), rtol=1e-3, atol=1e-4)


@settings(deadline=None, max_examples=30)
@given(SENTENCES)
def test_scores_do_not_depend_on_the_batch(network: SpanScorer, sentences: list[list[str]]) -> None:
    """Scores do not depend on the other sentences of a batch, to the last bit."""
    together = list(network.span_scores(list(map(encoded, sentences))))
    for words, scores in zip(sentences, together, strict=True):
        np.testing.assert_array_equal(next(network.span_scores([encoded(words)])), scores)


BLOCKS = {
    "alike": [0] * ROWS,
    "halves of twelve": ([0] * 6 + [1] * 6) * (ROWS // 12),
    "uneven": ([2, 0, 0, 1]) * (ROWS // 4),
    "all differ": list(range(ROWS)),
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
@given(lengths=st.lists(st.integers(1, 200), min_size=1, max_size=9))
def test_rows_are_summed_as_if_alone(block: list[int], lengths: list[int]) -> None:
    """Each row has its own slot, and the same label as if its sentence were alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "kinds", lambda: np.array(block))
        slots = Slots.of(lengths)
    assert [len(part) for part in slots.parts] == lengths
    assert len(set(slots.all.tolist())) == sum(lengths)
    assert slots.all.max() < slots.total and slots.total % ROWS == 0
    for part in slots.parts:
        assert [block[i % ROWS] for i in part] == [block[i % ROWS] for i in range(len(part))]


REFUSED = "holds no network of the parser .*%s.*reinstall naturalness"


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """Truncated weights, invalid descriptions and a missing folder are errors."""
    folder = networks.write(tmp_path)
    description = (folder / "network.json").read_text()
    for bad in ("[]", "{", "[" * 100_000, "{}", '{"format_version": 2}', "\ud800".encode("utf-8", "surrogatepass")):
        data = bad.encode() if isinstance(bad, str) else bad
        (folder / "network.json").write_bytes(data)
        with pytest.raises(AssetError, match=REFUSED % ""):
            open_network(folder)
    (folder / "network.json").write_text(description)
    weights = folder / "network.npz"
    weights.write_bytes(weights.read_bytes()[:2000])
    for path in (folder, tmp_path / "nowhere"):
        with pytest.raises(AssetError, match=REFUSED % ""):
            open_network(path)
