"""Turn lines of units into the folder of a shipped language model, and measure its perplexity."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from naturalness.models.language.base import END
from naturalness.models.language.formats import write_arpa
from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.ngram import open_kenlm
from naturalness.models.language.store import UNITS, binary_name, write_manifest
from naturalness.models.language.tables import shrink
from naturalness.models.language.units import OTHER, Kind, write_vocabulary
from training.language.corpora import REGISTERS
from training.manifest import ASSETS, record

MIN_COUNT = 20
"""Times a unit must occur to be in the vocabulary."""
Lines = Iterable[list[str]]
Known = Mapping[str, int]
PACKER = "build_binary"
"""KenLM's program that packs a model."""


def build(
    kind: Kind,
    lines: Callable[[], Lines],
    work: Path,
    *,
    sizes: Mapping[int, int],
    bits: tuple[int, ...],
    prune: tuple[int, ...] = (),
    finish: Callable[[Path, Known], object] = lambda folder, known: None,
) -> tuple[dict[int, Path], Known]:
    """Write the folder with a model of each order; return their files, and the counts of known units.

    ``sizes``: numbers of n-grams that remain after pruning, by order. ``bits`` of probabilities, back-offs and, if
    given, pointers. ``finish`` writes further files into the folder.
    """
    if shutil.which(PACKER) is None:
        raise SystemExit(f"no program {PACKER!r}; build KenLM's and put it on the path")
    counts = Counter(unit for units in lines() for unit in (*units, END))
    known = {unit: n for unit, n in counts.items() if n >= MIN_COUNT}
    known[OTHER] = max(1, counts.total() - sum(known.values()))
    folder, arpa = ASSETS / kind, work / f"{kind}.arpa"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = {}
    for order, size in sizes.items():
        full = estimate(map(" ".join, replaced(lines(), known)), order=order, prune=prune)
        write_arpa(shrink(full, size), arpa)
        files[order] = folder / binary_name(order)
        packing = [str(x) for option in zip(("-q", "-b", "-a"), bits, strict=False) for x in option]
        # Without the words (-v), which are in the table of units.
        command = [PACKER, "-v", "-S", "1G", "-T", f"{work}/", *packing, "trie", arpa, files[order]]
        subprocess.run(command, check=True)
    arpa.unlink()
    write_vocabulary(folder / UNITS, known)
    finish(folder, known)
    about = {"tokens": counts.total(), "least": MIN_COUNT, "prune": prune, "n_grams": sizes}
    write_manifest(folder, kind, kind, {order: file.name for order, file in files.items()}, about)
    return files, known


def replaced(lines: Lines, known: Known) -> Iterator[list[str]]:
    """Yield lines with rare units replaced."""
    for units in lines:
        yield [unit if unit in known else OTHER for unit in units]


def perplexity(file: Path, known: Known, lines: Lines) -> float:
    """Return the perplexity per unit of held-out text, including the ends of sentences."""
    model = open_kenlm(file)
    total, n = 0.0, 0
    for units in replaced(lines, known):
        total += model.score(" ".join(units))
        n += len(units) + 1
    return round(math.pow(10.0, -total / n), 1)


def record_registers(kind: Kind, file: Path, known: Known, lines: Callable[[str], Lines]) -> None:
    """Write the asset's manifest entry, with the perplexity of the held-out part of each register."""
    record(kind, {"perplexity": {register: perplexity(file, known, lines(register)) for register in REGISTERS}})
