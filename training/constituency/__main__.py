"""Rebuild the shipped parser: teacher, corpus sentences with its trees, student, asset `chart`.

`python -m training.constituency TREEBANKS TOKENS --work DIR`: TOKENS is the folder of tokenised
registers that `python -m training.language` leaves in its working folder. Each step keeps its
result in DIR and is skipped where that is there.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import torch

from naturalness.models.piece_vectors import piece_vectors
from training.constituency.examples import Example, example, label_set
from training.constituency.learning import accuracy, fit, label
from training.constituency.network import Size, SpanScorer, load, pretrained
from training.constituency.package import compare, write_network
from training.constituency.samples import SENTENCES, sample
from training.constituency.silver import read_silver, write_silver
from training.constituency.treebank import training_trees
from training.encoder import frequent_pieces
from training.manifest import ASSETS, CORPORA, record
from training.piece_vectors import ship

STUDENT = Size(layers=3, feed_forward=768, relu=True)
TEACHER_EPOCHS, STUDENT_EPOCHS = 4, 4
CRAFT_TEACHER, CRAFT_STUDENT = 3_500, 1_000
"""Sentences of the biomedical treebank per epoch: it is large, gold, and of one kind."""
MAX_WORDS_CRAFT, MAX_WORDS = 45, 80
SOURCES = (
    {
        "name": "GUM constituency trees, documents without a non-commercial term",
        "licence": "CC BY 4.0 and public domain, by document",
    },
    {"name": "CRAFT 5 treebank", "licence": "CC BY 3.0"},
    {"name": "MiniLM-L6 (initial weights)", "licence": "Apache-2.0"},
)


def examples(treebanks: Path, name: str, split: str) -> list[Example]:
    """Sentences of a treebank, in its style."""
    style = ("gum", "craft").index(name)
    trees = training_trees(treebanks, name, split)
    return [example(tree.root, tree.words, tree.tags, style) for tree in trees]


def craft_samples(treebanks: Path, size: int, epochs: int) -> list[list[Example]]:
    """Another sample of the biomedical treebank for each epoch."""
    whole = [e for e in examples(treebanks, "craft", "train") if 3 <= len(e.words) <= MAX_WORDS_CRAFT]
    rng = random.Random(1)
    return [rng.sample(whole, size) for _ in range(epochs)]


def teach(treebanks: Path, path: Path) -> SpanScorer:
    """The teacher: all of MiniLM, on the treebanks."""
    if not path.exists():
        gum = [e for e in examples(treebanks, "gum", "train") if len(e.words) <= MAX_WORDS]
        craft = craft_samples(treebanks, CRAFT_TEACHER, TEACHER_EPOCHS)
        labels = label_set([*gum, *examples(treebanks, "craft", "train")])
        model = pretrained(labels, None, Size())
        part = path.with_suffix(".part")
        fit(model, [gum + more for more in craft], part, held_out=examples(treebanks, "gum", "dev"))
        part.rename(path)
    return load(path)


def learn(treebanks: Path, silver: Sequence[Example], labels: Sequence[str], path: Path) -> SpanScorer:
    """The student: some layers of MiniLM, on the teacher's trees and the treebanks."""
    if not path.exists():
        gum = [e for e in examples(treebanks, "gum", "train") if len(e.words) <= MAX_WORDS]
        craft = craft_samples(treebanks, CRAFT_STUDENT, STUDENT_EPOCHS)
        share = len(silver) // STUDENT_EPOCHS
        epochs = [[*gum, *more, *silver[i * share : (i + 1) * share]] for i, more in enumerate(craft)]
        vectors = ship(frequent_pieces(Counter(w for epoch in epochs for e in epoch for w in e.words)))
        part = path.with_suffix(".part")
        fit(pretrained(labels, vectors, STUDENT), epochs, part, held_out=examples(treebanks, "gum", "dev"), rate=1.5)
        part.rename(path)
    return load(path)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("tokens", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    weights, path = args.work / "teacher.pt", args.work / "silver.jsonl"
    teacher = teach(args.treebanks, weights)
    sentences = sample(args.tokens, SENTENCES)
    write_silver(partial(label, teacher), sentences, path, teacher=weights)
    silver = list(read_silver(path))
    student = learn(args.treebanks, silver, teacher.labels, args.work / "student.pt")
    folder = ASSETS / "chart"
    write_network(student, folder)
    held_out = examples(args.treebanks, "gum", "dev")
    print(f"difference to torch: {compare(student, folder, piece_vectors(), [e.words for e in held_out]):.3f}")
    record(
        "chart",
        kind="constituency parser",
        description="neural chart parser: encoder of 3 layers, scores of spans, labels",
        licence="CC BY-SA 4.0",
        sources=[*SOURCES, *CORPORA],
        command="python -m training.constituency TREEBANKS TOKENS --work DIR",
        path="chart",
        figures={
            "gum_dev_f1": {
                "teacher": round(accuracy(teacher, held_out).f1, 2),
                "student": round(accuracy(student, held_out).f1, 2),
            }
        },
    )


if __name__ == "__main__":
    main()
