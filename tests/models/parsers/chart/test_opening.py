"""Files of a network: whatever is wrong in them is an error that says what to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import AssetError
from naturalness.models.parsers.chart.opening import open_network
from tests.support import chart_networks as networks
from tests.support.chart_networks import LABELS, SPAN, VOCABULARY, WIDTH

REFUSED = "holds no network of the parser .*%s.*reinstall naturalness"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format_version": 2}, "format version 2; this release reads 1"),
        ({"labels": ["NP"]}, "'label.* has shape"),
        ({"labels": [*LABELS[1:], LABELS[1]]}, "labels repeat"),
        ({"labels": "NVSQ"}, "labels are no list"),
        ({"labels": []}, "there are none"),
        ({"labels": ["NP", "VP", "S", 1]}, "labels are no list"),
        ({"layers": 3}, "wide2"),
        ({"layers": 1}, "'attend1.bias' is missing, or not one of"),
        ({"layers": 10**9}, "1000000000 layers"),
        ({"layers": "2"}, "'2' layers"),
        ({"vocabulary": VOCABULARY[:-1]}, "'pieces.rows' has shape"),
        *(
            ({"vocabulary": [piece.replace(special, "x1") for piece in VOCABULARY]}, "without")
            for special in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
        ),
    ],
)
def test_a_description_of_something_else_is_refused(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    """Version, labels, layers, pieces."""
    with pytest.raises(AssetError, match=REFUSED % reason):
        open_network(networks.write(tmp_path, **changes))


ONE = np.ones(1, np.float32)
NARROW = np.zeros((len(VOCABULARY), WIDTH - 1), np.int8)


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        ("left.bias", ONE, "'left.bias' has shape"),
        ("attend1.bias", ONE, "'attend1.bias' has shape"),
        ("narrow0.bias", np.ones((1, WIDTH), np.float32), "'narrow0.bias' has shape"),
        ("norm.weight", ONE, "'norm.weight' has shape"),
        ("right.rows", np.zeros((SPAN, WIDTH), np.int8), "'right.rows' has shape"),
        ("shapes.weight", np.ones((7, WIDTH), np.float32), "'shapes.weight' has shape"),
        ("positions.rows", np.zeros((511, WIDTH), np.int8), "511 positions of width"),
        ("pieces.rows", NARROW, "width 63; expected at least 512, and a multiple of 32"),
        ("pieces.rows", np.array(1, np.int8), "positions of width 1;"),
        ("label.rows", np.zeros((len(LABELS), SPAN), np.float32), "is float32; expected int8"),
        ("second0.bias", np.full(WIDTH, np.nan, np.float32), "not finite"),
        ("left.scales", np.full(SPAN, np.inf, np.float32), "not finite"),
        ("span.weight", np.full(SPAN, -3e38, np.float32), "huge"),
        ("right.bias", np.ones(SPAN, np.float32), "'right.bias' is missing, or not one of"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path: Path, name: str, array: np.ndarray, reason: str) -> None:
    """One number would be added to all columns, a missing position fail late: not even opened."""
    with pytest.raises(AssetError, match=REFUSED % reason):
        open_network(networks.write(tmp_path, {**networks.arrays(), name: array}))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """Weights cut short, a description that is none, no folder."""
    folder = networks.write(tmp_path)
    description = (folder / "network.json").read_text()
    for bad in ("[]", "{", "[" * 100_000, "{}", "\ud800".encode("utf-8", "surrogatepass")):
        data = bad.encode() if isinstance(bad, str) else bad
        (folder / "network.json").write_bytes(data)
        with pytest.raises(AssetError, match=REFUSED % ""):
            open_network(folder)
    (folder / "network.json").write_text(description)
    weights = folder / "network.npz"
    weights.write_bytes(weights.read_bytes()[:5000])
    for place in (folder, tmp_path / "nowhere"):
        with pytest.raises(AssetError, match=REFUSED % ""):
            open_network(place)


def test_a_vocabulary_is_read_as_it_is(tmp_path: Path) -> None:
    """Pieces and labels in the order of their rows."""
    network = open_network(networks.write(tmp_path))
    assert network.labels == LABELS
    assert list(network.pieces.places) == list(VOCABULARY)
