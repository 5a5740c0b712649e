"""Train readers: `python -m training.reader RATINGS CORPORA MPNET --work DIR [--device cuda]`.

MPNET is the unpacked folder all-mpnet-base-v2. Trains ``six`` (six layers, the mean of two trainings' weights) and one
reader for each fold, without the fold's families. After each training, the reader's ratings of all texts are added to
``DIR/answers.npz``; readers in this file are not trained again.
"""

from __future__ import annotations

import copy
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
from training.reader.learning import Reader, Run, learn, rate_all
from training.reader.rated import ANSWERS, FOLD, FOLDS, WHOLE, read_rated

LAYERS, SEEDS = 6, 2
LINES = 250_000
"""Lines of the corpora that are parsed; sentences of 4 to 36 words stay."""
SIX = Run(damage=4, damage_weight=1.5)
"""Each of the trainings that are averaged; readers of folds have the default `Run`."""


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "mpnet", work=True)
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    args = parser.parse_args()
    data, source = read_rated(args.ratings), source_of(args.corpora, args.work, LINES)
    torch.manual_seed(0)
    start = Reader(pretrained(args.mpnet, list(detector().network.pieces.rows), LAYERS)).to(args.device)

    def trained(run: Run, without: Collection[str] = ()) -> Reader:
        reader = copy.deepcopy(start)
        learn(reader, data, source, run, without=without)
        return reader

    def whole() -> Reader:
        """Return the mean of readers with the same initialisation (Wortsman et al. 2022)."""
        mean = AveragedModel(start)
        for seed in range(SEEDS):
            mean.update_parameters(trained(replace(SIX, seed=seed)))
        reader: Reader = mean.module
        return reader.eval()

    readers: dict[str, Callable[[], Reader]] = {WHOLE: whole}
    readers |= {FOLD.format(k): partial(trained, Run(), families) for k, families in enumerate(FOLDS)}
    path = args.work / ANSWERS
    answers = dict(np.load(path)) if path.exists() else {"keys": data.keys}
    for name, reader in readers.items():
        if name not in answers:
            print(name, flush=True)
            answers[name] = rate_all(reader(), data.texts)
            np.savez_compressed(path, **answers)


if __name__ == "__main__":
    main()
