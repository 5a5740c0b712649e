"""Sentences per second: the bare spaCy parse, each feature group, and `label` from end to end.

`python -m benchmarks.speed CORPUS.txt[.xz]`: the first distinct sentences of 15 to 25 words of a text file. All but the
two workers runs on one core, to which this process and those that it starts are bound. "Bare parse" is spaCy alone on
normalised text; the groups' times include their shared view of the tokens, which is charged to the group that is
measured. `label` is the command in a separate process, with reading, writing, and one worker: the time of many rows
minus that of few, which removes the start-up time. The bare parse is timed again beside each run of `label`, and the
ratios are to that. For comparison with two workers, two simultaneous bare parses are timed too: hyper-threads give less
than double the speed. Beside them stand a sentence encoder of MiniLM's size (six layers, 384 wide, floats, random
weights) in ONNX, on the same word pieces and sentences of one length at a time.
"""

from __future__ import annotations

import argparse
import lzma
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.labelling import seconds_of, write_table
from benchmarks.report import markdown_table, write
from benchmarks.times import start_up
from naturalness.features import FAST, GROUPS, extract, resolve
from naturalness.labelling.parts import SHARD_ROWS
from naturalness.models.detector import FAST_ASSET, batches, detector
from naturalness.models.networks import OnnxSession
from naturalness.text.normalisation import normalise
from naturalness.text.parsing import SOURCE, load_pipeline, parse
from training.arguments import command_parser
from training.onnx_graph import Encoder

FEW_ROWS = 2 * SHARD_ROWS
"""Rows of the short run, enough for both workers to start."""
MODES: dict[str, tuple[str, ...]] = {"label --fast": ("--fast",), "label, default model": ()}


def read_sentences(path: Path, n: int) -> list[str]:
    """Return the first distinct sentences of 15 to 25 words."""
    opener = lzma.open if path.suffix == ".xz" else open
    texts: dict[str, None] = {}
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            if 15 <= len(line.split()) <= 25:
                texts[line.strip()] = None
            if len(texts) == n:
                break
    return list(texts)


def seconds(action: Callable[[], object], repeats: int) -> float:
    """Return the time of the fastest of several runs, since other work on the machine only adds time."""
    best = float("inf")
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - started)
    return best


class Labelling:
    """`label` on two tables of the same sentences, a short and a long one."""

    def __init__(self, folder: Path, texts: list[str]) -> None:
        self.rows = len(texts) - FEW_ROWS
        self.few = write_table(folder / "few.jsonl", texts[:FEW_ROWS])
        self.many = write_table(folder / "many.jsonl", texts)
        self.out = folder / "out.jsonl"

    def per_second(self, options: tuple[str, ...], workers: int) -> float:
        """Return rows per second without the start of the processes."""
        asked = [*options, "--jobs", str(workers)]
        short = seconds_of(self.few, self.out, asked)
        return self.rows / (seconds_of(self.many, self.out, asked) - short)


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "corpus")
    parser.add_argument("-n", type=int, default=1000, help="sentences for the groups (1000)")
    parser.add_argument("--rows", type=int, default=2000, help="rows for `label` (2000)")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3, help="of `label` (3)")
    arguments = parser.parse_args()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    texts = read_sentences(arguments.corpus, FEW_ROWS + arguments.rows)
    figures = groups(texts[: arguments.n], arguments.repeats)
    with tempfile.TemporaryDirectory() as folder:
        job = Labelling(Path(folder), texts)
        nlp = load_pipeline()
        clean = [normalise(text).text for text in texts[: arguments.n]]
        for name, options in MODES.items():
            rates = []
            for _ in range(arguments.runs):
                bare = arguments.n / seconds(lambda: list(nlp.pipe(clean, batch_size=64)), 2)
                rates.append((job.per_second(options, 1), bare))
            ratio = statistics.median(bare / rate for rate, bare in rates)
            rate = statistics.median(rate for rate, _ in rates)
            figures[name] = {"per_second": rate, "times_the_bare_parse": ratio}
        os.sched_setaffinity(0, cores)
        pairs = [
            (job.per_second(("--fast",), 1), job.per_second(("--fast",), 2))
            for _ in range(arguments.runs if len(cores) > 1 else 0)
        ]
    if pairs:
        figures["two workers, --fast"] = {
            "per_second": statistics.median(two for _, two in pairs),
            "times_one_worker": statistics.median(two / single for single, two in pairs),
        }
        figures["two bare parses at once"] = {"times_one": two_at_once(clean, sorted(cores)[:2])}
    ours, bare = start_up()
    figures["start of `score`"] = {"seconds": ours, "times_bare_spacy": ours / bare}
    report(figures, texts, arguments)


def two_at_once(clean: list[str], cores: list[int]) -> float:
    """Return the speed-up of two parsing processes over one."""

    def rate(core: int, begin: Any, results: Any) -> None:
        os.sched_setaffinity(0, {core})
        nlp = load_pipeline()
        list(nlp.pipe(clean[:64]))
        begin.wait()
        started = time.perf_counter()
        for _ in range(4):
            list(nlp.pipe(clean, batch_size=64))
        results.put(1 / (time.perf_counter() - started))

    def together(some: list[int]) -> float:
        fork = multiprocessing.get_context("fork")
        begin, results = fork.Barrier(len(some)), fork.Queue()
        running = [fork.Process(target=rate, args=(core, begin, results)) for core in some]
        for process in running:
            process.start()
        rates = [results.get() for _ in running]
        for process in running:
            process.join()
        return float(sum(rates))

    return together(cores) / together(cores[:1])


