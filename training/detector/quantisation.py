"""Round a trained network to integers layer by layer, each weight with regard to the errors of those before it.

This is GPTQ (Frantar et al. 2023, arXiv 2210.17323): the rounding error of each column of a matrix is spread over the
columns that are still to be rounded, so that the products with real inputs change least. The inputs come through the
layers below as already rounded, with inputs of products in eight bits, as in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import torch
from torch import Tensor

from naturalness.models.pieces import Pieces
from training.detector.batches import batches, collate
from training.detector.mixture import Source
from training.detector.network import Body, Linear, incoming
from training.detector.steps import nearest_steps, whole
from training.layer import Layer

DAMPING = 0.01
"""Added to the diagonal of the inputs' products, as a share of its mean."""
BLOCK = 128
"""Columns after which the errors are passed on to all others."""
BATCHES = 40
Inputs = Sequence[tuple[Tensor, Tensor, Tensor]]
"""What a layer reads of each batch: vectors, the bias of attention, and the mask."""


@torch.no_grad()
def quantise(body: Body, source: Source, n: int = BATCHES) -> Body:
    """Round the tables and the products of all layers, in place; the heads stay as they are.

    ``n`` batches of sound and damaged sentences show what products read.
    """
    body.eval()
    body.pieces.rounds = body.positions.rounds = True
    pieces, device = Pieces(body.vocabulary), body.kinds.weight.device
    drawn = [collate(drafts, pieces).to(device) for drafts in islice(batches(source, 0), n)]
    with torch.autocast(device.type, torch.bfloat16):
        inputs = [(body.embedded(batch.ids), body.bias(batch.mask), batch.mask) for batch in drawn]
        for layer in body.layers:
            for product in (layer.attention_in, layer.attention_out, layer.wide, layer.narrow):
                gram = gram_of(product, layer, inputs)
                product.step = nearest_steps(product.weight)
                product.weight.copy_(compensated(product.weight, product.step, gram))
                product.rounds = True
            inputs = [(layer(x, bias), bias, mask) for x, bias, mask in inputs]
    return body


def gram_of(product: Linear, layer: Layer, inputs: Inputs) -> Tensor:
    """Return the sum of outer products of what a product of a layer reads."""
    seen: list[Tensor] = []
    hook = product.register_forward_pre_hook(lambda module, coming: seen.append(coming[0]))
    total = torch.zeros(product.in_features, product.in_features, device=product.weight.device)
    for x, bias, mask in inputs:
        layer(x, bias)
        rows = incoming(seen.pop()[mask].float())
        with torch.autocast(rows.device.type, enabled=False):
            total += rows.T @ rows
    hook.remove()
    return total


def compensated(weight: Tensor, step: Tensor, gram: Tensor) -> Tensor:
    """Return a matrix (n, k) in whole steps of each row, for inputs with this ``gram`` (k, k)."""
    order = gram.diagonal().argsort(descending=True)
    hessian = gram[order][:, order].double()
    hessian += DAMPING * hessian.diagonal().mean() * torch.eye(len(order), device=gram.device)
    inverse = torch.cholesky_inverse(torch.linalg.cholesky(hessian))
    factor = torch.linalg.cholesky(inverse, upper=True).float()
    left, rounded = weight[:, order].float().clone(), torch.empty_like(weight, dtype=torch.float32)
    with torch.autocast(weight.device.type, enabled=False):
        for first in range(0, len(order), BLOCK):
            last = min(first + BLOCK, len(order))
            errors = torch.empty_like(left[:, first:last])
            for j in range(first, last):
                column = left[:, j : j + 1]
                rounded[:, j : j + 1] = whole(column, step) * step
                error = (column - rounded[:, j : j + 1]) / factor[j, j]
                left[:, j:last] -= error * factor[j, j:last]
                errors[:, j - first : j - first + 1] = error
            left[:, last:] -= errors @ factor[first:last, last:]
    return rounded[:, order.argsort()]
