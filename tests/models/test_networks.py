"""The detector's network in floats, as a GPU runs it; these tests run it on the CPU."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from naturalness.errors import MissingPackage, NaturalnessError
from naturalness.files.resources import locate
from naturalness.labelling.job import Job, Labeller
from naturalness.models import networks
from naturalness.models.detector import ASSET, FAST_ASSET, NETWORK, TOGETHER_ON_GPU, detect, detector, rate
from naturalness.models.networks import PRODUCT, in_floats
from naturalness.text.parsing import tokenise

TEXTS = [
    "The old men sat by the door and talked about the sea until it was dark.",
    "The old men sat by door the and talked about about sea until it dark.",
    "She don't knows where is the the station.",
    "Yes, please.",
]


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run the GPU's network on the CPU."""
    monkeypatch.setitem(networks.PROVIDERS, networks.CUDA, networks.PROVIDERS[networks.CPU])  # type: ignore[arg-type]
    networks.use_device(networks.CUDA)
    yield
    networks.use_device(networks.CPU)


@pytest.mark.parametrize("name", [ASSET, FAST_ASSET])
def test_no_product_of_whole_numbers_is_left(name: str) -> None:
    """Every integer product becomes a product of floats, and the scales of rows are removed."""
    import onnx

    path = locate(name) / NETWORK
    before = [node.op_type for node in onnx.load(path).graph.node]
    after = [node.op_type for node in onnx.load_from_string(in_floats(path)).graph.node]
    assert PRODUCT in before
    assert {PRODUCT, "QuantizeLinear", "Abs"}.isdisjoint(after)
    assert after.count("MatMul") == before.count("MatMul") + before.count(PRODUCT)


@pytest.mark.parametrize("name", [ASSET, FAST_ASSET])
def test_it_says_nearly_the_same(name: str, gpu: None) -> None:
    """Results differ by rounding only, and are stored under another signature."""
    docs = list(tokenise(TEXTS))
    floats = detector(name)
    read = detect(docs, floats), rate(docs, floats)
    networks.use_device(networks.CPU)
    exact = detector(name)
    assert floats.signature == f"{exact.signature}@cuda"
    assert floats.network.together == TOGETHER_ON_GPU > exact.network.together
    expected = detect(docs, exact), rate(docs, exact)
    off = [np.abs(a.damage - b.damage).max() for a, b in zip(read[0], expected[0], strict=True)]
    assert 0 < max(off) < 0.1
    assert read[1] == pytest.approx(expected[1], abs=0.3)


def test_a_job_has_its_device(gpu: None) -> None:
    """A job runs on its own device; scores differ slightly between devices."""
    on_gpu = Labeller(Job(device="cuda"))(TEXTS)["naturalness"]
    exact = Labeller(Job())(TEXTS)["naturalness"]
    assert networks.device() == "cpu"
    assert on_gpu != exact
    assert on_gpu == pytest.approx(exact, abs=0.02)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown device, a missing GPU and a missing package raise different errors."""
    with pytest.raises(NaturalnessError, match=r"unknown device 'gpu'"):
        networks.use_device("gpu")
    with pytest.raises(NaturalnessError, match=r"'cuda' needs onnxruntime with CUDA.*\[gpu\]"):
        networks.use_device("cuda")
    assert networks.device() == "cpu"
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingPackage, match="onnx"):
        in_floats(locate(FAST_ASSET) / NETWORK)
