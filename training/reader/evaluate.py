"""What trained readers are worth: `python -m training.reader.evaluate PREPARED WORK [--out FILE] [--rebuild NAME ...]`.

From ``answers.npz`` of a training: correlations of each set with the number of the reader that
never saw its family. ``--out`` writes these numbers for each text: ``keys`` (the first eight bytes of its SHA-256),
``folds`` (-1: no fold), and for each kind of reader its rating, in deviations over texts that teach no reader (GUG,
CoLA), soundness and damage. ``--rebuild`` unpacks stored weights, compares what they say with what was written down in
training, and measures marks on held-out damage.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.reader.assemble import rebuilt
from training.reader.batches import Data, read_data
from training.reader.measuring import Said, correlations, marks, read_rows, shown, spearman
from training.reader.packed import Array

SIX_SETS = ("GUG", "Lau BNC", "style transfer", "SFHOTEL", "SFREST", "Topical-Chat")
OTHERS = ("SummEval", "Newsroom", "E2E", "CoLA")
NEVER_TAUGHT = ("GUG", "CoLA")
WHOLE = {
    "six": ("six_whole", "six"),
    "twelve": ("twelve_whole", "twelve"),
    "narrow": ("narrow",),
    "licensed": ("licensed-fold-0",),
}
"""Kinds of readers, and the one that speaks of texts in no fold: the first that is there."""

Answers = Mapping[str, NDArray[np.floating]]


def said_by(answers: Answers, name: str) -> Said:
    """Return what a reader said, its rating in deviations over texts that teach no reader."""
    return Said(*(answers[f"{name}|{part}"].astype(np.float32) for part in ("rating", "sound", "damage")))


def fold_of_families(data: Data) -> dict[str, int]:
    """Return the fold in which each family leaves."""
    return {family: k for k, families in enumerate(data.folds) for family in families}


def never_taught(data: Data) -> NDArray[np.int64]:
    """Return the rows of texts that teach no reader."""
    return np.unique(np.concatenate([one.rows for one in data.sets if one.name in NEVER_TAUGHT]))


def standard(rating: NDArray[np.floating], data: Data) -> NDArray[np.float32]:
    """Return ratings in deviations over texts that teach no reader."""
    rows = never_taught(data)
    there: NDArray[np.float32] = ((rating - rating[rows].mean()) / rating[rows].std()).astype(np.float32)
    return there


def left_out(data: Data, answers: Answers, which: str) -> dict[str, tuple[float, float, float]]:
    """Return correlations of each set with the reader that never saw its family."""
    folds = fold_of_families(data)
    known: dict[str, tuple[float, float, float]] = {}
    whole = next((name for name in WHOLE[which] if f"{name}|rating" in answers), None)
    for one in data.sets:
        fold = folds.get(one.family)
        name = whole if fold is None else f"{which}-fold-{fold}"
        if name is not None and f"{name}|rating" in answers:
            known |= correlations(data, said_by(answers, name), (one.name,))
    return known


def cross_fitted(data: Data, answers: Answers, which: str) -> dict[str, NDArray[np.generic]] | None:
    """Return each text's numbers by the reader that never saw its family; None where a fold is missing."""
    folds = fold_of_families(data)
    n = len(answers["keys"])
    of_text = np.full(n, -1, np.int8)
    for one in data.sets:
        if one.family in folds:
            of_text[one.rows] = folds[one.family]
    names = {k: f"{which}-fold-{k}" for k in range(len(data.folds))}
    whole = next((name for name in WHOLE[which] if f"{name}|rating" in answers), None)
    if whole is not None:
        names[-1] = whole
    columns = {part: np.full(n, np.nan, np.float32) for part in ("rating", "sound", "damage")}
    for fold, name in names.items():
        if f"{name}|rating" not in answers:
            return None
        said, inside = said_by(answers, name), of_text == fold
        columns["rating"][inside] = standard(said.rating, data)[inside]
        columns["sound"][inside], columns["damage"][inside] = said.sound[inside], said.damage[inside]
    return {"folds": of_text, **{f"{which}|{part}": values for part, values in columns.items()}}


def read_answers(work: Path) -> dict[str, Array]:
    """Return ``keys`` and, as ``NAME|PART``, what each reader of a training said of each rated text."""
    with np.load(work / "answers.npz", allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rebuild", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--texts", type=int, default=300, help="on which a rebuilt reader is compared (300)")
    parser.add_argument("--pairs", type=int, default=300, help="of held-out damage that it marks (300)")
    args = parser.parse_args()
    about = json.loads((args.prepared / "about.json").read_text(encoding="utf-8"))
    data = read_data(args.prepared, about, torch.device("cpu"))
    answers = of_keys(read_answers(args.work), data.keys[: 1 + max(int(one.rows.max()) for one in data.sets)])
    print("Spearman, Pearson, Spearman of the damage to expect, by readers that never saw the family:")
    written: dict[str, NDArray[np.generic]] = {"keys": answers["keys"]}
    for which in WHOLE:
        figures = left_out(data, answers, which)
        if not figures:
            continue
        print(f"{which}: {shown(figures)}")
        means = [
            np.mean([figures[n][k] for n in names])
            for k in (0, 2)
            for names in (SIX_SETS, SIX_SETS[:5])
            if all(n in figures for n in names)
        ]
        print(f"{which}: six sets, first five, the same of damage: " + " ".join(f"{x:.3f}" for x in means))
        columns = cross_fitted(data, answers, which)
        if columns is not None:
            written |= columns
    if args.out:
        np.savez_compressed(args.out, **written)
    for name in args.rebuild:
        reader = rebuilt(args.prepared, args.work, name, len(data.kinds))
        chosen = np.sort(
            np.random.default_rng(0).choice(len(answers["keys"]), min(args.texts, len(answers["keys"])), replace=False)
        )
        said = read_rows(reader, data.texts, chosen, half=False)
        before = said_by(answers, name.replace("narrow_whole", "narrow"))
        same = [
            float(np.corrcoef(x, y[chosen])[0, 1])
            for x, y in zip(
                (said.rating, said.sound, said.damage), (before.rating, before.sound, before.damage), strict=True
            )
        ]
        print(
            f"{name}: rebuilt, correlations with training "
            + " ".join(f"{x:.5f}" for x in same)
            + f"; rank correlation of ratings {spearman(said.rating, before.rating[chosen]):.5f}"
        )
        found = marks(reader, data, half=False, pairs=args.pairs)
        print(f"{name}: marks on {args.pairs} pairs: " + " ".join(f"{k} {v:.3f}" for k, v in found.items()))


if __name__ == "__main__":
    main()
