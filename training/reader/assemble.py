"""Rebuild a stored reader: `python -m training.reader.assemble PREPARED NAME OUT.npz --work DIR`.

DIR is the work of a training. PREPARED holds MPNet's table of pieces, which no training changes, and its layers, to
which weights in floats are differences (`python -m training.reader --prepare-only`).

NAME is ``six``, ``six_whole``, ``twelve``, ``twelve_whole`` or ``narrow_whole``. OUT gets float32 arrays under the
names of `training.reader.network.Reader`; those in whole numbers come with the ``step`` of each row, and their tables
are in four bits.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from training.reader import packed
from training.reader.network import Linear, Reader, Shape, new_reader, rounded_blocks

TABLES = (packed.TABLE, "body.positions.weight")


def assembled(prepared: Path, work: Path, name: str) -> dict[str, np.ndarray]:
    """Return the weights of a stored reader."""
    stored = packed.read_all(packed.parts_of(work, name))
    if not stored:
        raise FileNotFoundError(f"no {name}.*.npz.xz in {work}")
    layers = {key.split(".layers.")[1].split(".")[0] for key in stored if ".layers." in key}
    is_whole = any(key.startswith("four|") for key in stored)
    if name.startswith("narrow"):
        start = packed.restored(packed.read(prepared / "narrow.npz.xz"))
    else:
        names = ["begin"] if is_whole else ["begin", *(f"layer-{int(i):02}" for i in layers)]
        start = packed.restored(packed.read_all([prepared / f"{file}.npz.xz" for file in names]))
    state = packed.restored(stored, start)
    state[packed.TABLE] = start[packed.TABLE]
    if is_whole:
        for table in TABLES:
            state[table] = rounded_blocks(torch.from_numpy(start[table])).numpy()
    return state


def rebuilt(prepared: Path, work: Path, name: str, kinds: int) -> Reader:
    """Return a stored reader, computing as it was trained last."""
    state = assembled(prepared, work, name)
    layers = len({key.split(".layers.")[1].split(".")[0] for key in state if ".layers." in key})
    feed_forward, width = state["body.layers.0.wide.weight"].shape
    reader = new_reader(state, kinds, Shape(layers, width, feed_forward))
    if name.endswith("_whole"):
        for module in reader.modules():
            if isinstance(module, Linear):
                module.in_whole_numbers = True
    return reader.eval()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("name")
    parser.add_argument("out", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="of the training")
    args = parser.parse_args()
    state = assembled(args.prepared, args.work, args.name)
    np.savez(args.out, **state)
    print(f"{len(state)} arrays, {sum(x.size for x in state.values()):,} numbers")


if __name__ == "__main__":
    main()
