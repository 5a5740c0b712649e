"""The path of a command through the source files: `python -m benchmarks.ways`.

A reader follows a command from its first line and reads each function when it is first called. The figures are the
number of functions, of files, and of returns to a file that was left before. The packages `models`, `english` and
`metrics`, and the functions `extract` and `parse`, count as one function each: what they contain is the same for all
commands.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import naturalness

PACKAGE = Path(naturalness.__file__).parent
SENTENCES = (
    "She gave the old book to her brother.",
    "He have went to home yesterday.",
    "The rain stopped before we reached the harbour.",
    "Me the window open did quickly.",
    "Nobody knows why the lights went out.",
    "In the garden is many flower.",
)
LEAVES = ("extract", "parse")
MEASURING = ("models", "english", "metrics")


def walk(command: Callable[[], Any]) -> list[tuple[str, str]]:
    """Return file and name of each function of the package, in the order of the first calls."""
    stops: dict[tuple[str, str], None] = {}
    inside = 0

    def watch(frame: FrameType, event: str, _: Any) -> None:
        nonlocal inside
        path = frame.f_code.co_filename
        if event not in ("call", "return") or not path.startswith(str(PACKAGE)):
            return
        file, name = str(Path(path).relative_to(PACKAGE)), frame.f_code.co_qualname
        package = file.split("/")[0]
        is_leaf = package in MEASURING or frame.f_code.co_name in LEAVES
        if event == "return":
            inside -= is_leaf
            return
        if not inside and not name.startswith("<module>"):
            stops.setdefault((package, package) if package in MEASURING else (file, name))
        inside += is_leaf

    sys.setprofile(watch)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            command()
    finally:
        sys.setprofile(None)
    return list(stops)


def figures(stops: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the numbers of functions, files and returns."""
    files: list[str] = []
    returns = 0
    for file, _ in stops:
        if files and file == files[-1]:
            continue
        returns += file in files
        files.append(file)
    return {"functions": len(stops), "files": len(set(files)), "returns": returns}


def commands(folder: Path) -> dict[str, list[str]]:
    """Write small tables of our own; return the commands that read them."""
    texts = folder / "texts.csv"
    texts.write_text("text\n" + "\n".join(SENTENCES) + "\n", encoding="utf-8")
    rated = folder / "rated.csv"
    rows = [
        f"{text[:-1]} {number}.,{1 + 3 * (row % 2 == 0)}" for number in range(10) for row, text in enumerate(SENTENCES)
    ]
    rated.write_text("text,rating\n" + "\n".join(rows) + "\n", encoding="utf-8")
    prose = folder / "prose.txt"
    prose.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    small = ["--features", "surface", "--learner", "logistic-l2"]
    return {
        "score": ["score", str(texts), "--model", "fast"],
        "label": ["label", str(texts), "-o", str(folder / "labels.csv"), "--model", "fast"],
        "train": ["train", str(rated), "-o", str(folder / "model"), *small],
        "explain": ["explain", SENTENCES[1], "--model", "fast"],
        "check": ["check", str(prose), "--model", "fast", "--min-score", "0.3"],
        "report": ["evaluate", str(rated), "--fast", "-o", str(folder / "report.html")],
    }


def main() -> None:
    """Trace the commands and print a table, or the functions called by one of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--stops", metavar="COMMAND", help="list the stops of one command instead")
    options = parser.parse_args()
    from naturalness.cli import main as run

    results = {}
    with tempfile.TemporaryDirectory() as name:
        os.environ["NATURALNESS_STORE"] = f"{name}/store"  # an empty one, so that every run walks the same way
        for command, arguments in commands(Path(name)).items():
            if options.stops not in (None, command):
                continue

            def start(arguments: list[str] = arguments) -> None:
                sys.argv = ["naturalness", *arguments]
                try:
                    status = run()
                except SystemExit as end:
                    status = end.code
                if status not in (None, 0, 1):  # 1: a sentence is below the minimum
                    raise RuntimeError(f"naturalness {' '.join(arguments)} ended with {status}")

            stops = walk(start)
            if options.stops:
                print("\n".join(f"{file}: {stop}" for file, stop in stops))
            results[command] = figures(stops)
            print(f"{command:8}", "  ".join(f"{value} {what}" for what, value in results[command].items()), flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
