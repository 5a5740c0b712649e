"""What else the wide detector's body could say: `python -m training.detector.heads TREEBANKS`.

Heads for tags, arcs and brackets learn from treebanks on the body as it ships, which stays as it is: they read a mix
of its layers at the first and the last piece of each word. Prints how often they are right on held-out parts; the
pipeline and the chart parser that ship are measured by `training.parser_accuracy` and `benchmarks.constituency`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch import Tensor, nn

from naturalness.models.detector import ASSET
from naturalness.models.pieces import Pieces
from training.constituency.__main__ import MAX_WORDS, craft_samples
from training.constituency.__main__ import examples as trees_of
from training.constituency.accuracy import PARTS
from training.constituency.batches import collate
from training.constituency.examples import example, label_set
from training.constituency.learning import accuracy, fit
from training.constituency.network import Size, SpanScorer
from training.constituency.treebank import TREES, read_trees
from training.detector.imported import body_of
from training.detector.network import PLACES, Body
from training.detector.network import WIDTH as BODY_WIDTH
from training.encoder import WIDTH
from training.english.teacher import Biaffine, Labels, batches, blurred, targets
from training.manifest import ASSETS
from training.treebanks import Sentence, load_split

EPOCHS = 2
CRAFT = 3_500
"""Sentences of the biomedical treebank per epoch."""
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


class Brackets(SpanScorer):
    """Scores of spans on the body's vectors instead of MiniLM's."""

    def __init__(self, body: Body, labels: Sequence[str]) -> None:
        super().__init__(labels, body.vocabulary, Size(layers=0))
        self.mixture, self.down = Mixture(body), nn.Linear(BODY_WIDTH, WIDTH)

    def encode(self, batch: dict[str, Tensor]) -> Tensor:
        """Hidden vectors of the pieces."""
        return torch.as_tensor(self.down(self.mixture(batch["ids"], batch["mask"])))


def batch_of(pieces: Pieces, sentences: Sequence[Sequence[str]]) -> dict[str, Tensor]:
    """Pieces of sentences, and which words there are, the root before them."""
    batch = collate(pieces, sentences, [0] * len(sentences))
    longest = max(map(len, sentences))
    lengths = torch.tensor([len(words) for words in sentences])
    batch["words"] = torch.arange(longest + 1) <= lengths.unsqueeze(1)
    return batch


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


def learn_brackets(body: Body, treebanks: Path) -> Brackets:
    """A head of brackets, on the trees that the chart parser's teacher learned from."""
    torch.manual_seed(0)
    pieces = Pieces.of(body.vocabulary)
    gum = [e for e in trees_of(treebanks, "gum", "train") if len(e.words) <= MAX_WORDS and fits(pieces, e.words)]
    craft = [[e for e in more if fits(pieces, e.words)] for more in craft_samples(treebanks, CRAFT, EPOCHS)]
    model = Brackets(body, label_set([*gum, *trees_of(treebanks, "craft", "train")]))
    held_out = [e for e in trees_of(treebanks, "gum", "dev") if fits(pieces, e.words)]
    with TemporaryDirectory() as folder:
        fit(model, [gum + more for more in craft], Path(folder) / "brackets.pt", held_out=held_out)
    return model


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
    brackets, pieces = learn_brackets(body, args.treebanks), Pieces.of(body.vocabulary)
    for name, split in PARTS:
        trees = [t for t in read_trees(args.treebanks / TREES[name]) if t.split == split and fits(pieces, t.words)]
        counts = accuracy(brackets, [example(t.root, t.words, t.tags, 0) for t in trees])
        print(f"{name} {split}: {counts.sentences} sentences, F1 {counts.f1:.2f}", flush=True)


if __name__ == "__main__":
    main()