def groups(texts: list[str], repeats: int) -> dict[str, dict[str, float]]:
    """Return sentences per second of each group, and its time relative to the bare parse."""
    nlp = load_pipeline()
    clean = [normalise(text).text for text in texts]
    bare = seconds(lambda: list(nlp.pipe(clean, batch_size=64)), repeats)
    full = seconds(lambda: parse(texts), repeats)
    docs = parse(texts)
    times = {"bare parse": bare, "parse": full}

    def measure(names: list[str]) -> float:
        def run() -> None:
            for doc in docs:
                for key in [key for key in doc.user_data if key != SOURCE]:
                    del doc.user_data[key]  # what groups remember beside a Doc
            extract(docs, resolve(names))

        return seconds(run, repeats)

    times |= {name: measure([name]) for name in (*GROUPS, "damage_fast")}
    times["all groups together"] = measure(list(GROUPS))
    times["groups of --fast together"] = measure(list(FAST))
    times["a sentence encoder of MiniLM's size"] = seconds(encoder(texts), repeats)
    return {name: {"per_second": len(texts) / took, "percent": 100 * took / bare} for name, took in times.items()}


class FloatEncoder(Encoder):
    """Encoder layers with float products, as exporters write them."""

    def linear(self, x: str, layer: str) -> str:
        """Return x W + b."""
        weight, bias = (self.tensor(self.weights[f"{layer}.{name}"]) for name in ("weight", "bias"))
        return self.node("Add", [self.node("MatMul", [x, self.node("Transpose", [weight])]), bias])

    def rows(self, table: str, ids: str) -> str:
        """Look up rows of a float table."""
        return self.node("Gather", [self.tensor(self.weights[f"{table}.weight"]), ids])


def encoder(texts: list[str]) -> Callable[[], object]:
    """Return a function that runs the sentence encoder over texts cut into pieces beforehand."""
    rng, weights = np.random.default_rng(0), {}
    sizes = {"attention_in": (1152, 384), "attention_out": (384, 384), "wide": (1536, 384), "narrow": (384, 1536)}
    for i in range(6):
        for name, (n, k) in sizes.items():
            weights[f"layers.{i}.{name}.weight"] = rng.normal(0, 0.05, (n, k)).astype(np.float32)
            weights[f"layers.{i}.{name}.bias"] = np.zeros(n, np.float32)
    for name in ("norm", *(f"layers.{i}.norm_{k}" for i in range(6) for k in (1, 2))):
        weights |= {f"{name}.weight": np.ones(384, np.float32), f"{name}.bias": np.zeros(384, np.float32)}
    pieces = detector(FAST_ASSET).network.pieces
    for name, n in (("pieces", len(pieces.rows)), ("positions", 512)):
        weights[f"{name}.weight"] = rng.normal(0, 0.05, (n, 384)).astype(np.float32)
    graph = FloatEncoder(weights, 12)
    out = graph.encoder("ids", graph.rows("pieces", "ids"), 6)[-1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "encoder.onnx"
        graph.write(path, {"ids": ("texts", "pieces")}, {"vectors": (out, ("texts", "pieces", 384))})
        session = OnnxSession(path)
    ids = [[row for word in text.lower().split() for row in pieces.of_word(word)] for text in texts]

    def run() -> None:
        for together in batches([len(row) for row in ids]):
            for vectors in session.run(["vectors"], {"ids": [ids[i] for i in together]}):
                vectors.mean(axis=1)

    return run


def report(figures: dict[str, dict[str, float]], texts: list[str], options: argparse.Namespace) -> None:
    """Write the results."""
    rows: list[list[object]] = []
    for name, figure in figures.items():
        if "percent" in figure:
            share = f"{figure['percent']:.1f} % of the bare parse"
        else:
            share = "; ".join(
                f"{value:.2f} {key.replace('_', ' ')}" for key, value in figure.items() if key.startswith("times")
            )
        rate = f"{figure['per_second']:,.0f}" if "per_second" in figure else ""
        rows.append([name, f"{figure['seconds']:.2f} s" if "seconds" in figure else rate, share])
    command = f"python -m benchmarks.speed {options.corpus.name}"
    command += f" -n {options.n}" if options.n != 1000 else ""
    for name, usual in (("rows", 2000), ("repeats", 5), ("runs", 3)):
        asked = getattr(options, name)
        command += f" --{name} {asked}" if asked != usual else ""
    table = markdown_table(["what", "sentences/s", "time"], rows)
    write(
        "speed",
        "Speed, from the bare parse to a labelled table",
        table,
        {"figures": figures},
        command=command,
        sentences=len(texts),
        runs=options.runs,
        words=sum(len(text.split()) for text in texts) / len(texts),
        bars={"label --fast": 0.9, "label, default model": 2.1, "two workers": 1.9, "start of `score`": 1.0},
    )


if __name__ == "__main__":
    main()
