"""What readers said of each rated text, in few bits: needs numpy alone.

``answers.npz`` of a training has float16 numbers; ``answers.npz.xz`` of the repository has whole numbers of a
``step`` each, and the keys of the texts (`training.reader.prepare.key_of`) in order.

`python -m training.reader.answers WORK FOLDER NAME ...` writes what these readers said for the repository.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from training.reader import packed
from training.reader.packed import Array

PARTS = ("rating", "sound", "damage")
STORED, TRAINED = "answers.npz.xz", "answers.npz"
STEPS_OF_A_DEVIATION = {"rating": 64, "sound": 64, "damage": 256}
"""Most texts have little damage: what sets them apart is small beside its deviation."""


def in_steps(answers: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
    """Return what these readers said in whole numbers, in the order of the keys."""
    order = np.argsort(answers["keys"])
    stored = {"keys": answers["keys"][order]}
    for name in names:
        for part in PARTS:
            values = answers[f"{name}|{part}"][order].astype(np.float32)
            step = np.float32(values.std() / STEPS_OF_A_DEVIATION[part])
            whole = np.rint(values / step).astype(np.int16)
            high, low = (whole >> 8).astype(np.int8), (whole & 255).astype(np.uint8)
            stored |= {f"high|{name}|{part}": high, f"low|{name}|{part}": low, f"step|{name}|{part}": step}
    return stored


def read_answers(folder: Path) -> dict[str, Array]:
    """Return ``keys`` and, as ``NAME|PART``, what each reader said."""
    if (folder / TRAINED).exists():
        with np.load(folder / TRAINED, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    stored = packed.read(folder / STORED)
    answers = {"keys": stored["keys"]}
    for key in stored:
        kind, _, name = key.partition("|")
        if kind == "high":
            whole = stored[key].astype(np.int16) * 256 + stored[f"low|{name}"]
            answers[name] = (whole * stored[f"step|{name}"]).astype(np.float32)
    return answers


def of_keys(answers: Mapping[str, Array], keys: Array) -> dict[str, Array]:
    """Return the answers in the order of these keys; `KeyError` for a text that no reader has read."""
    order = np.argsort(answers["keys"])
    known = answers["keys"][order]
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    if (known[at] != keys).any():
        raise KeyError(f"{int((known[at] != keys).sum())} texts that no reader has read")
    return {name: values[order[at]] for name, values in answers.items()}


def main() -> None:
    """Command line."""
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    work, folder, *names = sys.argv[1:]
    path = Path(folder) / STORED
    packed.write(path, in_steps(read_answers(Path(work)), names), packed.LITERALS)
    print(f"{path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
