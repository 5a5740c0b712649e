"""Write the detector's columns of rated texts: `python -m training.reader.columns DETECTOR RATINGS MPNET --work DIR`.

A linear model must not learn from better columns than it will read later, so the columns of each text come from a body
that never saw its family: the mean of DETECTOR, trained on damage alone, and of the reader of the text's fold
(``DIR/six-fold-K.npz``), in floats, with the shipped detector's heads for words and soundness, the shipped directions,
and the reader's rating head. Over texts that trained no reader, each column has the mean of the shipped detector's:
otherwise a sigmoid that is fitted to columns of folds would be wrong for those of the shipped detector.
``training/reader/columns.npz`` has them by the hash of each text, as 16-bit floats; `training.default_model` and
`training.prose` read it. Sets that taught no reader are read by the shipped detector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import relu

from naturalness.features.detector import MEASURES, DetectorFeatures
from naturalness.files.resources import file_checksum, load_manifest, short_checksum
from naturalness.models.detector import ASSET, Detector, detector
from naturalness.text.parsing import short_memory, tokenise
from training.arguments import command_parser
from training.default_model.measure import sampled
from training.default_model.sets import SETS, key_of, read_named
from training.detector.distillation import teacher_on
from training.reader.bodies import average, read_reader, scale_of, standardise
from training.reader.folds import COLUMNS, FOLDS, WIDE
from training.reader.learning import Reader
from training.reader.rated import FOLD, texts_never_taught

TOGETHER = 256
"""Texts that are measured at a time."""


@dataclass(frozen=True)
class Session:
    """A reader in place of the network in a detector's file."""

    reader: Reader

    @torch.no_grad()
    def run(self, outputs: Sequence[str], inputs: dict[str, Any]) -> list[NDArray[np.float32]]:
        """Return the named outputs for texts with equal numbers of pieces."""
        body, device = self.reader.body, self.reader.r.weight.device
        ids = torch.tensor(inputs["ids"], device=device)
        mask = torch.ones_like(ids, dtype=torch.bool)
        with torch.autocast(device.type, torch.bfloat16):
            states = body.states(ids, mask)[-1].float()
        kinds, sound = body.judged(states, mask)
        rating = self.reader.r(relu(self.reader.p(body.summary(states, mask))))
        named = {"kinds": kinds, "sound": sound[:, None], "rating": rating, "states": states}
        return [named[name].cpu().numpy() for name in outputs]


def detector_of(reader: Reader, name: str) -> Detector:
    """Return a reader as a detector whose results are stored under a name."""
    network: Any = replace(detector().network, session=Session(reader))
    return Detector(name, network)


def measure_columns(texts: Sequence[str], judge: Detector) -> NDArray[np.float32]:
    """Return the columns of the three groups for each text; NaN where it cannot be judged."""
    width = [len(DetectorFeatures(group).features) for group in WIDE]
    table = np.full((len(texts), sum(width)), np.nan, np.float32)
    ends = np.cumsum(width)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    for at in range(0, len(order), TOGETHER):
        some = order[at : at + TOGETHER]
        with short_memory():
            docs = list(tokenise([texts[i] for i in some]))
            for group, first, end in zip(WIDE, ends - width, ends, strict=True):
                for i, row in zip(some, MEASURES[group](docs, judge), strict=True):
                    if row is not None:
                        table[i, first:end] = row
    return table


def levelled(
    columns: NDArray[np.float32], own: NDArray[np.float32], shipped: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return columns at the shipped detector's level, given both detectors' columns of the same other texts."""
    moved: NDArray[np.float32] = columns + (np.nanmean(shipped, axis=0) - np.nanmean(own, axis=0))
    return moved


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "detector", "ratings", "mpnet", work=True)
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    args = parser.parse_args()
    never, assets = texts_never_taught(args.ratings), load_manifest()[ASSET].checksum
    by_shipped = measure_columns(never, detector())
    vocabulary = list(detector().network.pieces.rows)
    untaught, shipped = (teacher_on(vocabulary, args.mpnet, folder) for folder in (args.detector, None))
    columns: dict[int, NDArray[np.float16]] = {}
    for k, families in enumerate(FOLDS):
        sets = [name for name, one in SETS.items() if one.family in families]
        texts = sorted({text for name in sets for text in sampled(read_named(args.ratings, name), name).texts})
        weights = args.work / f"{FOLD.format(k)}.npz"
        path = args.work / f"columns-{k}-{short_checksum([assets, file_checksum(weights), *texts])}.npy"
        if not path.exists():
            reader = average(read_reader(weights, args.mpnet), untaught, shipped).to(args.device)
            print(f"fold {k}: {len(texts):,} texts", flush=True)
            standardise(reader, *scale_of(detector_of(reader, f"fold-{k} as trained"), never))
            judge = detector_of(reader, f"fold-{k}")
            both = measure_columns([*texts, *never], judge)
            np.save(path, levelled(both[: len(texts)], both[len(texts) :], by_shipped).astype(np.float16))
        for text, row in zip(texts, np.load(path), strict=True):
            columns.setdefault(key_of(text), row)  # each reader hides the texts of its fold in all sets
    np.savez_compressed(COLUMNS, keys=np.array([*columns], np.uint64), columns=np.stack([*columns.values()]))


if __name__ == "__main__":
    main()
