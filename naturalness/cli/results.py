"""Figures on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any


def show_results(summary: Mapping[str, Any]) -> None:
    """Learners and, under a line, baselines; then what was chosen."""
    from naturalness.pipelines.card import figure_rows
    from naturalness.pipelines.evaluation import HEADLINES

    sections = [figure_rows(summary["learners"]), figure_rows(summary["baselines"])]
    print_table(("", *HEADLINES.values()), sections)
    model, protocol = summary["model"], summary["protocol"]
    together = ", texts of one source kept together" if protocol["sources_kept_together"] else ""
    sys.stdout.write(
        f"mean ± deviation of {protocol['repeats']} fresh splits, {protocol['test_size']:.0%} for "
        f"testing{together}; baselines below the line\n"
        f"model: {model['recipe']}, {model['learner']}, {model['n_columns']} columns, "
        f"threshold {model['threshold']:.3f}\n"
    )


def print_table(header: tuple[str, ...], sections: list[list[list[str]]]) -> None:
    """A readable table on standard output."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(header):
        table.add_column(name, justify="right" if i else "left", no_wrap=True)
    for rows in sections:
        table.add_section()
        for row in rows:
            table.add_row(*row)
    wide = None if sys.stdout.isatty() else 200
    console = Console(file=sys.stdout, highlight=False, width=wide)
    console.begin_capture()
    console.print(table)
    sys.stdout.write(console.end_capture())
