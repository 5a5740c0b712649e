"""Write a table of voice: thresholds of false alarms, rates of constructions, and the items with their counts."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.models.voice import DESCRIPTION, FORMAT_VERSION, ITEMS, logistic
from training.voice.learning import NAMES, USUAL_EVENNESS, Learned, Rows, Table

FALSE_ALARMS, MOST_FALSE_ALARMS = 0.02, 0.03
MIN_LINE_TEXTS = 50
"""Texts that a line needs, so that one of them may lie above it."""
LENGTHS = (10, 20, 50)
"""Shortest lengths in words for which lines are set."""
MIN_LONG = LENGTHS[-1]
MIN_RATE_TEXTS = 100
"""Texts of both sides that a kind needs for rates of constructions."""
WORDS_PER_RATE = 10_000


def lines_of(table: Table, rows: Rows, log_odds: FloatArray) -> dict[int, float]:
    """Return, for each of `LENGTHS`, the log-odds that people's texts of this length or more rarely exceed.

    Of all texts, `FALSE_ALARMS` exceed the threshold, and of no source more than `MOST_FALSE_ALARMS`. Sources count the
    same, but those with fewer texts than `MIN_LINE_TEXTS` less; lengths with fewer have no line.
    """
    lines = {}
    for shortest, longest in pairwise([*LENGTHS, np.inf]):
        inside = (table.words[rows] >= shortest) & (table.words[rows] < longest)
        if inside.sum() < MIN_LINE_TEXTS:
            continue
        values, sources = log_odds[inside], table.column("source")[rows][inside]
        names, index, n = np.unique(sources, return_inverse=True, return_counts=True)
        order = np.argsort(-values)
        share = np.cumsum((1 / np.maximum(n, MIN_LINE_TEXTS))[index][order])
        line = float(values[order][np.searchsorted(share, FALSE_ALARMS * share[-1])])
        large = names[n >= MIN_LINE_TEXTS]
        each = [np.quantile(values[sources == name], 1 - MOST_FALSE_ALARMS) for name in large]
        lines[shortest] = float(max([line, *each]))
    return lines


def rates(table: Table, rows: Rows) -> dict[str, dict[str, list[float]]]:
    """Return occurrences of each construction per 10,000 words of people and of chat models, by kind."""
    kinds, machine = table.column("kind")[rows], table.column("machine")[rows]
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
    for side, attribute in ((True, "model"), (False, "source")):
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


def write_table(folder: Path, table: Table, rows: Rows, learned: Learned, lines: Mapping[int, float]) -> list[str]:
    """Write the table and the description, and return the lines of the items, those of chat models first.

    Signs are turned, so that positive is for people.
    """
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
    items = item_lines(table, rows, learned)
    text = "\n".join(items) + "\n"
    (folder / ITEMS).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return sorted(items, key=lambda row: float(row.split("\t")[1]))
