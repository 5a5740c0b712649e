"""Possible words by a masked language model: what looks right from both sides, and is less likely than the word.

As in ELECTRA (Clark et al. 2020), with one difference: a word counts as wrong only where the model finds it ten to
ten thousand times less likely than the one that stood there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from naturalness.models.detector import KINDS
from naturalness.models.pieces import UNKNOWN
from training.detector.batches import Batch
from training.detector.kinds.possible import LESS
from training.detector.kinds.small_words import PREPOSITIONS
from training.detector.mixture import SEVERITY
from training.detector.network import Body
from training.detector.teaching.stream import PREPOSITION, WORD

HIDDEN = 0.2
"""Share of pieces that are hidden while it learns."""
LABELS = {WORD: "wrong", PREPOSITION: "preposition"}


class Guesser(nn.Module):
    """A body that says which piece stands in a hidden place; hidden pieces look like unknown ones."""

    def __init__(self, body: Body) -> None:
        super().__init__()
        self.body = body
        width = body.norm.normalized_shape[0]
        self.dense, self.norm = nn.Linear(width, width), nn.LayerNorm(width)
        self.bias = nn.Parameter(torch.zeros(len(body.vocabulary)))
        self.hidden = body.vocabulary.index(UNKNOWN)

    def forward(self, ids: Tensor, mask: Tensor, hide: Tensor) -> Tensor:
        """Logits (hidden places, pieces)."""
        states = self.body.states(ids.masked_fill(hide, self.hidden), mask)[hide]
        states = self.norm(nn.functional.gelu(self.dense(states)))
        return nn.functional.linear(states, self.body.pieces.weight, self.bias)

    def loss(self, batch: Batch) -> Tensor:
        """Nats for each piece that is hidden in what is not damaged."""
        clean = batch.soundness == 1
        ids, mask = batch.ids[clean], batch.mask[clean]
        hide = mask & (torch.rand(ids.shape, device=ids.device) < HIDDEN)
        return nn.functional.cross_entropy(self(ids, mask, hide).float(), ids[hide])


class Candidates(nn.Module):
    """Which pieces can stand for a word: words of both vocabularies that are listed, not another form of the word."""

    def __init__(
        self,
        vocabulary: Sequence[str],
        narrow: Sequence[str],
        words: Mapping[str, int],
        bases: Mapping[tuple[str, str], str],
    ) -> None:
        """``words``: how often each is found; ``bases``: form and tag of a verb or noun, and its base."""
        super().__init__()
        rows = {text: row for row, text in enumerate(narrow)}
        known = [text.isalpha() and text in words and text in rows for text in vocabulary]
        base_of = {form: base for (form, _), base in bases.items()}
        numbers: dict[str, int] = {}
        base = [numbers.setdefault(base_of.get(text, text), len(numbers)) for text in vocabulary]
        self.register_buffer("words", torch.tensor(known))
        self.register_buffer("prepositions", torch.tensor([text in PREPOSITIONS for text in vocabulary]) & self.words)
        self.register_buffer("base", torch.tensor(base))
        self.register_buffer("narrow", torch.tensor([rows.get(text, 0) for text in vocabulary]))

    def fitting(self, ids: Tensor, slots: Tensor) -> Tensor:
        """(places, pieces): those that may stand there."""
        of_class = torch.where((slots == PREPOSITION)[:, None], self.prepositions, self.words)
        return of_class & (self.base[ids][:, None] != self.base[None])


def filled(
    guesser: Guesser,
    candidates: Candidates,
    wide: Batch,
    slots: Tensor,
    narrow: Batch | None,
    narrow_slots: Tensor,
    dilution: Tensor,
) -> tuple[Batch, Batch | None]:
    """The batch with words in its slots, in one vocabulary or in both; a slot for which none is fit stays."""
    rows = (slots > 0).any(1).nonzero().squeeze(1)
    if not len(rows):
        return wide, narrow
    ids, within = wide.ids[rows], slots[rows]
    hide = within > 0
    with torch.no_grad():
        logs = torch.log_softmax(guesser(ids, wide.mask[rows], hide).float(), -1) / math.log(10)
    before, kind = ids[hide], within[hide]
    less = logs.gather(1, before[:, None]) - logs
    fit = candidates.fitting(before, kind) & (less >= LESS[0]) & (less <= LESS[1])
    weight = torch.where(fit, (-less * math.log(10)).exp(), 0.0)
    changed = weight.sum(1) > 0
    drawn = torch.multinomial(torch.where(changed[:, None], weight, 1.0), 1).squeeze(1)
    after = torch.where(changed, drawn, before)
    label = torch.where(kind == PREPOSITION, KINDS.index(LABELS[PREPOSITION]), KINDS.index(LABELS[WORD]))
    left = torch.where(kind == PREPOSITION, 1 - SEVERITY[LABELS[PREPOSITION]], 1 - SEVERITY[LABELS[WORD]])
    lost = torch.zeros(within.shape, device=ids.device)
    lost[hide] = torch.where(changed, left.log(), 0.0)
    soundness = wide.soundness.clone()
    soundness[rows] *= (lost.sum(1) * dilution[rows]).exp()
    out = []
    for batch, places, ids_after in ((wide, slots > 0, after), (narrow, narrow_slots > 0, candidates.narrow[after])):
        if batch is None:
            out.append(None)
            continue
        new, kinds = batch.ids.clone(), batch.kinds.clone()
        new[places] = torch.where(changed, ids_after, batch.ids[places])
        kinds[places] = torch.where(changed, label, batch.kinds[places])
        out.append(Batch(new, batch.mask, kinds, soundness))
    return out[0], out[1]
