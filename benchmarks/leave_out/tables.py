"""The results as Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.leave_out import monotony
from benchmarks.leave_out.beside import BEHIND, MEAN, OURS
from benchmarks.report import markdown_table
from naturalness.pipelines.card import short
from training.default_model.measure import FIGURES
from training.default_model.sets import MAIN, SIX

INTERVAL = "95 % intervals in brackets: 1,000 resamples of sources."


def cell(figure: Sequence[float]) -> str:
    """Return a figure with its interval."""
    value, low, high = figure
    return f"{short(value)} ({short(low, 2)} to {short(high, 2)})"


def shown(value: Any) -> Any:
    """Format floats with three digits."""
    return short(value) if isinstance(value, float) else value


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table with three digits."""
    return markdown_table(head, [[shown(value) for value in row] for row in rows])


def by_name(head: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a table with a row for each name and a column for each figure, with three digits."""
    return table([head, *next(iter(rows.values()))], [[name, *values.values()] for name, values in rows.items()])


def page(data: Mapping[str, Any]) -> str:
    """Return all sections."""
    parts = [
        _sets(data),
        *_beside(data["beside"]),
        *_pairs(data["pairs"]),
        "## With references\n",
        "A note: Spearman on 600 texts of each set of metrics that are told references, and of "
        "the model, which is not.\n",
        by_name("", data["with references"]),
        *_damage(data),
        *_weak(data),
    ]
    return "\n".join(parts)


def _sets(data: Mapping[str, Any]) -> str:
    rows = [[name, f"{row['n']:,}", *(row[f] for f in FIGURES)] for name, row in data["sets"].items()]
    for head, names in (("six", SIX), ("eight", MAIN)):
        mean = data[f"mean_of_{head}"]
        rows.append([f"*mean of {head}*: {', '.join(names)}", "", *mean.values()])
    return table(["left out", "texts", *FIGURES.values()], rows)


def _beside(data: Mapping[str, Any]) -> list[str]:
    best, bar = data["best of family"], data["bar"]
    names, seen = [*SIX, MEAN], data["learned from"]

    def cells(family: str, figures: Mapping[str, Sequence[float]]) -> list[str]:
        return [cell(figures[n]) + (" †" if n in seen.get(family, ()) else "") for n in names]

    rows = [
        [f"**{OURS}**" if family == OURS else f"{family}: {best[family]}", *cells(family, figures)]
        for family, figures in sorted(data["spearman"].items(), key=lambda pair: -pair[1][MEAN][0])
    ]
    less = [[family, *cells(family, figures)] for family, figures in data["ours less theirs"].items()]
    every = [
        [f"{family}: {name}", *values]
        for family, figures in data["members"].items()
        for name, values in figures.items()
    ]
    columns = data["best of all columns"]
    far, family, label = bar["furthest behind"]
    return [
        "## Beside the best single metric of each family\n",
        "Spearman. The best member of a family is the one with the highest mean over the six sets, "
        "picked after the fact. GRUEN was computed on 300 texts of each set. † marks sets whose "
        f"ratings trained its acceptability head; its mean and the differences omit them. {INTERVAL}\n",
        table(["", *names], rows),
        "The default model minus each family, on the same texts:\n",
        table(["family", *names], less),
        f"Mean above that of every family: {_yes(bar['ahead of each on the mean'])}; all intervals "
        f"of the differences above 0: {_yes(bar['intervals of the lead above 0'])}. Smallest difference "
        f"on a set: {short(far)} against {family} on {label} (criterion: at least -{BEHIND:g}).\n",
        "Of all feature columns, each signed so that its mean is positive, "
        f"`{columns['column']}` has the highest mean, {short(columns['mean'])}. The best column of each "
        "set: " + "; ".join(f"{name} `{c}` {short(v)}" for name, (c, v) in columns["best on each"].items()) + ".\n",
        "All members:\n",
        table(["metric", *names], every),
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _pairs(data: Mapping[str, Any]) -> list[str]:
    ordered, less, best = data["ordered rightly"], data["ours less theirs"], data["best of family"]
    rows = [[f"**{OURS}**", cell(ordered[OURS]), ""]]
    rows += [
        [
            f"{family}: {best[family]}" + (" †" if family in data["learned from them"] else ""),
            cell(ordered[family]),
            cell(less[family]),
        ]
        for family in best
    ]
    return [
        "## Pairs of E2E\n",
        f"Share of {data['pairs']:,} of {data['of']:,} pairs in which the preferred text has the "
        "higher score, by a model trained without E2E and RankME. GRUEN was computed on "
        f"{data['pairs that GRUEN read']} pairs. The best member of a family is the best on these "
        f"pairs, picked after the fact. † was trained on these pairs. {INTERVAL}\n",
        table(["", "ordered correctly", "default model minus this"], rows),
    ]


def _damage(data: Mapping[str, Any]) -> list[str]:
    growing = data["growing damage"]
    head = ["damages", "mean score", monotony.ABOVE, monotony.RAISED]
    return [
        "## Growing damage\n",
        f"{growing['sentences']} held-out sentences, the same number of each register.\n",
        table(head, monotony.rows_of(growing)),
        by_name("kind of the damage", growing[monotony.KINDS]),
    ]


def _weak(data: Mapping[str, Any]) -> list[str]:
    sentences = data["own sentences"]
    return [
        "## Length\n",
        "Spearman within bands of length, mean over the six sets weighted by texts.\n",
        by_name("length", data["by length"]),
        "## Natural sentences\n",
        "Scores of the same held-out sentences, undamaged, by register and by length.\n",
        by_name("", data["natural sentences"]),
        "## The same texts with different typing\n",
        by_name("", data["typed otherwise"]),
        "## Our own sentences\n",
        by_name("natural texts", sentences["kinds"]),
        by_name("one error", sentences["faults"]),
    ]
