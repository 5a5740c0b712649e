"""Write a reader as a detector's files: `python -m training.reader.export PREPARED TREES NAME FOLDER --work DIR`.

NAME is ``six_whole`` or another reader in whole numbers, TREES the parsed sentences of its training. Alarms are
calibrated as those of the shipped detector.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from naturalness.models.detector import KINDS, NETWORK, open_network
from naturalness.models.networks import Session
from training.detector.alarms import calibrate
from training.detector.export import write
from training.detector.trees import read_trees
from training.onnx_graph import Floats
from training.reader.__main__ import vocabulary_of
from training.reader.assemble import rebuilt
from training.reader.batches import IGNORED, Rows, read_data
from training.reader.network import Reader, arrays_of

COMPARED = 200
"""Rated texts on which the file is compared with the reader in torch."""


def weights_of(reader: Reader) -> dict[str, Floats]:
    """Return the weights under the names of a detector; those of the rating head keep theirs."""
    return {name.removeprefix("body."): values for name, values in arrays_of(reader).items()}


@torch.no_grad()
def differences(reader: Reader, folder: Path, rows: Rows, chosen: Sequence[int]) -> dict[str, float]:
    """Return by output the largest difference between file and torch, and how ratings correlate.

    That of kinds is of a word's probability.
    """
    session = Session(folder / NETWORK)
    names = [name for name in ("kinds", "sound", "rating") if name in session.outputs]
    largest = dict.fromkeys(names, 0.0)
    ratings = []
    for i in chosen:
        ids, mask, targets = rows.batch(torch.tensor([i]), int(rows.n_pieces[i]))
        said, words = reader(ids, mask), (targets != IGNORED).numpy()
        mine = {"kinds": said.kinds.softmax(-1), "sound": said.sound, "rating": said.rating}
        theirs = dict(zip(names, session.run(names, {"ids": ids.tolist()}), strict=True))
        theirs["kinds"] = torch.from_numpy(theirs["kinds"]).softmax(-1).numpy()[words]
        mine["kinds"] = mine["kinds"][words]
        for name in names:
            off = np.abs(mine[name].numpy().ravel() - theirs[name].ravel()).max()
            largest[name] = max(largest[name], float(off))
        if "rating" in names:
            ratings.append((float(said.rating), float(theirs["rating"].ravel()[0])))
    if ratings:
        largest["correlation of ratings"] = float(np.corrcoef(np.array(ratings).T)[0, 1])
    return largest


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("trees", type=Path)
    parser.add_argument("name")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="of the training")
    args = parser.parse_args()
    reader, vocabulary = rebuilt(args.prepared, args.work, args.name, len(KINDS)), vocabulary_of(None)
    write(weights_of(reader), args.folder, vocabulary=vocabulary)
    sentences = list(read_trees(args.trees))
    before = float(reader.body.kinds.bias.detach()[0])
    calibrate(reader.body, open_network(args.folder), random.Random(0).sample(sentences, len(sentences)))
    print(f"the bias of sound moves by {float(reader.body.kinds.bias.detach()[0]) - before:.3f}", flush=True)
    write(weights_of(reader), args.folder, vocabulary=vocabulary)
    about = json.loads((args.prepared / "about.json").read_text(encoding="utf-8"))
    texts = read_data(args.prepared, about, torch.device("cpu")).texts
    chosen = np.random.default_rng(0).choice(len(texts.n_pieces), COMPARED, replace=False).tolist()
    apart = differences(reader, args.folder, texts, chosen)
    print("largest differences to torch: " + ", ".join(f"{name} {value:.4f}" for name, value in apart.items()))


if __name__ == "__main__":
    main()
