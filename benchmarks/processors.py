"""The same digits on every processor: `python -m benchmarks.processors [--write]`.

Scores of the tutorial's sentences by both shipped models, compared number by number with those that another processor
worked out. `--write` adds a row to the table; where assets have changed since, it begins a new one, and its scores
are those that later rows are compared with. A processor without `avx512_vnni` can be emulated (Debian: qemu-user),
with few sentences since it takes a hundred times as long, and with the folder of installed packages named to it:

    qemu-x86_64 -cpu Haswell -E PYTHONPATH=SITE_PACKAGES:. PYTHON -m benchmarks.processors --texts 40 \
        --processor "Haswell, emulated" --write

`--floats` compares the graph of floats that a GPU runs (`label --device cuda`), on this processor, with the exact one,
and writes nothing.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import RESULTS, context, markdown_table, processor, write
from naturalness.judging.opened import installed
from naturalness.models import networks
from naturalness.pipelines.scorer import load_model

TEXTS = Path(__file__).parents[1] / "naturalness" / "data" / "samples" / "replies.csv"
NAME = "processors"
DIGITS = 6
"""Significant digits of a score that `label` writes."""


def scores(texts: list[str]) -> dict[str, list[float]]:
    """Naturalness of the texts by each shipped model."""
    return {which: list(load_model(which).score(texts).naturalness) for which in installed()}


def compared(of_here: dict[str, list[float]], of_first: dict[str, list[float]]) -> dict[str, dict[str, Any]]:
    """For each model, in how many scores the digits are the same, and by how much the others are off at most."""
    rows = {}
    for which, values in of_here.items():
        here, first = np.array(values), np.array(of_first[which][: len(values)])
        same = [f"{x:.{DIGITS}g}" == f"{y:.{DIGITS}g}" for x, y in zip(here, first, strict=True)]
        rows[which] = {"same": sum(same), "largest_difference": float(np.abs(here - first).max())}
    return rows


def in_floats(texts: list[str], exact: dict[str, list[float]]) -> list[list[object]]:
    """For each model, how scores in floats differ from the exact ones."""
    networks.PROVIDERS = {**networks.PROVIDERS, networks.CUDA: networks.PROVIDERS[networks.CPU]}
    networks.use_device(networks.CUDA)
    rows: list[list[object]] = []
    for which, values in scores(texts).items():
        here, there = np.array(values), np.array(exact[which])
        off = np.abs(here - there)
        rows.append(
            [which, len(texts), f"{off.mean():.4f}", f"{off.max():.4f}", f"{np.corrcoef(here, there)[0, 1]:.5f}"]
        )
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, help="the first ones alone")
    parser.add_argument("--processor", default=processor(), help="name in the table (default: what the system says)")
    parser.add_argument("--write", action="store_true", help="add a row to the table")
    parser.add_argument("--floats", action="store_true", help="compute in floats, as a GPU does")
    args = parser.parse_args()
    with TEXTS.open(encoding="utf-8", newline="") as file:
        texts = [row["text"] for row in csv.DictReader(file)][: args.texts]
    here = scores(texts)
    if args.floats:
        print(markdown_table(["model", "sentences", "mean difference", "largest", "Pearson"], in_floats(texts, here)))
        return
    path, setting = RESULTS / f"{NAME}.json", context(command=f"python -m benchmarks.{NAME} --write")
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if stored.get("context", {}).get("assets") != setting["assets"]:
        if args.texts:
            parser.error("no scores to compare with, of the assets here; run it without --texts --write first")
        stored = {"context": setting, "scores": here, "rows": []}
    row = {
        "processor": args.processor,
        "date": datetime.date.today().isoformat(),
        "texts": len(texts),
        **compared(here, stored["scores"]),
    }
    rows = [*(other for other in stored["rows"] if other["processor"] != args.processor), row]
    header = [
        "processor",
        "date",
        "sentences",
        *(f"{which}: same digits" for which in installed()),
        "largest difference",
    ]
    lines = [
        [
            x["processor"],
            x["date"],
            x["texts"],
            *(x[which]["same"] for which in installed()),
            f"{max(x[which]['largest_difference'] for which in installed()):.1g}",
        ]
        for x in rows
    ]
    table = markdown_table(header, lines)
    if args.write:
        title = f"Scores with the same {DIGITS} digits on several processors"
        write(NAME, title, table, stored | {"rows": rows})
    else:
        print(table)


if __name__ == "__main__":
    main()
