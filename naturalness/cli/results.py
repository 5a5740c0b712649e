"""Format results for the terminal: figures of a model, rankings of metrics and systems."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from naturalness.cli.terminal import print_table

if TYPE_CHECKING:
    from naturalness.reports.metrics.paired import PairStandings, Share
    from naturalness.reports.metrics.result import Comparison
    from naturalness.reports.metrics.scoring import Scored
    from naturalness.reports.systems.report import SystemsReport
    from naturalness.statistics.bootstrap import Interval


def show_results(summary: Mapping[str, Any]) -> None:
    """Print learners and, below a line, baselines; then print the chosen learner and its settings."""
    from naturalness.pipelines.card import (
        GROUP_COLUMNS,
        columns_text,
        elimination_note,
        figure_rows,
        gap_note,
        group_note,
        group_rows,
        recipe_text,
    )
    from naturalness.pipelines.evaluation import shown_figures
    from naturalness.pipelines.headline import beside_shipped, sentence

    sections = [figure_rows(summary["learners"]), figure_rows(summary["baselines"])]
    print_table(("", *shown_figures(summary["learners"]).values()), sections)
    if note := gap_note(summary):
        sys.stdout.write(f"{note}\n")
    if "pairs" not in summary["data"]:
        print_table(("of the model", *CLASSES), [_classes(summary)])
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
        f"model: {recipe_text(model)}, {columns_text(model)}, "
        f"threshold {model['threshold']:.3f}\n"
        f"{sentence(summary)}\n"
    )
    if beside := beside_shipped(summary):
        sys.stdout.write(f"{beside}\n")


CLASSES = ("precision", "recall")


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
        figures = result.row(name).figures
        length, means = result.find(name, GIVEN_LENGTH), result.find(name, MEANS)
        rows.append(
            [
                name,
                _interval(figures.spearman),
                _interval(figures.pearson),
                str(len(result.beats(name))),
                _number(figures.kendall.value),
                _number(figures.mse.value),
                _number(length.spearman.value) if length else "–",
                _number(means.spearman.value) if means else "–",
                f"{figures.n:,}",
            ]
        )
    print_table(HEADER, [rows])
    for column in by:
        _show_parts(result, column)
    _print_wrapped(describe(result))


def _show_parts(result: Comparison, column: str) -> None:
    """Print the Spearman correlations of the metrics for each value of a column, `PARTS` values in a table."""
    order = result.ranking()
    parts = list(dict.fromkeys(row.subset for row in result.rows if row.kind == column))
    for start in range(0, len(parts), PARTS):
        some = parts[start : start + PARTS]
        rows = [[name, *(_number(result.row(name, part).figures.spearman.value) for part in some)] for name in order]
        print_table((f"Spearman, {column}:", *(part.removeprefix(f"{column}=") for part in some)), [rows])


def _print_wrapped(lines: Sequence[str]) -> None:
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 100
    for line in lines:
        wrapped = textwrap.wrap(line, max(40, min(width, 120)), subsequent_indent="  ", break_on_hyphens=False)
        sys.stdout.write("\n".join(wrapped) + "\n")


PAIR_HEADER = ("", "pairs ordered correctly [95 %]", "beats", "pairs")


def show_pair_standings(result: PairStandings) -> None:
    """Print metrics from best to worst, first on all pairs, then on the pairs of each phenomenon."""
    order = result.ranking()
    rows = [
        [name, _interval(share), str(len(result.beats(name))), f"{share.pairs:,}"]
        for name in order
        for share in [result.shares[name]]
    ]
    print_table(PAIR_HEADER, [rows])
    if result.phenomena:
        cells = [
            [
                phenomenon,
                f"{max(share.pairs for share in shares.values()):,}",
                *(_interval(shares[name]) for name in order),
            ]
            for phenomenon, shares in result.phenomena.items()
        ]
        print_table(("phenomenon", "pairs", *order), [cells])
    _print_wrapped(describe_pairs(result))


def describe_pairs(result: PairStandings) -> list[str]:
    """Return lines on significant differences, reversed metrics, rows left out, and the method."""
    from naturalness.reports.metrics.result import reasons_in_lines

    many = len(result.tested)
    sources = "" if result.n_sources == result.n_pairs else " over sources"
    lines = [
        *_best(result.as_good_as_best(), "on pairs"),
        f"beats: number of metrics it is significantly better than, at .05: sign test{sources}, "
        f"Holm's correction for {many:,} pair{'s'[: many != 1]} of metrics",
        f"{result.n_pairs:,} pairs of {result.n_texts:,} texts from {result.n_sources:,} sources "
        "(pairs that share a source or a text); a tie counts as half a pair; chance is .5; 95 % "
        "intervals (Wilson's, for fewer pairs where those of a source are alike)",
        *_turned(result.metrics),
    ]
    lines += [f"{entry.name}: {entry.note}" for entry in result.metrics if entry.note]
    return [*lines, *reasons_in_lines(result.left_out)]


def _number(value: float) -> str:
    from naturalness.pipelines.card import short

    return short(value) if value == value else "–"


def _interval(estimate: Interval | Share) -> str:
    if estimate.value != estimate.value:
        return "–"
    if estimate.low != estimate.low:
        return _number(estimate.value)
    return f"{_number(estimate.value)} [{_number(estimate.low)}, {_number(estimate.high)}]"


def describe(result: Comparison) -> list[str]:
    """Return lines on significant differences, systems, raters and ceiling, and notes on rows."""
    from naturalness.reports.metrics.result import reasons_in_lines
    from naturalness.statistics.significance import n_tested

    many = n_tested(result.pairs)
    lines = [
        *_best(result.as_good_as_best(), "by Spearman"),
        "beats: number of metrics it is significantly better than, at .05: Williams' test on "
        f"ranks, Holm's correction for {many:,} pair{'s'[: many != 1]}",
        _systems(result),
        *_raters(result),
        *_turned(result.metrics),
    ]
    lines += [f"{row.metric}: {row.note}" for row in result.rows if row.subset == "all" and row.note]
    lines += [_intervals(result), *reasons_in_lines(result.left_out)]
    return [line for line in lines if line]


def _best(best: Sequence[str], by: str) -> list[str]:
    """Return a line with the best metric and the metrics that are not significantly worse."""
    from naturalness.pages.formats import enumeration

    rest = enumeration(best[1:]) if best[1:] else "none"
    return [f"best {by}: {best[0]}; not significantly worse: {rest}"] if best else []


def _turned(metrics: Sequence[Scored]) -> list[str]:
    """Return a line with the metrics whose scores were reversed."""
    turned = [entry.name for entry in metrics if not entry.higher_is_better]
    return [f"reversed, since lower is better: {', '.join(turned)}"] if turned else []


def _intervals(result: Comparison) -> str:
    from naturalness.statistics.bootstrap import too_few

    if few := too_few(result.n_sources):
        return f"{len(result.ratings):,} texts; no intervals: {few}; MSE after the best line, lower is better"
    of = "texts" if result.n_sources == len(result.ratings) else f"{result.n_sources:,} sources"
    figures = [row.figures for row in result.rows if row.subset == "all"]
    fewer = max(entry.kendall_resamples for entry in figures)
    rest = f" (Kendall's {fewer:,})" if 0 < fewer < result.settings.resamples else ""
    return (
        f"{len(result.ratings):,} texts; 95 % BCa intervals from {result.settings.resamples:,} "
        f"resamples of {of}{rest}; MSE after the best line, lower is better"
    )


def _systems(result: Comparison) -> str:
    many = len(set(result.systems or ()) - {None})
    if not many:
        return ""
    from naturalness.reports.metrics.figures import MIN_SYSTEMS

    if many < MIN_SYSTEMS:
        return f"systems: {many}, too few to rank (at least {MIN_SYSTEMS} are needed)"
    return f"systems: Spearman of the means of {many} systems"


def _raters(result: Comparison) -> list[str]:
    agreement = result.agreement
    if agreement is None or not agreement.items:
        return ["raters: no individual ratings, so neither agreement nor a ceiling can be computed"]
    return [
        f"raters: {agreement.items:,} texts with {agreement.ratings:.1f} ratings; Krippendorff's alpha "
        f"{_number(agreement.alpha_nominal)} nominal, {_number(agreement.alpha_ordinal)} ordinal, "
        f"{_number(agreement.alpha_interval)} interval; Fleiss' kappa {_number(agreement.fleiss)}; "
        f"quadratic kappa {_number(agreement.kappa)}; one against the others "
        f"{_number(agreement.against_others_pearson)} (Pearson)",
        f"ceiling: a perfect metric could reach a Pearson of {_number(agreement.ceiling)} (the mean "
        f"rating has a reliability of {_number(agreement.reliability)})",
    ]


def show_report(report: SystemsReport) -> None:
    """Print verdicts and a table of systems."""
    from naturalness.pages.formats import decimal, share

    lines = (*report.verdict_of_runs, *report.verdict, *report.cause_sentences.values())
    sys.stdout.writelines(f"{line}\n" for line in lines)
    rows: list[list[Any]] = [
        [
            system.system,
            f"{system.n_texts:,}",
            decimal(system.mean.value),
            decimal(system.mean.low),
            decimal(system.mean.high),
            share(system.below.value),
            share(system.unlike.value),
            f"{system.n_texts - system.n_scored:,}",
            *(decimal(system.axes[axis].value) if axis in system.axes else "–" for axis in report.axes),
        ]
        for system in report.standings
    ]
    header = ("", "texts", "naturalness", "from", "to", "below threshold", "unlike training", "no score", *report.axes)
    print_table(header, [rows])
    sys.stdout.writelines(f"{line}\n" for line in report.notes)
