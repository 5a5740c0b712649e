"""Label a million rows with `--fast`, kill the job midway, and resume it.

`python -m benchmarks.million CORPORA [--rows 1000000] [--work DIR]`: sentences of dialogues, podcasts and books, in
this order, each once; `label --fast` with a worker per core is killed with all its processes after four tenths and
resumed. It reports time, memory, totals and the output's checksum; the first 10,000 rows, labelled separately by one
worker without interruption, must be the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.labelling import Watched, seconds_of, watch, write_table
from benchmarks.report import markdown_table, write
from benchmarks.rule_texts import corpus_lines
from naturalness.files.resources import file_checksum
from naturalness.labelling.parts import SHARD_ROWS
from training.arguments import command_parser

CORPORA = ("dialogues", "podcasts", "books")
FEW_ROWS = 10_000
KILLED_AT = 0.4


def sentences(corpora: Path) -> Iterator[str]:
    """Yield the distinct sentences of all corpora."""
    seen: set[bytes] = set()
    for name in CORPORA:
        for text in corpus_lines(corpora / f"{name}.txt.xz"):
            key = hashlib.blake2b(text.encode(), digest_size=8).digest()
            if key not in seen:
                seen.add(key)
                yield text


def totals(path: Path) -> dict[str, float]:
    """Return the numbers of rows, unscored rows and natural labels, and the mean score of an output."""
    labels: Counter[str] = Counter()
    rows = failed = 0
    total = 0.0
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            rows += 1
            if row["naturalness"] is None:
                failed += 1
            else:
                labels[row["label"]] += 1
                total += row["naturalness"]
    scored = max(1, rows - failed)
    return {"rows": rows, "without a score": failed, "natural": labels["natural"], "mean naturalness": total / scored}


def begins_alike(whole: Path, few: Path) -> bool:
    """Return whether a long output begins with the rows of a short one."""
    with whole.open("rb") as long, few.open("rb") as short:
        return all(long.readline() == line for line in short)


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "corpora", "--work")
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.work or Path(temporary)
        run(options.corpora, options.rows, folder)


def run(corpora: Path, rows: int, folder: Path) -> None:
    """Label, kill, resume, compare."""
    texts = [text for _, text in zip(range(rows), sentences(corpora), strict=False)]
    source, few = folder / "in.jsonl", folder / "few.jsonl"
    write_table(source, texts)
    write_table(few, texts[:FEW_ROWS])
    words = sum(len(text.split()) for text in texts) / len(texts)
    target, short = folder / "out.jsonl", folder / "short.jsonl"
    cores = len(os.sched_getaffinity(0))
    options = ["--fast", "--jobs", str(cores)]
    first = watch(source, target, [*options, "--force"], rows_of_shard=SHARD_ROWS, kill_at=int(len(texts) * KILLED_AT))
    assert first.code == -9, f"ended with {first.code} before it was killed"
    second = watch(source, target, [*options, "--resume"], rows_of_shard=SHARD_ROWS)
    seconds_of(few, short, ["--fast", "--jobs", "1"])
    report(texts, words, cores, first, second, target, begins_alike(target, short))


def report(
    texts: list[str], words: float, cores: int, first: Watched, second: Watched, target: Path, alike: bool
) -> None:
    """Write the results."""
    counted, seconds = totals(target), first.seconds + second.seconds
    early, late = second.memory_at(FEW_ROWS), second.memory_at_the_end
    rows: list[list[object]] = [
        ["rows", f"{counted['rows']:,}"],
        ["words per row", f"{words:.1f}"],
        ["workers", str(cores)],
        ["killed after, s", f"{first.seconds:,.0f}"],
        ["resumed for, s", f"{second.seconds:,.0f}"],
        ["rows/s, both together", f"{counted['rows'] / seconds:,.0f}"],
        ["rows without a score", f"{counted['without a score']:,}"],
        ["rows labelled natural", f"{counted['natural']:,}"],
        ["mean naturalness", f"{counted['mean naturalness']:.4f}"],
        ["resident, all processes, at 10,000 rows, MB", f"{early / 1e6:,.0f}"],
        ["resident at the end, MB", f"{late / 1e6:,.0f}"],
        ["ratio", f"{late / early:.3f}"],
        ["most that was resident, MB", f"{max(first.most, second.most) / 1e6:,.0f}"],
        ["first 10,000 rows as without a break, one worker", "yes" if alike else "NO"],
        ["exit code", str(second.code)],
        ["SHA-256 of the input", file_checksum(target.with_name("in.jsonl"))],
        ["SHA-256 of the output", file_checksum(target)],
    ]
    command = "python -m benchmarks.million CORPORA"
    if len(texts) != 1_000_000:
        command += f" --rows {len(texts)}"
    name = "million" if len(texts) == 1_000_000 else f"million_{len(texts)}"
    title = f"{len(texts):,} rows, with an interruption"
    figures = {str(name): value for name, value in rows}
    write(
        name,
        title,
        markdown_table(["what", "value"], rows),
        {"figures": figures},
        command=command,
        corpora=list(CORPORA),
        killed_at=KILLED_AT,
    )


if __name__ == "__main__":
    main()
