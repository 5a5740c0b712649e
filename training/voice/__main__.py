"""Rebuild the table of voice: `python -m training.voice MACHINE CORPORA --work DIR` (five minutes, one core, seed 0).

MACHINE holds paragraphs by chat models and by people, CORPORA people's texts of before 2022. Words, marks and phrases
of up to three tokens get weights by a ridge logistic regression; each must be over-represented in several kinds of
text, and used by many models or in many sources. Words, phrases, constructions and evenness are the terms of a second
logistic regression, fitted to sums by weights that have not seen the text. No rating is read.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.voice import ASSET, DESCRIPTION, FORMAT_VERSION, ITEMS, logistic
from training.arguments import command_parser
from training.manifest import ASSETS, CORPORA, record
from training.tables import read_table
from training.voice.learning import NAMES, USUAL_EVENNESS, Learned, Rows, Table, kinds_of, learn, measure
from training.voice.texts import Paragraph, corpus_paragraphs, machine_set, pieces, without_copies

SOURCES: Sequence[Mapping[str, str]] = read_table(__file__, "sources.toml")["sources"]
FALSE_ALARMS, MOST_FALSE_ALARMS = 0.02, 0.03
LENGTHS = (10, 20, 50)
"""Shortest lengths in words for which lines are set."""
MIN_LONG = LENGTHS[-1]
MIN_RATE_TEXTS = 100
"""Texts of both sides that a kind needs for rates of constructions."""
WORDS_PER_RATE = 10_000


class Sets(NamedTuple):
    """All texts in one table, and the rows of each part."""

    table: Table
    excluded: set[str]
    """Names, which no item contains."""
    whole: Rows
    """Paragraphs that teach."""
    cut: Rows
    """Pieces of them."""
    held_out: Rows
    """Paragraphs of people that no model has seen, by register."""
    sentences: Rows
    """One sentence of each of those."""
    extra: Rows
    """Other texts to be measured."""


def read_sets(machine: Path, corpora: Path, extra: Sequence[Paragraph] = ()) -> Sets:
    """Read all texts and measure them."""
    whole = machine_set(machine) + corpus_paragraphs(corpora, held_out=False)
    held_out = without_copies(corpus_paragraphs(corpora, held_out=True), whole)
    parts = whole, pieces(whole), held_out, pieces(held_out, most=1), list(extra)
    table, excluded = measure([paragraph for part in parts for paragraph in part], len(whole))
    ends = np.cumsum([0, *map(len, parts)])
    return Sets(table, excluded, *(np.arange(a, b) for a, b in pairwise(ends)))


def lines_of(table: Table, rows: Rows, log_odds: FloatArray) -> dict[int, float]:
    """Return, for each of `LENGTHS`, the log-odds above which people's texts of this length or more rarely lie.

    Of all texts, `FALSE_ALARMS` lie above a line, registers counting the same, and of no register more than
    `MOST_FALSE_ALARMS`.
    """
    lines = {}
    for shortest, longest in pairwise([*LENGTHS, np.inf]):
        inside = (table.words[rows] >= shortest) & (table.words[rows] < longest)
        values, registers = log_odds[inside], table.column("name")[rows][inside]
        names, index, n = np.unique(registers, return_inverse=True, return_counts=True)
        order = np.argsort(-values)
        above = np.cumsum((1 / n[index])[order]) / len(n)
        line = float(values[order][np.searchsorted(above, FALSE_ALARMS)])
        each = [np.quantile(values[registers == name], 1 - MOST_FALSE_ALARMS) for name in names]
        lines[shortest] = max(line, *map(float, each))
    return lines


def rates(table: Table, rows: Rows) -> dict[str, dict[str, list[float]]]:
    """Return occurrences of each construction per 10,000 words of people and of chat models, by kind."""
    kinds, machine = kinds_of(table, rows), table.column("machine")[rows]
    result: dict[str, dict[str, list[float]]] = {name: {} for name in NAMES}
    for kind in ["all", *np.unique(kinds)]:
        sides = [(machine == side) & ((kinds == kind) | (kind == "all")) for side in (False, True)]
        if min(side.sum() for side in sides) >= MIN_RATE_TEXTS:
            for k, name in enumerate(NAMES):
                counts = [table.constructions[rows[side], k].sum() / table.words[rows[side]].sum() for side in sides]
                result[name][str(kind)] = [round(WORDS_PER_RATE * float(rate), 2) for rate in counts]
    return result


def item_lines(table: Table, rows: Rows, learned: Learned) -> list[str]:
    """Return a line for each item: weight for people, occurrences per million of both sides, models and sources."""
    machine = table.column("machine")[rows]
    counts = table.counts[rows][:, learned.chosen]
    columns = []
    for side, attribute in ((True, "model"), (False, "name")):
        mask = machine == side
        million = table.tokens[rows[mask]].sum() / 1e6
        labels = table.column(attribute)[rows[mask]]
        within = [np.asarray(counts[mask][labels == label].sum(axis=0)).ravel() > 0 for label in np.unique(labels)]
        columns.append((np.asarray(counts[mask].sum(axis=0)).ravel() / million, np.sum(within, axis=0)))
    (per_machine, models), (per_people, sources) = columns
    return [
        f"{table.items[i]}\t{-weight:.3g}\t{a:.2g}\t{b:.2g}\t{m}\t{s}"
        for i, weight, a, b, m, s in zip(
            learned.chosen, learned.weights, per_machine, per_people, models, sources, strict=True
        )
    ]


def write_asset(folder: Path, table: Table, rows: Rows, learned: Learned, lines: Mapping[int, float]) -> None:
    """Write the table and the description; signs are turned, so that positive is for people."""
    folder.mkdir(parents=True, exist_ok=True)
    turned = {name: {k: float(f"{-v:.5g}") for k, v in getattr(learned, name).items()} for name in ("slopes", "growth")}
    for name in ("words", "phrases"):  # the weights are turned already
        turned["slopes"][name] *= -1
        turned["growth"][name] *= -1
    about = {
        "format_version": FORMAT_VERSION,
        "base": float(f"{-learned.base:.5g}"),
        **turned,
        "usual_evenness": USUAL_EVENNESS,
        "lines": {length: float(f"{logistic(-line):.4g}") for length, line in lines.items()},
        "rates": rates(table, rows),
    }
    (folder / DESCRIPTION).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    text = "\n".join(item_lines(table, rows, learned)) + "\n"
    (folder / ITEMS).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def build(sets: Sets, work: Path) -> None:
    """Learn the table, write the asset, and write the items and the words left out into a folder."""
    table = sets.table
    learned = learn(table, np.r_[sets.whole, sets.cut], sets.whole)
    people = np.r_[sets.held_out, sets.sentences]
    lines = lines_of(table, people, learned.log_odds(table, people))
    write_asset(ASSETS / ASSET, table, sets.whole, learned, lines)
    strongest = sorted(item_lines(table, sets.whole, learned), key=lambda row: float(row.split("\t")[1]))
    header = "item\tweight\tmachine\tpeople\tmodels\tsources"
    (work / "items.tsv").write_text("\n".join([header, *strongest]) + "\n", encoding="utf-8")
    (work / "names.txt").write_text("\n".join(sorted(sets.excluded)) + "\n", encoding="utf-8")
    size = sum(path.stat().st_size for path in (ASSETS / ASSET).iterdir())
    print(f"{len(learned.chosen):,} items, {size:,} bytes, lines {lines}")
    print(", ".join(row.split("\t")[0] for row in strongest[:200]))
    record(ASSET, {"items": len(learned.chosen), "paragraphs": len(sets.whole)}, sources=[*SOURCES, *CORPORA])


def main() -> None:
    """Command line."""
    options = command_parser(__doc__, "machine", "corpora", work=True).parse_args()
    build(read_sets(options.machine, options.corpora), options.work)


if __name__ == "__main__":
    main()
