"""Rebuild the shipped damage detector.

`python -m training.detector SILVER --work DIR`: SILVER is the working folder of `training.english`,
which holds corpus sentences with tags and arcs. What ships is the mean of two networks that part
after a common beginning and come to their ends sooner and later: better on ratings than either.
Training leaves checkpoints in DIR and goes on from the last. `--folder F` writes the network to a
folder of its own and leaves the shipped one alone.
"""

from __future__ import annotations

import argparse
import gc
import shutil
from collections import Counter
from functools import partial
from pathlib import Path

import torch

from naturalness.models.detector import ASSET, KINDS
from naturalness.models.wordlist import load_wordlist
from training.detector.drafts import Sentence, read_sentences
from training.detector.export import difference, write
from training.detector.learning import fit
from training.detector.mixture import Source
from training.detector.network import Detector, load, pretrained
from training.encoder import HEADS, frequent_pieces
from training.manifest import ASSETS, CORPORA, MINILM, TREEBANKS, record

TRUNK = 2_000
"""Steps that all branches have in common, before the learning rate falls in any."""
BRANCHES = ((3_000, 2_500, 0.7), (3_800, 3_800, 0.3))
"""Steps of the schedule, steps that are taken, share in the mean."""
COMPARED = 300
"""Sentences on which the shipped file is compared with the network in torch."""


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("silver", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    parser.add_argument("--folder", type=Path, help="instead of the shipped asset")
    parser.add_argument("--export-only", action="store_true", help="the checkpoints as they are")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    shards = sorted(args.silver.glob("silver-?.jsonl"))
    if args.export_only:
        sentences = list(read_sentences(shards[:1]))
    else:
        sentences = list(read_sentences(shards))
        learn(sentences, args.work)
    model = mean_of_branches(args.work)
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    folder = args.folder or ASSETS / ASSET
    write(weights, folder, vocabulary=model.vocabulary, kinds=KINDS, heads=HEADS)
    apart = difference(model, folder, sentences[:COMPARED])
    print(f"largest difference to torch, in a probability: {apart:.3f}")
    if args.folder is None:
        record(
            ASSET,
            kind="damage detector",
            description="encoder of 6 layers: what is wrong with which word, and how sound it is",
            licence="CC BY-SA 4.0",
            sources=[MINILM, *TREEBANKS, *CORPORA],
            command="python -m training.detector SILVER --work DIR",
            path=ASSET,
            figures={"largest_difference_to_torch": round(apart, 4), "branches": BRANCHES},
        )


def learn(sentences: list[Sentence], work: Path) -> None:
    """Train on the sentences, damaged anew each time they are drawn."""
    source = Source.of(sentences)
    print(f"{len(sentences)} sentences")
    gc.freeze()  # two million words that stay: not to be looked through again and again
    vocabulary = frequent_pieces(Counter(dict(load_wordlist().counts)))
    after = partial(print, flush=True)
    trunk = work / "trunk.pt"
    fit(pretrained(vocabulary, drop=0.0), source, trunk, steps=BRANCHES[0][0], stop=TRUNK, after=after)
    for path, (steps, stop, _) in zip(paths(work), BRANCHES, strict=True):
        if not path.exists():
            shutil.copyfile(trunk, path)
        fit(Detector(vocabulary, drop=0.0), source, path, steps=steps, stop=stop, after=after)


def paths(work: Path) -> list[Path]:
    """Checkpoints of the branches."""
    return [work / f"branch-{i}.pt" for i in range(len(BRANCHES))]


def mean_of_branches(work: Path) -> Detector:
    """A network whose weights are means of those of the branches."""
    branches = [load(path) for path in paths(work)]
    mean = load(paths(work)[0])
    weights = [branch.state_dict() for branch in branches]
    shares = [share for _, _, share in BRANCHES]
    mean.load_state_dict(
        {name: sum(share * branch[name] for share, branch in zip(shares, weights, strict=True)) for name in weights[0]}
    )
    return mean


if __name__ == "__main__":
    main()
