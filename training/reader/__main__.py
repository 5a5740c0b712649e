"""Train readers: `python -m training.reader RATINGS CORPORA MPNET --work DIR [--device cuda]`.

MPNET is the unpacked folder all-mpnet-base-v2. Prepares what is not there yet in ``DIR/prepared``
(`training.reader.prepare`), then trains ``six`` (six layers, the mean of two trainings' weights) and one reader for
each fold of families, which it never saw. ``DIR/answers.npz`` gets what each of them says of every rated text, as soon
as it is there; a reader that has answered is not trained again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from naturalness.models.detector import detector
from training.arguments import command_parser
from training.detector.network import pretrained
from training.reader.answers import ANSWERS, FOLD, WHOLE, read_answers
from training.reader.batches import read_damage, read_rated
from training.reader.learning import Learner, Run, learn, rate_all
from training.reader.network import Reader, averaged
from training.reader.prepare import LINES, PAIRS, prepare

LAYERS, SEEDS = 6, 2
SIX = Run(damage=4, damage_weight=1.5)
"""Of each of the trainings whose mean speaks of texts that teach nothing; a reader of a fold has the usual `Run`."""


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "ratings", "corpora", "mpnet")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    parser.add_argument("--half", action="store_true", help="products in sixteen bits on a CPU too, as on a GPU")
    parser.add_argument("--steps", type=int, default=Run().steps, help=f"of each training ({Run().steps})")
    parser.add_argument(
        "--pieces", type=int, default=Run().pieces, help="of a batch (24,000; on a CPU 1,600 over more steps)"
    )
    parser.add_argument("--lines", type=int, default=LINES, help=f"of the corpora that are parsed ({LINES:,})")
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"under damage ({PAIRS:,})")
    args = parser.parse_args()
    vocabulary, folder = list(detector().network.pieces.rows), args.work / "prepared"
    prepare(args.ratings, args.corpora, folder, vocabulary, args.work / "trees.jsonl", args.lines, args.pairs)
    device = torch.device(args.device)
    half = args.half or device.type == "cuda"
    rated, damage = read_rated(folder, device), read_damage(folder, device)
    torch.manual_seed(0)
    begun = Reader(pretrained(args.mpnet, vocabulary, LAYERS)).to(device)
    start = {name: x.detach().clone() for name, x in begun.state_dict().items()}

    def trained(run: Run, without: Collection[str] = ()) -> dict[str, Tensor]:
        begun.load_state_dict(start)
        run = replace(run, steps=args.steps, pieces=args.pieces)
        learn(Learner(begun, run, rated, damage, half=half), partial(print, flush=True), without=without)
        return {name: x.detach().clone() for name, x in begun.state_dict().items()}

    def whole() -> dict[str, Tensor]:
        return averaged([trained(replace(SIX, seed=seed)) for seed in range(SEEDS)])

    readers: dict[str, Callable[[], dict[str, Tensor]]] = {WHOLE: whole}
    readers |= {FOLD.format(k): partial(trained, Run(), families) for k, families in enumerate(rated.folds)}
    answers = read_answers(args.work) if (args.work / ANSWERS).exists() else {"keys": rated.keys[: rated.n]}
    for name, train in readers.items():
        if name in answers:
            continue
        print(name, flush=True)
        begun.load_state_dict(train())
        answers[name] = rate_all(begun, rated, half=half).astype(np.float16)
        np.savez_compressed(args.work / ANSWERS, **answers)


if __name__ == "__main__":
    main()
