"""Rounding with compensated errors."""

from __future__ import annotations

import copy

import pytest

torch = pytest.importorskip("torch")

from tests.support.drafts import sentence  # noqa: E402
from tests.support.small_body import VOCABULARY  # noqa: E402
from training.detector.mixture import Source  # noqa: E402
from training.detector.network import Body, Shape  # noqa: E402
from training.detector.quantisation import compensated, quantise  # noqa: E402
from training.detector.steps import nearest_steps, whole  # noqa: E402


def test_errors_are_compensated_by_later_columns() -> None:
    """For inputs that depend on each other, products change less than with the nearest steps; all are whole steps."""
    torch.manual_seed(0)
    weight = torch.randn(8, 300)
    inputs = torch.randn(2_000, 12) @ torch.randn(12, 300) + 0.1 * torch.randn(2_000, 300)
    step = nearest_steps(weight)
    rounded = compensated(weight, step, inputs.T @ inputs)
    torch.testing.assert_close(rounded, whole(rounded, step) * step)

    def error(table: torch.Tensor) -> float:
        return float((inputs @ (table - weight).T).square().mean())

    assert error(rounded) < 0.2 * error(whole(weight, step) * step)


def test_independent_inputs_are_rounded_to_the_nearest_step() -> None:
    """Without dependence between inputs there is nothing to compensate."""
    weight = torch.tensor([[0.9, -0.4, 0.2], [3.1, 1.4, -7.0]])
    step = torch.tensor([[0.2], [1.0]])
    expected = torch.tensor([[0.8, -0.4, 0.2], [3.0, 1.0, -7.0]])
    torch.testing.assert_close(compensated(weight, step, torch.diag(torch.tensor([1.0, 0.0, 2.0]))), expected)


def test_a_body_is_rounded_layer_by_layer() -> None:
    """All products and tables compute in integers, and the vectors are nearer to the original's than when rounded."""
    torch.manual_seed(0)
    body = Body(VOCABULARY, Shape(2, 384, 96)).eval()
    source = Source.of([sentence("the/DT/det/2 old/JJ/amod/2 man/NN/nsubj/3 slept/VBD/root/3")] * 40)
    ids = torch.tensor([[2, 4, 5, 6, 7, 8, 3], [2, 4, 6, 7, 5, 8, 3]])
    mask = torch.ones_like(ids, dtype=torch.bool)
    nearest, compensating = copy.deepcopy(body).round(), quantise(copy.deepcopy(body), source, 2)
    assert all(layer.wide.rounds and layer.attention_out.step.any() for layer in compensating.layers)
    assert compensating.pieces.rounds
    with torch.no_grad():
        goal, plain, better = (one.states(ids, mask)[-1] for one in (body, nearest, compensating))
    assert (better - goal).square().mean() < (plain - goal).square().mean()
