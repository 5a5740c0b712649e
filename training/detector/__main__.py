"""Rebuild the shipped damage detector.

`python -m training.detector SILVER --work DIR`: SILVER is the working folder of `training.english`,
which holds corpus sentences with tags and arcs. Training leaves checkpoints in DIR and goes on from
the last one; with another number of steps it goes on longer, or comes to its end sooner.
`--folder F` writes the network to a folder of its own and leaves the shipped one alone.
"""

from __future__ import annotations

import argparse
import gc
from collections import Counter
from pathlib import Path

import torch

from naturalness.models.detector import ASSET
from naturalness.models.wordlist import load_wordlist
from training.detector.drafts import KINDS, Sentence, read_sentences
from training.detector.export import difference, write
from training.detector.learning import fit
from training.detector.mixture import Source
from training.detector.network import Detector, load, pretrained
from training.encoder import HEADS, frequent_pieces
from training.manifest import ASSETS, CORPORA, TREEBANKS, record

STEPS = 5_000
COMPARED = 300
"""Sentences on which the shipped file is compared with the network in torch."""
MINILM = {"name": "MiniLM-L6 (initial weights)", "licence": "Apache-2.0"}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("silver", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS, help=f"batches ({STEPS})")
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    parser.add_argument("--folder", type=Path, help="instead of the shipped asset")
    parser.add_argument("--export-only", action="store_true", help="the last checkpoint")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    path = given.work / "detector.pt"
    shards = sorted(given.silver.glob("silver-?.jsonl"))
    if given.export_only:
        model, sentences = load(path), list(read_sentences(shards[:1]))
    else:
        sentences = list(read_sentences(shards))
        model = learn(sentences, path, given.steps)
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    folder = given.folder or ASSETS / ASSET
    write(weights, folder, vocabulary=model.vocabulary, kinds=KINDS, heads=HEADS)
    apart = difference(model, folder, sentences[:COMPARED])
    print(f"largest difference to torch, in a probability: {apart:.3f}")
    if given.folder is None:
        record(
            ASSET,
            kind="damage detector",
            description="encoder of 6 layers: what is wrong with which word, and how sound it is",
            licence="CC BY-SA 4.0",
            sources=[MINILM, *TREEBANKS, *CORPORA],
            command="python -m training.detector SILVER --work DIR",
            path=ASSET,
            figures={"largest_difference_to_torch": round(apart, 4), "steps": given.steps},
        )


def learn(sentences: list[Sentence], path: Path, steps: int) -> Detector:
    """Train on the sentences, damaged anew each time they are drawn."""
    source = Source.of(sentences)
    print(f"{len(sentences)} sentences")
    gc.freeze()  # two million words that stay: not to be looked through again and again
    vocabulary = frequent_pieces(Counter(dict(load_wordlist().counts)))
    model = pretrained(vocabulary, drop=0.0)
    return fit(model, source, path, steps=steps, after=lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
