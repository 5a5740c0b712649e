"""A reader: a body of layers over word pieces, with heads for words, for soundness and for people's ratings.

The body is MPNet's (Song et al. 2020) or a narrow one of the same kind. Names of weights are those of the stored
readers: ``body.*``, and ``p`` and ``r`` for the two layers of the rating head.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from training.detector.distances import BUCKETS, buckets
from training.detector.steps import nearest_steps, whole
from training.reader.packed import FOUR_BITS, TABLE, TINY

HEADS = 12
"""Of attention."""
POOLED, RATED = 128, 256
"""Width of the hidden layers of soundness and of the rating."""
EPSILON = 1e-5
"""Of MPNet's layer norms."""
LARGEST_INPUT = 127
"""What a product reads has eight bits."""
BLOCK = 128
"""Numbers of a vector of the tables that share a scale."""


def rounded_blocks(table: Tensor) -> Tensor:
    """Return vectors in four bits, in blocks with a scale each."""
    parts = table.unflatten(-1, (-1, BLOCK))
    scale = parts.abs().amax(-1, keepdim=True).clamp(min=TINY) / FOUR_BITS
    return ((parts / scale).round() * scale).flatten(-2)


class WholeProduct(torch.autograd.Function):
    """A product of whole numbers: four-bit weights, eight-bit inputs with a scale per row.

    Gradients pass as if nothing had been rounded, at the rounded numbers.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, step: Tensor, dtype: torch.dtype) -> Tensor:
        """Return x W."""
        scale = x.abs().amax(-1, keepdim=True).float().clamp(min=TINY) / LARGEST_INPUT
        rows = ((x / scale).round() * scale).to(dtype)
        columns = (whole(weight, step) * step).to(dtype)
        ctx.save_for_backward(rows, columns)
        ctx.dtypes = x.dtype, weight.dtype
        return rows @ columns.t()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None, None]:
        """Return the gradients of x and of the weights."""
        rows, columns = ctx.saved_tensors
        (gradient,) = gradients
        gradient = gradient.to(rows.dtype)
        of_x = gradient @ columns
        of_weight = gradient.flatten(0, -2).t() @ rows.flatten(0, -2)
        return of_x.to(ctx.dtypes[0]), of_weight.to(ctx.dtypes[1]), None, None


class Linear(nn.Linear):
    """A product that can compute in whole numbers."""

    in_whole_numbers = False

    def __init__(self, k: int, n: int) -> None:
        super().__init__(k, n)
        self.register_buffer("step", torch.zeros(n, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Return x W + b."""
        if not self.in_whole_numbers:
            return nn.functional.linear(x, self.weight, self.bias)
        device = x.device.type
        half = torch.is_autocast_enabled(device)
        dtype = torch.get_autocast_dtype(device) if half else x.dtype
        with torch.autocast(device, enabled=False):
            product: Tensor = WholeProduct.apply(x, self.weight, self.step, dtype)
            return product + self.bias.to(dtype)


class Layer(nn.Module):
    """Attention with a bias by distance, then a feed-forward network."""

    plain_attention = False

    def __init__(self, width: int, feed_forward: int) -> None:
        super().__init__()
        self.attention_in = Linear(width, 3 * width)
        self.attention_out = Linear(width, width)
        self.norm_1, self.norm_2 = nn.LayerNorm(width, EPSILON), nn.LayerNorm(width, EPSILON)
        self.wide, self.narrow = Linear(width, feed_forward), Linear(feed_forward, width)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """Return vectors (b, n, w); ``bias`` (b, heads, n, n) is added to the attention."""
        b, n, w = x.shape
        q, k, v = self.attention_in(x).view(b, n, 3, HEADS, w // HEADS).permute(2, 0, 3, 1, 4)
        seen = attend(q, k, v, bias, plain=Layer.plain_attention)
        x = self.norm_1(x + self.attention_out(seen.transpose(1, 2).reshape(b, n, w)))
        out: Tensor = self.norm_2(x + self.narrow(nn.functional.gelu(self.wide(x))))
        return out


def attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor, *, plain: bool) -> Tensor:
    """Return what each piece sees; ``plain`` by products and a softmax, without a fused kernel."""
    if not plain:
        return nn.functional.scaled_dot_product_attention(q, k, v, bias)
    logits = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + bias
    return logits.float().softmax(-1).to(v.dtype) @ v


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a body."""

    layers: int
    width: int = 768
    feed_forward: int = 3072


SIX, TWELVE, NARROW = Shape(6), Shape(12), Shape(6, 384, 768)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a reader says of texts: logits of kinds of pieces (b, n, kinds), of soundness and rating (b,), vectors."""

    kinds: Tensor
    sound: Tensor
    rating: Tensor
    states: Tensor


