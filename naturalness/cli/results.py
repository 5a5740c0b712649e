"""Format results for the terminal: figures of a model, rankings of metrics and systems."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from naturalness.cli.parser import as_options
from naturalness.cli.terminal import Paint, page_width, print_table, wrapped
from naturalness.errors import counted

if TYPE_CHECKING:
    from naturalness.reports.metrics.result import Comparison
    from naturalness.statistics.bootstrap import Interval


def show_results(summary: Mapping[str, Any]) -> None:
    """Print learners and, below a line, baselines; then print the chosen learner and its settings."""
    from naturalness.pipelines.card import conclusions, figure_rows
    from naturalness.pipelines.evaluation import shown_figures

    sections = [figure_rows(summary["learners"]), figure_rows(summary["baselines"])]
    print_table(("", *shown_figures(summary["learners"]).values()), sections)
    if "pairs" not in summary["data"]:
        print_table(("of the model", *CLASSES), [_classes(summary)])
    model, protocol = summary["model"], summary["protocol"]
    together = ", texts of one source kept together" if protocol["sources_kept_together"] else ""
    sys.stdout.write(
        f"mean ± deviation of {counted(protocol['repeats'], 'fresh split')}, {protocol['test_size']:.0%} for "
        f"testing{together}; baselines below the line\n{VERSIONS * (protocol['chosen_by'] == 'mean_order')}"
        f"model: {', '.join(dict.fromkeys((model['recipe'], model['learner'])))}, "
        f"{model['n_read']:,} column{'s'[: model['n_read'] != 1]}, threshold {model['threshold']:.3f}\n"
    )
    sys.stdout.writelines(f"{as_options(line)}\n" for line in conclusions(summary))


CLASSES = ("precision", "recall")
VERSIONS = (
    "pairs of a source: of those with different ratings, the share in which the better text scores higher; both "
    "orders: the mean of the order of all texts and of these pairs, -1 to 1\n"
)


def _classes(summary: Mapping[str, Any]) -> list[list[str]]:
    """Return precision and recall of each label, for the chosen learner."""
    from naturalness.pipelines.card import figure_text

    result = summary["learners"][summary["model"]["recipe"]]
    return [[name, *(figure_text(result[f"{kind} {name}"]) for kind in CLASSES)] for name in summary["data"]["labels"]]


PARTS = 8
"""Number of values of a column in one table."""
HEADER = ("", "Spearman [95 %]", "Pearson [95 %]", "beats", "Kendall", "MSE", "given length", "systems", "n")


def show_comparison(result: Comparison, by: Sequence[str] = ()) -> None:
    """Print metrics from best to worst, first on all texts, then for each value of the columns ``by``; drop the last
    columns of the first table if they do not fit.
    """
    from naturalness.reports.metrics.subsets import GIVEN_LENGTH, MEANS

    rows = []
    for name in result.ranking():
        figures = result.find(name)
        rows.append(
            [
                name,
                _interval(figures.spearman),
                _interval(figures.pearson),
                str(len(result.beats(name))),
                number(figures.kendall.value),
                number(figures.mse.value),
                *(number(result.find(name, part).spearman.value) for part in (GIVEN_LENGTH, MEANS)),
                f"{figures.n:,}",
            ]
        )
    print_table(HEADER, [rows])
    for column in by:
        _show_parts(result, column)
    paint = Paint(False)
    sys.stdout.writelines(
        f"{line}\n" for said in describe(result) for line in wrapped(said, page_width(), paint, then="  ")
    )


def _show_parts(result: Comparison, column: str) -> None:
    """Print the Spearman correlations of the metrics for each value of a column, `PARTS` values in a table."""
    order = result.ranking()
    parts = list(dict.fromkeys(row.subset for row in result.rows if row.kind == column))
    for start in range(0, len(parts), PARTS):
        some = parts[start : start + PARTS]
        rows = [[name, *(number(result.find(name, part).spearman.value) for part in some)] for name in order]
        print_table((f"Spearman, {column}:", *(part.removeprefix(f"{column}=") or "(empty)" for part in some)), [rows])


def number(value: float) -> str:
    """Write a figure with three decimals, or a dash if it is undefined."""
    from naturalness.pipelines.card import short

    return short(value) if value == value else "–"


def _interval(estimate: Interval) -> str:
    if estimate.value != estimate.value:
        return "–"
    if estimate.low != estimate.low:
        return number(estimate.value)
    return f"{number(estimate.value)} [{number(estimate.low)}, {number(estimate.high)}]"


def describe(result: Comparison) -> list[str]:
    """Return lines on significant differences, systems, raters and ceiling, and notes on rows."""
    from naturalness.pages.templating import render_lines
    from naturalness.reports.metrics.figures import MIN_SYSTEMS
    from naturalness.statistics.bootstrap import too_few
    from naturalness.statistics.significance import n_tested

    return render_lines(
        "comparison.txt.j2",
        result=result,
        best=result.as_good_as_best(),
        tested=n_tested(result.pairs),
        min_systems=MIN_SYSTEMS,
        reversed=[entry.name for entry in result.metrics if not entry.higher_is_better],
        few=too_few(result.n_sources),
        kendall=max(result.find(entry.name).kendall_resamples for entry in result.metrics),
        number=number,
    )
