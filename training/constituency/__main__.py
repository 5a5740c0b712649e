"""Rebuild the shipped parser: `python -m training.constituency TREEBANKS`.

The parser reads the vectors of the shipped detector, whose weights stay fixed, and is trained only on gold trees.
"""

from __future__ import annotations

import random
from pathlib import Path

import torch

from naturalness.files.resources import file_checksum, locate
from naturalness.models.detector import ASSET as DETECTOR
from naturalness.models.detector import NETWORK, detector
from training.arguments import command_parser
from training.constituency.batches import Body
from training.constituency.examples import Example, example, label_set
from training.constituency.learning import fit
from training.constituency.network import SpanScorer
from training.constituency.package import write_network
from training.constituency.treebank import training_trees
from training.manifest import ASSETS, record

ASSET = "chart"
EPOCHS = 12
CRAFT = 3_500
"""Sentences of the biomedical treebank per epoch: it is large, gold, and of one kind."""
MAX_WORDS_CRAFT, MAX_WORDS = 45, 80


def examples(treebanks: Path, name: str, split: str) -> list[Example]:
    """Return the examples of a treebank, labelled with its style."""
    style = ("gum", "craft").index(name)
    trees = training_trees(treebanks, name, split)
    return [example(tree.root, tree.words, tree.tags, style) for tree in trees]


def craft_samples(treebanks: Path, size: int, epochs: int) -> list[list[Example]]:
    """Return a different sample of the biomedical treebank for each epoch."""
    whole = [e for e in examples(treebanks, "craft", "train") if 3 <= len(e.words) <= MAX_WORDS_CRAFT]
    rng = random.Random(1)
    return [rng.sample(whole, size) for _ in range(epochs)]


def learn(body: Body, treebanks: Path) -> SpanScorer:
    """Train the network that reads the body's vectors on the treebanks."""
    torch.manual_seed(0)
    gum = [e for e in examples(treebanks, "gum", "train") if len(e.words) <= MAX_WORDS and body.fits(e.words)]
    craft = [[e for e in more if body.fits(e.words)] for more in craft_samples(treebanks, CRAFT, EPOCHS)]
    model = SpanScorer(label_set([*gum, *examples(treebanks, "craft", "train")]), body.width)
    return fit(model, body, [gum + more for more in craft])


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "treebanks").parse_args()
    write_network(learn(Body(detector().network), args.treebanks), ASSETS / ASSET)
    record(ASSET, {"body": file_checksum(locate(DETECTOR) / NETWORK)[:12]})


if __name__ == "__main__":
    main()
