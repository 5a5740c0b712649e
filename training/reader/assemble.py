"""Rebuild a stored reader: `python -m training.reader.assemble PREPARED WORK NAME OUT.npz`.

NAME is ``six``, ``six_whole``, ``twelve``, ``twelve_whole`` or ``narrow_whole``. OUT gets float32 arrays under the
names of `training.reader.network.Reader`; those in whole numbers come with the ``step`` of each row, and their tables
are in four bits.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

from training.reader import packed
from training.reader.network import rounded_blocks

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


def main() -> None:
    """Command line."""
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    prepared, work, name, out = sys.argv[1:]
    state = assembled(Path(prepared), Path(work), name)
    np.savez(out, **state)
    print(f"{len(state)} arrays, {sum(x.size for x in state.values()):,} numbers")


if __name__ == "__main__":
    main()
