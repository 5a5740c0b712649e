"""Figures on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any


def show_results(summary: Mapping[str, Any]) -> None:
    """Learners and, under a line, baselines; then what was chosen."""
    from naturalness.pipelines.card import GROUP_COLUMNS, elimination_note, figure_rows, group_note, group_rows
    from naturalness.pipelines.evaluation import shown_figures
    from naturalness.pipelines.headline import beside_shipped, sentence

    sections = [figure_rows(summary["learners"]), figure_rows(summary["baselines"])]
    print_table(("", *shown_figures(summary["learners"]).values()), sections)
    if "pairs" not in summary["data"]:
        print_table(("of the model", *CLASSES.values()), [_classes(summary)])
    if groups := group_rows(summary):
        print_table(("of the group", *GROUP_COLUMNS), [groups])
        sys.stdout.write(f"{group_note(summary)}\n")
    if note := elimination_note(summary):
        sys.stdout.write(f"{note}\n")
    model, protocol = summary["model"], summary["protocol"]
    together = ", texts of one source kept together" if protocol["sources_kept_together"] else ""
    sys.stdout.write(
        f"mean ± deviation of {protocol['repeats']} fresh splits, {protocol['test_size']:.0%} for "
        f"testing{together}; baselines below the line\n"
        f"model: {model['recipe']}, {model['learner']}, {model['n_columns']} columns, "
        f"threshold {model['threshold']:.3f}\n"
        f"{sentence(summary)}\n"
    )
    if beside := beside_shipped(summary):
        sys.stdout.write(f"{beside}\n")


CLASSES = {"precision": "precision", "recall": "recall"}


def _classes(summary: Mapping[str, Any]) -> list[list[str]]:
    """Precision and recall of each label, of the recipe that the model was fitted by."""
    from naturalness.pipelines.card import figure_text

    result = summary["learners"][summary["model"]["recipe"]]
    return [[name, *(figure_text(result[f"{kind} {name}"]) for kind in CLASSES)] for name in summary["data"]["labels"]]


def print_table(header: tuple[str, ...], sections: list[list[list[str]]]) -> None:
    """A readable table on standard output; what does not fit beside leaves from the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else 200)
    rows = [list(header), *(row for section in sections for row in section)]
    # What rich puts between columns, and before the first.
    widths = [max(len(row[i]) for row in rows) + 3 for i in range(len(header))]
    shown = len(header)
    while shown > 2 and sum(widths[:shown]) > console.width:
        shown -= 1
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(header[:shown]):
        table.add_column(name, justify="right" if i else "left", no_wrap=True)
    for section in sections:
        table.add_section()
        for row in section:
            table.add_row(*row[:shown])
    console.begin_capture()
    console.print(table)
    sys.stdout.write(console.end_capture())
