"""Calibration of the detector's false alarms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from naturalness.models.detector import DOUBTFUL, Network, open_network  # noqa: E402
from tests.support.small_body import VOCABULARY, small  # noqa: E402
from training.detector.alarms import calibrate  # noqa: E402
from training.detector.drafts import Word  # noqa: E402
from training.detector.export import write  # noqa: E402
from training.detector.network import load  # noqa: E402


@pytest.mark.parametrize("words_an_alarm", [4, 10])
def test_undamaged_words_raise_an_alarm_at_the_chosen_rate(words_an_alarm: int, tmp_path: Path) -> None:
    """After calibration, the network flags undamaged words at the chosen rate."""
    model = load(small(tmp_path / "detector.pt")).round()
    rng = np.random.default_rng(0)
    sentences = [tuple(Word(VOCABULARY[i], "", "", 0, 0) for i in rng.integers(4, 9, 5)) for _ in range(40)]

    def network() -> Network:
        weights = {name: values.numpy() for name, values in model.state_dict().items()}
        write(weights, tmp_path, vocabulary=VOCABULARY)
        return open_network(tmp_path)

    calibrate(model, network(), sentences, words_an_alarm)
    again = network()
    logs = np.concatenate(
        [said.logs for said in again.read([[again.cut(word.text) for word in sentence] for sentence in sentences])]
    )
    assert (1 - np.exp(logs[:, 0]) >= DOUBTFUL).mean() == pytest.approx(1 / words_an_alarm, abs=0.02)
