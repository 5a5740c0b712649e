"""What else the wide detector's body could say: `python -m training.detector.heads TREEBANKS`.

Heads for tags and arcs learn from treebanks on the body as it ships, which stays as it is: they read a mix of its
layers at the first and the last piece of each word. Prints how often they are right on held-out parts; the pipeline
that ships is measured by `training.parser_accuracy`. Brackets do come from the body (`training.constituency`).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from naturalness.models.detector import ASSET
from naturalness.models.pieces import END, START, Pieces
from training.constituency.batches import borders
from training.detector.imported import body_of
from training.detector.network import PLACES, Body
from training.detector.network import WIDTH as BODY_WIDTH
from training.english.teacher import Biaffine, Labels, batches, blurred, targets
from training.manifest import ASSETS
from training.treebanks import Sentence, load_split

EPOCHS = 2
BATCH = 3_000
"""Word pieces, padding included."""
ARC, RELATION = 320, 96
RATE = 1e-3


class Mixture(nn.Module):
    """A weighted mean of the body's layers, embeddings included, on a body that stays as it is."""

    def __init__(self, body: Body) -> None:
        super().__init__()
        self.body = body.eval().requires_grad_(False)
        self.weights = nn.Parameter(torch.zeros(len(body.layers) + 1))
        self.norm = nn.LayerNorm(BODY_WIDTH)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Pieces (b, n) to vectors (b, n, width)."""
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            states = self.body.every_state(ids, mask)
        share = torch.softmax(self.weights, 0)
        return self.norm(sum(weight * state.float() for weight, state in zip(share, states, strict=True)))


class Arcs(nn.Module):
    """Tags, arcs and their relations of words; position 0 is the root."""

    def __init__(self, body: Body, labels: Labels) -> None:
        super().__init__()
        self.labels, self.mixture, self.drop = labels, Mixture(body), nn.Dropout(0.2)
        width = 2 * BODY_WIDTH
        self.tags = nn.Linear(width, len(labels.xpos))
        self.arc_head, self.arc_dep = nn.Linear(width, ARC), nn.Linear(width, ARC)
        self.rel_head, self.rel_dep = nn.Linear(width, RELATION), nn.Linear(width, RELATION)
        self.arcs, self.rels = Biaffine(ARC, 1), Biaffine(RELATION, len(labels.deps))

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of tags, of arcs (b, n, n + 1), and of relations for every pair (b, labels, n, n + 1)."""
        x = self.mixture(batch["ids"], batch["mask"])

        def at(index: Tensor) -> Tensor:
            return torch.gather(x, 1, index[:, :-1].unsqueeze(-1).expand(-1, -1, x.shape[-1]))

        rooted = self.drop(torch.cat([at(batch["first"]), at(batch["last"])], -1))
        words = rooted[:, 1:]

        def part(layer: nn.Linear, vectors: Tensor) -> Tensor:
            return self.drop(nn.functional.leaky_relu(layer(vectors), 0.1))

        arcs = self.arcs(part(self.arc_dep, words), part(self.arc_head, rooted)).squeeze(1)
        rels = self.rels(part(self.rel_dep, words), part(self.rel_head, rooted))
        # What is behind the end of a shorter sentence is no head.
        return self.tags(words), arcs.masked_fill(~batch["words"][:, None, :], -1e4), rels


def batch_of(pieces: Pieces, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
    """Pieces of sentences, the first and the last of each word, and which words there are, the root before them."""
    cut = [tuple(map(pieces.of_word, words)) for words in sentences]
    start, end = pieces.rows[START], pieces.rows[END]
    ids = [torch.tensor([start, *chain.from_iterable(parts), end]) for parts in cut]
    first, last = (pad_sequence(rows, batch_first=True) for rows in zip(*map(borders, cut), strict=True))
    n_pieces, n_words = (torch.tensor(list(map(len, rows))).unsqueeze(1) for rows in (ids, sentences))
    padded = pad_sequence(ids, batch_first=True)
    return {
        "ids": padded,
        "mask": torch.arange(padded.shape[1]) < n_pieces,
        "first": first,
        "last": last,
        "words": torch.arange(int(n_words.max()) + 1) <= n_words,
    }


def fits(pieces: Pieces, words: Sequence[str]) -> bool:
    """Whether the body has places for a sentence."""
    return sum(len(pieces.of_word(word)) for word in words) + 2 <= PLACES


def learn_arcs(body: Body, sentences: Sequence[Sentence]) -> Arcs:
    """Heads of tags and arcs, on treebanks."""
    torch.manual_seed(0)
    rng, pieces = random.Random(0), Pieces.of(body.vocabulary)
    sentences = [sentence for sentence in sentences if fits(pieces, sentence.words)]
    model = Arcs(body, Labels.of(sentences))
    lengths = [sum(len(pieces.of_word(word)) for word in sentence.words) for sentence in sentences]
    plan = [rows for _ in range(EPOCHS) for rows in batches(lengths, BATCH, rng)]
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / len(plan)))
    loss_of = nn.CrossEntropyLoss(ignore_index=-100)
    for step, rows in enumerate(plan, 1):
        chosen = [sentences[i] for i in rows]
        tags, arcs, rels = model(batch_of(pieces, [blurred(sentence, rng) for sentence in chosen]))
        gold_tags, _, gold_heads, gold_deps = targets(model.labels, chosen)
        heads = gold_heads.clamp(min=0)[:, None, :, None].expand(-1, rels.shape[1], -1, 1)
        loss = (
            loss_of(tags.transpose(1, 2), gold_tags)
            + loss_of(arcs.transpose(1, 2), gold_heads)
            + loss_of(torch.gather(rels, 3, heads).squeeze(3), gold_deps)
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"arcs {step}/{len(plan)} loss {loss.item():.3f}", flush=True)
    return model.eval()


@torch.inference_mode()
def arcs_right(model: Arcs, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Percent of the words with the right tag, head, and head and relation (without subtypes); gold words."""
    pieces = Pieces.of(model.mixture.body.vocabulary)
    right, n = {"tags": 0, "heads": 0, "relations": 0}, 0
    rest = iter(sorted((s for s in sentences if fits(pieces, s.words)), key=lambda s: len(s.words)))
    while chosen := list(islice(rest, 32)):
        tags, arcs, rels = model(batch_of(pieces, [sentence.words for sentence in chosen]))
        heads = arcs.argmax(2)
        of_heads = torch.gather(rels, 3, heads[:, None, :, None].expand(-1, rels.shape[1], -1, 1)).squeeze(3).argmax(1)
        for row, sentence in enumerate(chosen):
            for i, (tag, head, dep) in enumerate(zip(sentence.xpos, sentence.heads, sentence.deps, strict=True)):
                same_head = int(heads[row, i]) == (0 if head == i else head + 1)
                same_dep = model.labels.deps[int(of_heads[row, i])].split(":")[0] == dep.split(":")[0]
                right["tags"] += model.labels.xpos[int(tags[row, i].argmax())] == tag
                right["heads"] += same_head
                right["relations"] += same_head and same_dep
            n += len(sentence.words)
    return {name: round(100 * number / n, 2) for name, number in right.items()}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    body = body_of(ASSETS / ASSET).round()
    taught = [s for part in load_split(args.treebanks, "train", free_only=True).values() for s in part]
    arcs = learn_arcs(body, taught)
    for name, sentences in load_split(args.treebanks, "dev", free_only=True).items():
        print(f"{name} {arcs_right(arcs, sentences)}", flush=True)


if __name__ == "__main__":
    main()
