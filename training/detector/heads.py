"""What else the wide detector's body could say: `python -m training.detector.heads TREEBANKS`.

Heads for tags and arcs learn from treebanks on the body of the detector that ships, which stays as it is: they read its
vectors before the last layers and after them, at the first and the last piece of each word. Prints how often they are
right on held-out parts, from the treebank's own words; the pipeline that ships is measured from raw text
(`training.parser_accuracy`). Brackets do come from the body (`training.constituency`).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor, nn

from naturalness.models.detector import detector
from naturalness.models.pieces import SHAPES
from training.constituency.batches import Body, collate
from training.english.teacher import Biaffine, Labels, batches, blurred, targets
from training.treebanks import Sentence, load_split

EPOCHS = 6
BATCH = 3_000
"""Word pieces, padding included."""
HIDDEN, ARC, RELATION = 400, 320, 96
RATE = 1e-3


class Arcs(nn.Module):
    """Tags, arcs and their relations of words; position 0 is the root."""

    def __init__(self, width: int, labels: Labels) -> None:
        super().__init__()
        self.labels, self.drop = labels, nn.Dropout(0.2)
        self.body, self.shapes = nn.Linear(width, HIDDEN), nn.Embedding(len(SHAPES), HIDDEN)
        self.tags = nn.Linear(2 * HIDDEN, len(labels.xpos))
        self.arc_head, self.arc_dep = nn.Linear(2 * HIDDEN, ARC), nn.Linear(2 * HIDDEN, ARC)
        self.rel_head, self.rel_dep = nn.Linear(2 * HIDDEN, RELATION), nn.Linear(2 * HIDDEN, RELATION)
        self.arcs, self.rels = Biaffine(ARC, 1), Biaffine(RELATION, len(labels.deps))

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of tags, of arcs (b, n, n + 1), and of relations for every pair (b, labels, n, n + 1)."""
        x = torch.relu(self.body(self.drop(batch["vectors"])) + self.shapes(batch["shapes"]))

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


def batch_of(body: Body, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
    """Sentences as the body has read them, and which words there are, the root before them."""
    lengths = torch.tensor(list(map(len, sentences))).unsqueeze(1)
    words = torch.arange(int(lengths.max()) + 1) <= lengths
    return collate(body, sentences, [0] * len(sentences)) | {"words": words}


def learn(body: Body, sentences: Sequence[Sentence]) -> Arcs:
    """Heads of tags and arcs, on treebanks."""
    torch.manual_seed(0)
    rng = random.Random(0)
    model = Arcs(body.width, Labels.of(sentences))
    lengths = [sum(map(len, body.cut(sentence.words))) for sentence in sentences]
    plan = [rows for _ in range(EPOCHS) for rows in batches(lengths, BATCH, rng)]
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.02, 1 - step / len(plan)))
    loss_of = nn.CrossEntropyLoss(ignore_index=-100)
    for step, rows in enumerate(plan, 1):
        chosen = [sentences[i] for i in rows]
        tags, arcs, rels = model(batch_of(body, [blurred(sentence, rng) for sentence in chosen]))
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
            print(f"{step}/{len(plan)} loss {loss.item():.3f}", flush=True)
    return model.eval()


@torch.inference_mode()
def right(model: Arcs, body: Body, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Percent of the words with the right tag, head, and head and relation (without subtypes)."""
    count, n = {"tags": 0, "heads": 0, "relations": 0}, 0
    rest = iter(sorted(sentences, key=lambda s: len(s.words)))
    while chosen := list(islice(rest, 32)):
        tags, arcs, rels = model(batch_of(body, [sentence.words for sentence in chosen]))
        heads = arcs.argmax(2)
        of_heads = torch.gather(rels, 3, heads[:, None, :, None].expand(-1, rels.shape[1], -1, 1)).squeeze(3).argmax(1)
        for row, sentence in enumerate(chosen):
            for i, (tag, head, dep) in enumerate(zip(sentence.xpos, sentence.heads, sentence.deps, strict=True)):
                same_head = int(heads[row, i]) == (0 if head == i else head + 1)
                same_dep = model.labels.deps[int(of_heads[row, i])].split(":")[0] == dep.split(":")[0]
                count["tags"] += model.labels.xpos[int(tags[row, i].argmax())] == tag
                count["heads"] += same_head
                count["relations"] += same_head and same_dep
            n += len(sentence.words)
    return {name: round(100 * number / n, 2) for name, number in count.items()}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    body = Body(detector().network)

    def sentences(split: str) -> dict[str, list[Sentence]]:
        parts = load_split(args.treebanks, split, free_only=split == "train").items()
        return {name: [s for s in part if body.fits(s.words)] for name, part in parts}

    model = learn(body, [s for part in sentences("train").values() for s in part])
    for split in ("dev", "test"):
        for name, part in sentences(split).items():
            print(f"{name} {split}: {right(model, body, part)}", flush=True)


if __name__ == "__main__":
    main()
