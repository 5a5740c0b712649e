"""What a feature store saves: the same `train` twice, the second time with all features known.

`python -m benchmarks.feature_store RATINGS [--features A,B] [--rows N]`: GUG's first rows, from raw
text, in a fresh store; wall time and processor time of each run, and of one without a store.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.report import context, markdown_table, write
from benchmarks.times import command

FEATURES = "surface,lexical,dependency,constituency,word_lm"
SET = "gug.grammaticality.tsv"


def timed(arguments: list[str]) -> tuple[float, float]:
    """Wall seconds and processor seconds of a process that must succeed."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(arguments, check=True, capture_output=True)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("--features", default=FEATURES)
    parser.add_argument("--rows", type=int, default=1500)
    options = parser.parse_args()
    lines = (options.ratings / SET).read_text(encoding="utf-8").split("\n")
    rows: list[list[object]] = []
    models: list[list[bytes]] = []
    with tempfile.TemporaryDirectory() as folder:
        table, store = Path(folder) / "rated.tsv", Path(folder) / "store"
        table.write_text("\n".join(lines[: options.rows + 1]) + "\n", encoding="utf-8")
        for name, features in (("no store", "none"), ("a new store", store), ("again", store)):
            output = Path(folder) / name
            wall, processor = timed(
                command(
                    "train",
                    str(table),
                    "-o",
                    str(output),
                    "--store",
                    str(features),
                    "--features",
                    options.features,
                    "--learner",
                    "linear-svm-l2",
                    "--repeats",
                    "3",
                    "--jobs",
                    "1",
                )
            )
            rows.append([name, wall, processor])
            models.append([path.read_bytes() for path in sorted(output.iterdir())])
        if models.count(models[0]) != len(models):
            raise SystemExit("the models differ; they must not")
        size = sum(path.stat().st_size for path in store.rglob("*.npz")) / 1e6
    rows.append(["megabytes of the store", size, None])
    about = context(
        command="python -m benchmarks.feature_store RATINGS",
        data=SET,
        rows=options.rows,
        features=options.features,
        seed=0,
    )
    write(
        "feature_store",
        "Training again with a feature store",
        markdown_table(["train", "seconds", "of the processor"], rows),
        {"context": about, "rows": rows},
    )


if __name__ == "__main__":
    main()
