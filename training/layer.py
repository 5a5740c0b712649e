"""One layer of a BERT encoder in plain torch, the building block of all networks here."""

from __future__ import annotations

from torch import Tensor, nn

HEADS = 12


class Layer(nn.Module):
    """Attention, then a feed-forward network; ``linear`` is the class of its products."""

    def __init__(
        self,
        width: int,
        feed_forward: int,
        *,
        drop: float = 0.0,
        epsilon: float = 1e-12,
        linear: type[nn.Linear] = nn.Linear,
    ) -> None:
        super().__init__()
        self.attention_in = linear(width, 3 * width)
        self.attention_out = linear(width, width)
        self.norm_1, self.norm_2 = nn.LayerNorm(width, epsilon), nn.LayerNorm(width, epsilon)
        self.wide, self.narrow = linear(width, feed_forward), linear(feed_forward, width)
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, bias: Tensor | None) -> Tensor:
        """Return (b, n, w); ``bias`` (b or 1, heads or 1, n or 1, n) is added to attention, or masks it where false.

        Without ``bias``, each piece attends to itself and to earlier pieces, so no piece attends to padding at the end.
        """
        b, n, w = x.shape
        q, k, v = self.attention_in(x).view(b, n, 3, HEADS, w // HEADS).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(q, k, v, bias, is_causal=bias is None)
        x = self.norm_1(x + self.drop(self.attention_out(seen.transpose(1, 2).reshape(b, n, w))))
        return self.norm_2(x + self.drop(self.narrow(nn.functional.gelu(self.wide(x)))))
