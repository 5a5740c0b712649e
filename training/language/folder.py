"""Turn lines of units into the folder of a shipped language model, and measure its perplexity."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from naturalness.models.language.arpa import write_arpa
from naturalness.models.language.base import END
from naturalness.models.language.ngram import open_kenlm
from naturalness.models.language.store import CAPITALS, UNITS, write_manifest
from naturalness.models.language.tables import Ngrams
from naturalness.models.language.units import Kind
from naturalness.models.language.vocabulary import OTHER, write_capitals, write_vocabulary
from training.language.corpora import REGISTERS
from training.manifest import ASSETS, record


def count(lines: Iterable[list[str]]) -> Counter[str]:
    """Count units, and sentences under the name of their end."""
    counts: Counter[str] = Counter()
    for units in lines:
        counts.update(units)
        counts[END] += 1
    return counts


def make_vocabulary(counts: Mapping[str, int], least: int) -> dict[str, int]:
    """Return units seen at least ``least`` times, and the rest as `OTHER`."""
    frequent = {unit: n for unit, n in counts.items() if n >= least}
    frequent[OTHER] = max(1, sum(n for unit, n in counts.items() if unit not in frequent))
    return frequent


def replaced(lines: Iterable[list[str]], known: Mapping[str, int]) -> Iterator[str]:
    """Yield lines with rare units replaced."""
    for units in lines:
        yield " ".join(unit if unit in known else OTHER for unit in units)


def write_model(
    ngrams: Ngrams, folder: Path, work: Path, bits: int, backoff_bits: int, pointer_bits: int | None = None
) -> str:
    """Pack one model into a folder, probabilities rounded to 2 ** bits values for each order."""
    arpa = work / f"{folder.name}.arpa"
    write_arpa(ngrams, arpa)
    file = f"order-{ngrams.order}.binary"
    packing = ["-v", "-q", str(bits), "-b", str(backoff_bits)]
    packing += [] if pointer_bits is None else ["-a", str(pointer_bits)]
    subprocess.run(["build_binary", "-S", "1G", "-T", f"{work}/", *packing, "trie", arpa, folder / file], check=True)
    arpa.unlink()
    print(f"{folder}, order {ngrams.order}: n-grams {ngrams.sizes}", flush=True)
    return file


def perplexity(model_file: Path, known: Mapping[str, int], lines: Iterable[list[str]]) -> float:
    """Return the perplexity per unit of held-out text, ends of sentences included."""
    model = open_kenlm(model_file)
    total, n = 0.0, 0
    for units in lines:
        total += model.score(" ".join(unit if unit in known else OTHER for unit in units))
        n += len(units) + 1
    return round(math.pow(10.0, -total / n), 1)


def by_register(
    model_file: Path, known: Mapping[str, int], lines: Callable[[str], Iterable[list[str]]]
) -> dict[str, float]:
    """Return the perplexity of the held-out part of each register."""
    return {r: perplexity(model_file, known, lines(r)) for r in REGISTERS}


def write_tables(
    folder: Path,
    kind: Kind,
    orders: Mapping[int, str],
    known: Mapping[str, int],
    *,
    training: Mapping[str, object],
    capitals: Iterable[str] | None = None,
) -> None:
    """Write the tables of a folder and its manifest."""
    write_vocabulary(folder / UNITS, known)
    if capitals is not None:
        write_capitals(folder / CAPITALS, capitals)
    write_manifest(folder, folder.name, kind, orders, training)


def register(name: str, figures: Mapping[str, object]) -> None:
    """Write the asset's entry in the manifest of the package."""
    record(name, figures)
    size = sum(path.stat().st_size for path in (ASSETS / name).iterdir())
    print(f"{name}: {size / 1e6:.1f} MB, {dict(figures)}", flush=True)


def fresh(folder: Path) -> Path:
    """Create the folder anew, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
