"""Rebuild the shipped damage detectors: `python -m training.detector CORPORA DOWNLOADS --work DIR`.

DOWNLOADS holds MPNet, unpacked (README.md). Corpus sentences are parsed by the shipped pipeline once; damage is drawn
anew each time a sentence is used; no ratings are used. Training leaves checkpoints in DIR and resumes from the last
one. `--folder F` writes the network to F; a narrow one replaces the shipped one by default.

The weights of the wide detector are the mean of several runs, rounded to integers; then the layer of kinds is refitted,
and the rate of alarms calibrated. Finally, the directions in which its vectors vary most are written. It does not ship:
`training.reader.bodies` makes the shipped detector from it and from a reader.

`--fast` distils the narrow detector of the fast model from the wide one that ships (`training.detector.distillation`).
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Sequence
from pathlib import Path

import torch

from naturalness.models.detector import ASSET, FAST_ASSET, detector, open_network
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
from training.manifest import ASSETS, record

SENTENCES = 160_000
MPNET = "all-mpnet-base-v2"


GENTLE = tuple(Run(400, 8e-5, whole=math.inf, seed=seed) for seed in (1, 2))
"""Few steps at a low rate, so that little of MPNet's knowledge is lost."""
WIDE = (Run(1_600, 1e-4), *GENTLE)
"""Independent runs, whose weights are averaged."""
NARROW = Run(11_100, 7e-4, 222, 0.5, decay=0.65, renews=True)
"""It ends in integers."""


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "corpora", "downloads", work=True)
    parser.add_argument("--fast", action="store_true", help="the narrow detector of the fast model")
    parser.add_argument("--device", default="cpu", help="cpu or cuda, with --fast (cpu)")
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="with --fast: of training, before it is run again"
    )
    parser.add_argument("--folder", type=Path, help="for the files (fast: the shipped asset)")
    args = parser.parse_args()
    if not args.fast and args.folder is None:
        parser.error("the wide detector needs a --folder, since training.reader.bodies makes the one that ships")
    damage = source_of(args.corpora, args.work, SENTENCES)
    sentences = damage.sentences
    folder = args.folder or ASSETS / FAST_ASSET
    model = (distilled if args.fast else trained)(damage, args)
    if not args.fast:
        name_anew(quantise(model, damage), damage)
    vocabulary = None if args.fast else model.vocabulary
    export(model, folder, vocabulary)
    words = NARROW_WORDS_AN_ALARM if args.fast else WORDS_AN_ALARM
    calibrate(model, open_network(folder), random.Random(0).sample(sentences, len(sentences)), words)
    export(model, folder, vocabulary)
    write_directions(folder, damage)
    if args.folder is None:
        record(FAST_ASSET, {"steps": [NARROW.steps]})


def export(model: Body, folder: Path, vocabulary: Sequence[str] | None) -> None:
    """Write all files except the directions."""
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    write(weights, folder, vocabulary=vocabulary)


def trained(damage: Source, args: argparse.Namespace) -> Body:
    """Carry out the runs of the wide detector, with checkpoints, and return the mean."""

    def new() -> Body:
        torch.manual_seed(0)  # the same heads to begin with, so that runs can be averaged
        return pretrained(args.downloads / MPNET, [*detector().network.pieces.rows])

    paths = [args.work / f"{ASSET}-{number}.pt" for number in range(len(WIDE))]
    return averaged([learn(new(), damage, one, run) for one, run in zip(paths, WIDE, strict=True)])


def distilled(damage: Source, args: argparse.Namespace) -> Body:
    """Return the distilled narrow detector, in integers."""
    torch.manual_seed(0)
    vectors, path = piece_vectors(), args.work / f"{FAST_ASSET}.pt"
    student = Student(vectors.vocabulary)
    begin_narrow(student, vectors)
    lessons = Lessons(read_lines(args.corpora), damage, vectors.vocabulary)
    teacher = teacher_on(vectors.vocabulary, args.downloads / MPNET).to(args.device)
    distil(student.to(args.device), teacher, lessons, path, NARROW, args.seconds)
    return load(path).round()


if __name__ == "__main__":
    main()
