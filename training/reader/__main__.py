"""Train readers: `python -m training.reader RATINGS CORPORA MPNET --work DIR [--device D] [--seconds N] [--fixed L]`.

MPNET is the unpacked folder all-mpnet-base-v2. Trains ``six`` (six layers, the mean of two trainings' weights) and one
reader for each fold, without the fold's families; ``DIR/NAME.npz`` has the weights. A reader whose file is there is not
trained again, and no training begins if it would probably end after N seconds. With ``--fixed``, the lowest L layers
stay as MPNet has them, and their vectors of the rated texts are computed once: slower machines need it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch.optim.swa_utils import AveragedModel

from naturalness.models.detector import detector
from training.arguments import command_parser
from training.detector.network import pretrained
from training.detector.trees import source_of
from training.reader.folds import FOLDS
from training.reader.learning import Reader, Run, learn, rows_of
from training.reader.rated import FOLD, WHOLE, read_rated

SEEDS = 2
LINES = 250_000
"""Lines of the corpora that are parsed; sentences of 4 to 36 words stay."""
SIX = Run(damage=4, damage_weight=1.5)
SMALL = Run(160, pieces=3_000, damage_pieces=1_000)
"""A run with fixed layers."""


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "ratings", "corpora", "mpnet", work=True)
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="time limit of this run")
    parser.add_argument("--fixed", type=int, default=0, help="number of layers that stay as they are (0)")
    args = parser.parse_args()
    started, longest = time.monotonic(), 0.0
    data, source = read_rated(args.ratings), source_of(args.corpora, args.work, LINES)
    vocabulary = list(detector().network.pieces.rows)

    def new() -> Reader:
        torch.manual_seed(0)
        return Reader(pretrained(args.mpnet, vocabulary), args.fixed).to(args.device)

    rows = rows_of(new(), data, args.work / f"after-{args.fixed}.npy")

    def trained(run: Run, without: Collection[str] = ()) -> Reader:
        reader = new()
        learn(reader, data, rows, source, run, without=without)
        return reader

    def whole() -> Reader:
        """Return the mean of readers that began alike (Wortsman et al. 2022)."""
        mean = AveragedModel(new())
        for seed in range(SEEDS):
            mean.update_parameters(trained(replace(SMALL if args.fixed else SIX, seed=seed)))
        reader: Reader = mean.module
        return reader

    run = SMALL if args.fixed else Run()
    readers: dict[str, Callable[[], Reader]] = {WHOLE: whole}
    readers |= {FOLD.format(k): partial(trained, run, families) for k, families in enumerate(FOLDS)}
    for name, train in readers.items():
        path, began = args.work / f"{name}.npz", time.monotonic()
        if path.exists():
            continue
        if began - started + longest > args.seconds:
            raise SystemExit(f"no time is left for {name}; run the same command to continue")
        print(name, flush=True)
        reader = train()
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, **reader.weights())
        part.rename(path)
        longest = max(longest, time.monotonic() - began)


if __name__ == "__main__":
    main()
