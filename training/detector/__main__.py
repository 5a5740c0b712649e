"""Rebuild the shipped damage detectors: `python -m training.detector CORPORA DOWNLOADS --work DIR`.

DOWNLOADS holds MPNet, unpacked (README.md). Corpus sentences are parsed by the shipped pipeline once; damage is drawn
anew each time a sentence is used; no ratings are used. Training leaves checkpoints in DIR and resumes from the last
one. `--folder F` writes the network to F; a narrow or large one replaces the shipped one by default.

The weights of the wide detector are the mean of several runs, rounded to integers; then the layer of kinds is refitted,
and the rate of alarms calibrated. Finally, the directions in which its vectors vary most are
written. It does not ship: `training.reader.bodies` makes the shipped detector from it and from a reader.

`--fast` distils the narrow detector of the fast model from the wide one that ships (`training.detector.distillation`);
`--large` trains that of the large model.
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass
from pathlib import Path

import torch

from naturalness.models.detector import ASSET, FAST_ASSET, LARGE_ASSET, detector, open_network
from naturalness.models.pieces import piece_vectors
from training.arguments import command_parser
from training.detector.alarms import NARROW_WORDS_AN_ALARM, WORDS_AN_ALARM, calibrate
from training.detector.corpus import read_lines
from training.detector.directions import write_directions
from training.detector.distillation import Lessons, Student, distil, teacher_on
from training.detector.export import write
from training.detector.learning import Run, learn
from training.detector.mixture import Source
from training.detector.naming import name_anew
from training.detector.network import Body, averaged, begin_narrow, load, pretrained
from training.detector.quantisation import quantise
from training.detector.trees import source_of
from training.manifest import ASSETS, LARGE_ASSETS, record

SENTENCES = 160_000
MPNET = "all-mpnet-base-v2"


@dataclass(frozen=True, slots=True)
class Plan:
    """The training settings and the destination of a detector."""

    asset: str
    runs: tuple[Run, ...]
    """Independent runs, whose weights are averaged; a single run ends in integers."""
    layers: int = 6
    assets: Path = ASSETS


GENTLE = tuple(Run(400, 8e-5, whole=math.inf, seed=seed) for seed in (1, 2))
"""Few steps at a low rate, so that little of MPNet's knowledge is lost."""
WIDE = Plan(ASSET, (Run(1_600, 1e-4), *GENTLE))
NARROW = Plan(FAST_ASSET, (Run(11_100, 7e-4, 222, 0.5, decay=0.65, renews=True),))
LARGE = Plan(LARGE_ASSET, (Run(560, 5e-5, 150),), layers=12, assets=LARGE_ASSETS)
"""In a longer run, at three times the rate, correlation with ratings fell (README.md)."""


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "corpora", "downloads", work=True)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--fast", action="store_true", help="the narrow detector of the fast model")
    which.add_argument("--large", action="store_true", help="all twelve layers of MPNet, for the large model")
    parser.add_argument("--device", default="cpu", help="cpu or cuda, with --fast (cpu)")
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="with --fast: of training, before it is run again"
    )
    parser.add_argument("--folder", type=Path, help="for the files (fast, large: the shipped asset)")
    args = parser.parse_args()
    plan = NARROW if args.fast else LARGE if args.large else WIDE
    if plan is WIDE and args.folder is None:
        parser.error("the wide detector needs a --folder, since training.reader.bodies makes the one that ships")
    damage = source_of(args.corpora, args.work, SENTENCES)
    sentences = damage.sentences
    folder = args.folder or plan.assets / plan.asset
    model = (distilled if args.fast else trained)(damage, plan, args)
    if plan is WIDE:
        name_anew(quantise(model, damage), damage)
    export(model, folder, plan)
    if not args.large:
        words = NARROW_WORDS_AN_ALARM if args.fast else WORDS_AN_ALARM
        calibrate(model, open_network(folder), random.Random(0).sample(sentences, len(sentences)), words)
        export(model, folder, plan)
    write_directions(folder, damage)
    if args.folder is None:
        record(plan.asset, {"steps": [run.steps for run in plan.runs]}, folder=plan.assets)


def export(model: Body, folder: Path, plan: Plan) -> None:
    """Write all files except the directions."""
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    write(weights, folder, vocabulary=None if plan.asset == FAST_ASSET else model.vocabulary)


def trained(damage: Source, plan: Plan, args: argparse.Namespace) -> Body:
    """Carry out the runs of a plan, with checkpoints, and return the mean; that of a single run is in integers."""

    def new() -> Body:
        torch.manual_seed(0)  # the same heads to begin with, so that runs can be averaged
        return pretrained(args.downloads / MPNET, [*detector().network.pieces.rows], plan.layers)

    paths = [args.work / f"{plan.asset}-{number}.pt" for number in range(len(plan.runs))]
    bodies = [learn(new(), damage, one, run) for one, run in zip(paths, plan.runs, strict=True)]
    return averaged(bodies) if len(bodies) > 1 else bodies[0].round()


def distilled(damage: Source, plan: Plan, args: argparse.Namespace) -> Body:
    """Return the distilled narrow detector, in integers."""
    torch.manual_seed(0)
    vectors, path = piece_vectors(), args.work / f"{plan.asset}.pt"
    student = Student(vectors.vocabulary)
    begin_narrow(student, vectors)
    lessons = Lessons(read_lines(args.corpora), damage, vectors.vocabulary)
    teacher = teacher_on(vectors.vocabulary, args.downloads / MPNET).to(args.device)
    distil(student.to(args.device), teacher, lessons, path, plan.runs[0], args.seconds)
    return load(path).round()


if __name__ == "__main__":
    main()
