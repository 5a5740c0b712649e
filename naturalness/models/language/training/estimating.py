"""Estimate n-gram models, with our own estimator or KenLM's `lmplz`, and write KenLM files."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from naturalness.errors import TrainingError
from naturalness.models.language.arpa import read_arpa, write_arpa
from naturalness.models.language.binary import write_binary
from naturalness.models.language.kneser_ney import FALLBACK, estimate
from naturalness.models.language.lmplz import find_lmplz, run_lmplz
from naturalness.models.language.store import ARPA, binary_name
from naturalness.models.language.tables import MAX_ORDER, shrink

Tool = Literal["auto", "lmplz", "own"]
FALLEN_BACK = re.compile(r"Substituting fallback discounts for order (\d+)")
Report = Callable[[str, int, int], object]
"""Callback that receives the name of a stage, the amount done and the total amount (0 means unknown)."""


@dataclass(frozen=True, slots=True)
class Estimating:
    """Settings for estimating an n-gram model: order, pruning, estimator and output files."""

    order: int = 5
    size: int | None = None
    """Maximum number of n-grams of two or more units; those whose removal changes the model least are pruned. None
    means no limit."""
    tool: Tool = "auto"
    """Estimator; ``auto`` means lmplz if it is on the PATH and ``size`` is None, and otherwise our own estimator."""
    arpa: bool = True
    """Whether to keep an ARPA file, for use by other programs."""

    def check(self) -> None:
        """Raise `TrainingError` if a setting has an invalid value."""
        if not 2 <= self.order <= MAX_ORDER:
            raise TrainingError(f"order is {self.order}; expected 2 to {MAX_ORDER}")
        if self.size is not None and self.size < 1:
            raise TrainingError(f"size is {self.size}; expected 1 or more")
        if self.size is not None and self.tool == "lmplz":
            raise TrainingError("lmplz cannot keep a number of n-grams (`size`); use `tool=own`")
        self.with_lmplz()

    def with_lmplz(self) -> bool:
        """Return whether to estimate with lmplz."""
        if self.tool == "lmplz":
            find_lmplz()
        automatic = self.tool == "auto" and self.size is None and shutil.which("lmplz") is not None
        return automatic or self.tool == "lmplz"


class Estimated(NamedTuple):
    """An estimated model: the name of its binary file, the estimator, and statistics."""

    file: str
    tool: str
    sizes: tuple[int, ...]
    notes: tuple[str, ...]


def make_binary(
    lines: Iterable[str], folder: Path, work: Path, how: Estimating, n_lines: int, report: Report
) -> Estimated:
    """Estimate a model and write its files to ``folder``; ``work`` is a folder for temporary files."""
    n_done, notes = 0, list[str]()
    with_lmplz, arpa = how.with_lmplz(), (folder if how.arpa else work) / ARPA

    def count(n: int) -> None:
        nonlocal n_done
        n_done += n
        report("estimate", n_done, n_lines)

    def listen(line: str) -> None:
        if match := FALLEN_BACK.match(line):
            notes.append(
                f"discounts of {int(match[1]) + 1}-grams cannot be computed from this text; "
                f"took {', '.join(map(str, FALLBACK[1:]))} instead"
            )

    report("estimate", 0, n_lines)
    if with_lmplz:
        run_lmplz(lines, arpa, order=how.order, folder=work, advance=count, report=listen)
        report("write", 0, 1)
        ngrams = read_arpa(arpa)
    else:
        ngrams = estimate(lines, order=how.order, advance=count)
        notes += ngrams.notes
        if how.size is not None:
            ngrams = shrink(ngrams, how.size)
        report("write", 0, 1)
        if how.arpa:
            write_arpa(ngrams, arpa)
    file = binary_name(how.order)
    write_binary(ngrams, folder / file)
    return Estimated(file, "lmplz" if with_lmplz else "own", ngrams.sizes, tuple(notes))
