"""The parser's loss in torch, compared with the package's chart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.models.detector import Network, open_network
from naturalness.models.parsers.chart import network as chart
from naturalness.models.parsers.chart.inside import corners, fill
from naturalness.models.parsers.tree import Span
from tests.support.tiny_detector import write_tiny
from training.constituency.examples import Example

torch = pytest.importorskip("torch", reason="needs the extra 'training'")
LABELS = {"S": 0, "NP": 1, "VP": 2, "S+VP": 3}
EXAMPLES = [
    Example(["Ann", "slept"], ["NNP", "VBD"], [Span(0, 2, "S"), Span(0, 1, "NP")], 0),
    Example(["Go", "on", "."], ["VB", "odd", "."], [Span(0, 3, "S"), Span(0, 2, "S+VP+NP")], 1),
]


def test_the_loss_of_a_tree() -> None:
    """The loss is the mean negative log-probability by the package's chart."""
    from training.constituency.batches import gold
    from training.constituency.crf import loss

    scores = np.random.default_rng(1).normal(0, 1, (2, 6, len(LABELS)))
    lengths, rows, _ = gold(EXAMPLES, LABELS)
    expected = 0.0
    for b, n in enumerate(lengths.tolist()):
        chart = fill(n, scores[b][corners(3)[1] < n])
        chosen = [scores[b, span, label] for row, span, label in rows.tolist() if row == b]
        expected += chart.log_partition - sum(chosen)
    assert float(loss(torch.tensor(scores), 3, lengths, rows)) == pytest.approx(expected / 2)
    assert expected > 0


def test_the_package_computes_the_trained_scores(tmp_path: Path) -> None:
    """The package's scores equal the trained network's, except for rounding, and a sentence is read once."""
    from training.constituency.batches import Body, collate
    from training.constituency.network import SpanScorer
    from training.constituency.package import write_network

    torch.manual_seed(0)
    body = Body(open_network(write_tiny(tmp_path)))
    model = SpanScorer(list(LABELS), body.width).eval()
    write_network(model, tmp_path)
    sentences = [["Ann", "slept", "."], ["go"]]
    network = chart.open_network(tmp_path)
    for words in sentences:
        cut = body.cut(words)
        ((_, vectors),) = body.network.read_pieces([cut])
        (scores,) = network.span_scores([chart.EncodedSentence(words, list(map(len, cut)), vectors)])
        with torch.inference_mode():
            expected = model(collate(body, [words], [0]))[0][0].numpy()
        assert np.sqrt(np.mean((scores - expected) ** 2)) < 0.05
    collate(body, sentences, [0, 0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Network, "read_pieces", lambda _, new: iter(()) if not new else pytest.fail("read again"))
        collate(body, sentences, [0, 0])