class Body(nn.Module):
    """Layers over word pieces, with the heads for words and for soundness."""

    def __init__(self, pieces: int, positions: int, shape: Shape, kinds: int) -> None:
        super().__init__()
        self.pieces = nn.Embedding(pieces, shape.width)
        self.positions = nn.Embedding(positions, shape.width)
        self.norm = nn.LayerNorm(shape.width, EPSILON)
        self.distances = nn.Embedding(BUCKETS, HEADS)
        self.layers = nn.ModuleList(Layer(shape.width, shape.feed_forward) for _ in range(shape.layers))
        self.kinds = nn.Linear(shape.width, kinds)
        self.pooled = nn.Linear(3 * shape.width, POOLED)
        self.sound = nn.Linear(POOLED, 1)
        self.register_buffer("buckets", torch.from_numpy(buckets(positions)), persistent=False)

    def states(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the vectors of pieces after the last layer."""
        n = ids.shape[1]
        x = self.norm(self.pieces(ids) + self.positions.weight[:n])
        bias = self.distances(self.buckets[:n, :n]).permute(2, 0, 1)
        if torch.is_autocast_enabled(ids.device.type):
            bias = bias.to(torch.get_autocast_dtype(ids.device.type))
        hidden = torch.zeros_like(mask, dtype=bias.dtype).masked_fill(~mask, -1e9)
        bias = bias[None] + hidden[:, None, None, :]
        for layer in self.layers:
            x = layer(x, bias)
        return x


class Reader(nn.Module):
    """A body with a rating head."""

    def __init__(self, pieces: int, positions: int, shape: Shape, kinds: int) -> None:
        super().__init__()
        self.shape = shape
        self.body = Body(pieces, positions, shape, kinds)
        self.p, self.r = nn.Linear(3 * shape.width, RATED), nn.Linear(RATED, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> Answers:
        """Read pieces (b, n); ``mask`` is true where there is a piece."""
        x = self.body.states(ids, mask)
        there = mask.unsqueeze(-1)
        mean = (x * there).sum(1) / there.sum(1)
        most = x.masked_fill(~there, -1e4).amax(1)
        joined = torch.cat([x[:, 0], mean, most], -1)
        sound = self.body.sound(torch.relu(self.body.pooled(joined))).squeeze(-1)
        rating = self.r(torch.relu(self.p(joined))).squeeze(-1)
        return Answers(self.body.kinds(x).float(), sound.float(), rating.float(), x)

    def compute_in_whole_numbers(self) -> Reader:
        """Compute as a shipped file does from now on; steps are chosen where there are none."""
        with torch.no_grad():
            for table in (self.body.pieces, self.body.positions):
                table.weight.copy_(rounded_blocks(table.weight))
            for module in self.modules():
                if isinstance(module, Linear):
                    if not module.step.any():
                        module.step.copy_(nearest_steps(module.weight))
                    module.in_whole_numbers = True
        return self

    def freeze_tables(self) -> Reader:
        """Leave the vectors of pieces and positions as they are."""
        for table in (self.body.pieces, self.body.positions):
            table.weight.requires_grad_(False)
        return self


def new_reader(state: Mapping[str, np.ndarray], kinds: int, shape: Shape, seed: int = 0) -> Reader:
    """Return a reader that begins with these weights; heads that it lacks are the same for equal seeds."""
    torch.manual_seed(seed)
    pieces, positions = len(state[TABLE]), len(state["body.positions.weight"])
    reader = Reader(pieces, positions, shape, kinds)
    weights = {
        name: torch.from_numpy(np.array(values, np.float32))
        for name, values in state.items()
        if not is_above(name, shape.layers)
    }
    unknown = set(weights) - set(reader.state_dict())
    if unknown:
        raise ValueError(f"weights that no reader has: {', '.join(sorted(unknown)[:3])}")
    reader.load_state_dict({**reader.state_dict(), **weights})
    return reader.freeze_tables()


def is_above(name: str, layers: int) -> bool:
    """Tell whether a weight belongs to a layer above the lowest ones."""
    return ".layers." in name and int(name.split(".layers.")[1].split(".")[0]) >= layers


def averaged(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of the weights of readers that began alike (Wortsman et al. 2022)."""
    return {name: torch.stack([state[name].float() for state in states]).mean(0) for name in states[0]}


def arrays_of(reader: nn.Module) -> dict[str, np.ndarray]:
    """Return the weights in arrays of their own."""
    return {name: values.detach().float().cpu().numpy().copy() for name, values in reader.state_dict().items()}
