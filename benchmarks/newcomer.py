"""Run and time a new user's steps: clone, environment, install, score, train, report.

`python -m benchmarks.newcomer [--from-wheel | --tests] [--work DIR]`: the first line of README.md in
a new clone and a new virtual environment, then more in a folder without anything else. All steps after
the clone run as on a machine with Python alone (`.ci/bare`): no compiler, git, Java, browser or Link
Grammar. With ``--from-wheel`` wheel and sdist are built first (`python -m build`, a wheel out of the
sdist), checked by twine, and the wheel is installed into the empty environment instead of the clone.
With ``--tests``, the second line of README.md runs at the end: the tests, without a network. Packages come from
the package index or pip's cache, and the network's speed is part of the times.
"""

from __future__ import annotations

import csv
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from benchmarks.report import markdown_table, write
from training.arguments import command_parser

ROOT = Path(__file__).parents[1]
BARE = str(ROOT / ".ci" / "bare")
INSTALL, TEST = re.findall(r"^pip install .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
"""The two lines of README: install and score; tests."""
Weights = dict[str, tuple[float, float]]
"""Megabytes of distributions, and of their bytecode."""
ROWS, SEED = 200, 0
HEAVY = 5
"""Smallest size in megabytes that gets a row of its own."""
PARTS = (
    ("The teacher", "My brother", "The old woman", "A young doctor", "Our neighbour"),
    ("reads", "has lost", "wrote", "will sell", "often forgets"),
    ("a long letter", "the small key", "her best story", "the blue coat", "two tickets"),
    ("in the garden.", "before dinner.", "at the station.", "every week.", "after the concert."),
)


def rated_rows() -> list[tuple[str, int]]:
    """Return sentences of our own with ratings: intact (5), two neighbours swapped (3), shuffled (1)."""
    rng = random.Random(SEED)
    rows = []
    for number in range(ROWS):
        sentence = " ".join(rng.choice(part) for part in PARTS)
        words = sentence[:-1].split()
        rating = (5, 3, 1)[number % 3]
        if rating == 3:
            i = rng.randrange(len(words) - 1)
            words[i], words[i + 1] = words[i + 1], words[i]
        elif rating == 1:
            rng.shuffle(words)
        rows.append((" ".join(words) + ".", rating))
    return rows


class Walk:
    """Commands in a folder of their own, each timed."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.steps: list[tuple[str, float]] = []
        ours = ("PYTHON", "VIRTUAL_ENV", "NATURALNESS_", "OMP_NUM_THREADS")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        self.environment["NATURALNESS_STORE"] = str(work / "store")
        self.environment["VIRTUAL_ENV"] = str(work / "venv")

    def step(self, name: str, *command: str, at: Path | None = None, within: Sequence[str] = (BARE,)) -> str:
        """Run a command, which must succeed, in an environment, and return its output."""
        started = time.perf_counter()
        done = subprocess.run(
            [*within, *command],
            cwd=at or self.work,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.steps.append((name, time.perf_counter() - started))
        print(f"{self.steps[-1][1]:7.1f} s  {name}", file=sys.stderr, flush=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}\n{done.stdout[-3000:]}")
        return done.stdout


def packages(walk: Walk, clone: Path) -> Path:
    """Build the sdist and a wheel from it, check both, and return the wheel."""
    tools = walk.work / "tools"
    walk.step("virtual environment for building", sys.executable, "-m", "venv", str(tools))
    walk.step("install build and twine", str(tools / "bin/pip"), "install", "-q", "build", "twine")
    python = str(tools / "bin/python")
    # Without options the sdist is built from the folder, and the wheel from the sdist.
    walk.step("python -m build", python, "-m", "build", at=clone)
    dist = sorted(map(str, (clone / "dist").iterdir()))
    walk.step("twine check --strict dist/*", python, "-m", "twine", "check", "--strict", *dist)
    return next((clone / "dist").glob("*.whl"))


def walk_through(walk: Walk, *, from_wheel: bool, tests: bool) -> tuple[dict[str, float], Weights]:
    """Run all steps; return sizes in megabytes, in total and of each distribution."""
    clone, venv, empty = (walk.work / name for name in ("clone", "venv", "empty"))
    empty.mkdir()
    walk.step("git clone", "git", "clone", "-q", str(ROOT), str(clone), within=())
    walk.step("python -m venv", sys.executable, "-m", "venv", str(venv))
    if from_wheel:
        walk.step("pip install the wheel", str(venv / "bin/pip"), "install", "-q", str(packages(walk, clone)))
    else:
        walk.step(f"`{INSTALL}`", "bash", "-c", INSTALL, at=clone)
    with (empty / "rated.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "rating"), *rated_rows()])
    ours = str(venv / "bin/naturalness")
    pair = ("The old man gave his book to the girl.", "The old man gave his his book to girl the .")
    for name, arguments in {
        "naturalness score, two sentences, the first time": ("score", *pair),
        "naturalness score, again": ("score", *pair),
        "naturalness explain, one sentence": ("explain", pair[1]),
        f"naturalness train, {ROWS} rated sentences": ("train", "rated.csv", "-o", "my-model"),
        "naturalness evaluate": ("evaluate", "rated.csv", "--model", "my-model"),
        f"naturalness evaluate -o, {ROWS} sentences": ("evaluate", "rated.csv", "-o", "report.html"),
        "naturalness doctor": ("doctor",),
    }.items():
        walk.step(name, ours, *arguments, at=empty)
    # An environment has pip and setuptools before anything is installed.
    empty_venv = walk.work / "empty-venv"
    subprocess.run([sys.executable, "-m", "venv", str(empty_venv)], check=True)
    sizes = {"environment": folder_size(venv), "of it before the install": folder_size(empty_venv)}
    for package in (clone / "dist").glob("*") if from_wheel else ():
        sizes[package.name] = package.stat().st_size / 1e6
    by_distribution = weights(venv)
    if tests:
        install, _, test = TEST.partition(" && ")
        walk.step(f"`{install}`", "bash", "-c", install, at=clone)
        said = walk.step(f"`{test}`", "bash", "-c", test, at=clone, within=(BARE, "--offline"))
        print(said.rstrip().rpartition("\n")[2], file=sys.stderr)
    return sizes, by_distribution


def folder_size(folder: Path) -> float:
    """Return the megabytes of all files."""
    return sum(p.stat().st_size for p in folder.rglob("*") if not p.is_symlink()) / 1e6


def weights(venv: Path) -> Weights:
    """Return the megabytes of each distribution and of its bytecode, which pip writes, the largest first."""
    (packages,) = venv.glob("lib/python*/site-packages")
    sizes = {}
    for distribution in metadata.distributions(path=[str(packages)]):
        files = [Path(str(file.locate())) for file in distribution.files or ()]
        sized = [(file.suffix, file.stat().st_size / 1e6) for file in files if file.is_file()]
        bytecode = sum(size for suffix, size in sized if suffix == ".pyc")
        sizes[distribution.name] = (sum(size for _, size in sized), bytecode)
    return dict(sorted(sizes.items(), key=lambda item: -item[1][0]))


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--from-wheel", action="store_true", help="build, check, install the wheel")
    way.add_argument("--tests", action="store_true", help="run the tests, too")
    parser.add_argument("--work", type=Path, help="folder for all of it, left there (a temporary)")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp()) if options.work is None else options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    walk = Walk(work)
    busy = os.getloadavg()[0]
    try:
        sizes, by_distribution = walk_through(walk, from_wheel=options.from_wheel, tests=options.tests)
    finally:
        if options.work is None:
            shutil.rmtree(work, ignore_errors=True)
    name = "newcomer_wheel" if options.from_wheel else "newcomer"
    option = " --from-wheel" * options.from_wheel + " --tests" * options.tests
    steps = markdown_table(["step", "seconds"], [list(step) for step in walk.steps])
    table = markdown_table(["what", "MB"], [list(size) for size in sizes.items()])
    heavy = {name: pair for name, pair in by_distribution.items() if pair[0] >= HEAVY}
    rest = [sum(column) for column in zip(*(p for n, p in by_distribution.items() if n not in heavy), strict=True)]
    rows = [[name, *pair] for name, pair in heavy.items()] + [[f"{len(by_distribution) - len(heavy)} others", *rest]]
    weighs = markdown_table(["distribution", "MB", "of it bytecode"], rows)
    note = f"Load average before the start: {busy:.1f}, on {os.cpu_count()} cores."
    write(
        name,
        "First steps of a new user, timed",
        f"{note}\n\n{steps}\n{table}\n{weighs}",
        {"seconds": dict(walk.steps), "megabytes": sizes, "distributions": by_distribution},
        command=f"python -m benchmarks.newcomer{option}",
        cores=os.cpu_count(),
        load_before=busy,
        seed=SEED,
        rows=ROWS,
    )


if __name__ == "__main__":
    main()
