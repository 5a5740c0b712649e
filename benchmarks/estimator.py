"""Time, memory and exactness of the n-gram estimator, against KenLM's tools where they are.

`python -m benchmarks.estimator CORPORA [--name wikipedia] [--tokens 10000000]` reads
CORPORA/NAME.txt.xz, split at white space, estimates models with and without pruning, and compares
the log10 probability of each token of CORPORA/NAME.dev.txt.xz with what `lmplz` gives (if it is on
the PATH). Each estimator runs in a process of its own, which tells its peak memory.
"""

from __future__ import annotations

import argparse
import lzma
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import context, markdown_table, write
from naturalness.models.language.arpa import write_arpa
from naturalness.models.language.binary import write_binary
from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.lmplz import run_build_binary, run_lmplz

ORDER = 5
PRUNE = {"all n-grams": (), "--prune 0 0 1": (0, 0, 1)}
HEADER = (
    "model",
    "n-grams",
    "estimate, s",
    "ARPA, s",
    "binary, s",
    "peak MB",
    "lmplz, s",
    "build_binary, s",
    "peak MB",
    "largest difference",
    "mean difference",
)


def read_text(path: Path, n_tokens: int | None = None) -> Iterator[str]:
    """Lines of a text, up to about so many tokens."""
    n_read = 0
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield line
            n_read += len(line.split())
            if n_tokens is not None and n_read >= n_tokens:
                return


def seconds(step: Callable[[], Any]) -> float:
    """How long a step takes."""
    started = time.perf_counter()
    step()
    return round(time.perf_counter() - started, 1)


def run_ours(text: Path, n_tokens: int, prune: Sequence[int], folder: Path) -> dict[str, Any]:
    """Estimate with numpy; the trie goes to FOLDER/ours."""
    started = time.perf_counter()
    model = estimate(read_text(text, n_tokens), order=ORDER, prune=prune, folder=folder)
    return {
        "estimate": round(time.perf_counter() - started, 1),
        "arpa": seconds(lambda: write_arpa(model, folder / "ours.arpa")),
        "binary": seconds(lambda: write_binary(model, folder / "ours")),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "ngrams": model.sizes,
        "tokens": model.tokens,
        "notes": model.notes,
    }


def run_kenlm(text: Path, n_tokens: int, prune: Sequence[int], folder: Path) -> dict[str, Any]:
    """Estimate with lmplz; the trie goes to FOLDER/kenlm."""
    arpa = folder / "kenlm.arpa"
    lines = read_text(text, n_tokens)
    return {
        "lmplz": seconds(lambda: run_lmplz(lines, arpa, order=ORDER, prune=prune, memory="2G", folder=folder)),
        "build_binary": seconds(lambda: run_build_binary(arpa, folder / "kenlm", memory="2G", folder=folder)),
        "peak_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
    }


def token_scores(model: Path, lines: Sequence[str]) -> np.ndarray:
    """log10 probability of each token and sentence end."""
    import kenlm

    opened = kenlm.Model(str(model))
    return np.array([score for line in lines for score, _, _ in opened.full_scores(line)])


def in_new_process(run: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """What a function gives in a fresh process, whose memory is its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(run, *arguments).result()


def measure(text: Path, held_out: Path, n_tokens: int, prune: Sequence[int]) -> dict[str, Any]:
    """All figures of one model."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        figures: dict[str, Any] = {"ours": in_new_process(run_ours, text, n_tokens, prune, folder), "kenlm": {}}
        if shutil.which("lmplz") and shutil.which("build_binary"):
            figures["kenlm"] = in_new_process(run_kenlm, text, n_tokens, prune, folder)
            lines = [line for line in read_text(held_out) if line.strip()]
            ours, theirs = (token_scores(folder / name, lines) for name in ("ours", "kenlm"))
            apart = np.abs(ours - theirs)
            figures["difference"] = {
                "held_out_tokens": len(apart),
                "largest": float(apart.max()),
                "mean": float(apart.mean()),
            }
    return figures


def row(name: str, figures: dict[str, Any]) -> list[Any]:
    """One line of the table."""
    ours, kenlm = figures["ours"], figures["kenlm"]
    apart = figures.get("difference", {})
    return [
        name,
        sum(ours["ngrams"]),
        ours["estimate"],
        ours["arpa"],
        ours["binary"],
        ours["peak_mb"],
        *(kenlm.get(key) for key in ("lmplz", "build_binary", "peak_mb")),
        *(f"{apart[key]:.1e}" if apart else "" for key in ("largest", "mean")),
    ]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, help="folder with NAME.txt.xz and NAME.dev.txt.xz")
    parser.add_argument("--name", default="wikipedia")
    parser.add_argument("--tokens", type=int, default=10_000_000)
    options = parser.parse_args()
    text = options.corpora / f"{options.name}.txt.xz"
    held_out = options.corpora / f"{options.name}.dev.txt.xz"
    figures = {name: measure(text, held_out, options.tokens, prune) for name, prune in PRUNE.items()}
    command = f"python -m benchmarks.estimator CORPORA --name {options.name} --tokens {options.tokens}"
    about = context(command=command, order=ORDER)
    table = markdown_table(HEADER, [row(name, result) for name, result in figures.items()])
    title = f"n-gram estimator: order {ORDER}, {options.tokens:,} tokens of {options.name}, one core"
    write("estimator", title, table, {"context": about, "figures": figures})


if __name__ == "__main__":
    main()
