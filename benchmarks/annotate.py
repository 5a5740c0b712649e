"""What well-chosen questions are worth: a simulated rater, asked by choice, by chance, in doubt.

`python -m benchmarks.annotate RATINGS [--work DIR] [--seeds 5]`: the rater answers from GUG's
training part, SFHOTEL with SFREST, and Lau BNC; a third of each, by whole sources, is the true
test. Every fifth question is of the test share, every tenth is asked again, whatever the strategy,
and both count as answers. The model that is compared learned from all answers, those of the test
share too, as `naturalness train` does with the exported table. The interval that the page shows is
that of the model without the test share, so it is held against the true figure of that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.annotate_runs import ANSWERS, CURVE, After, Runs, run_set, worth
from benchmarks.annotate_sets import read_sets
from benchmarks.report import markdown_table, write
from naturalness.studio.annotate.asking import DEFAULT_STRATEGY, STRATEGIES
from training.arguments import command_parser

BESIDE = ("random", "uncertain")
RESAMPLES = 2000
AT = 100
"""The number of answers whose worth is reported."""


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean over the seeds and its 95 % interval by Student's t."""
    from scipy.stats import t

    numbers = np.asarray(values)
    half = float(t.ppf(0.975, len(numbers) - 1) * numbers.std(ddof=1) / np.sqrt(len(numbers)))
    return float(numbers.mean()), float(numbers.mean()) - half, float(numbers.mean()) + half


def cell(runs: Sequence[After]) -> str:
    """``.614 (.590 to .638)``"""
    return "{} ({} to {})".format(*(f"{v:.3f}".replace("0.", ".") for v in interval(_true(runs))))


def _true(runs: Sequence[After]) -> list[float]:
    return [run.true for run in runs]


def worths(runs: Mapping[str, Runs], strategy: str) -> dict[str, Any]:
    """What `AT` answers are worth: in each set, and by the mean figure of the sets, which is the
    steadiest, with the 95 % interval of a bootstrap over seeds.
    """
    random = np.array([[_true(f["random"][n]) for n in CURVE] for f in runs.values()])
    true_worths = np.array([_true(f[strategy][AT]) for f in runs.values()])  # (sets, seeds)
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(RESAMPLES):
        seeds = rng.integers(true_worths.shape[1], size=true_worths.shape[1])
        curve = random[:, :, seeds].mean(axis=(0, 2))
        drawn.append(worth(float(true_worths[:, seeds].mean()), CURVE, curve.tolist()))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return {
        "sets": {
            name: round(worth(float(true_worths[i].mean()), CURVE, random[i].mean(axis=1).tolist()), 1)
            for i, name in enumerate(runs)
        },
        "all": round(worth(float(true_worths.mean()), CURVE, random.mean(axis=(0, 2)).tolist()), 1),
        "low": round(float(low), 1),
        "high": round(float(high), 1),
    }


def table(runs: Mapping[str, Runs], strategies: Sequence[str]) -> str:
    """Return tables of the figures, the worth of answers, and the coverage of intervals."""
    rows: list[list[Any]] = [
        [name, strategy, *(cell(values[strategy][n]) for n in ANSWERS)]
        for name, values in runs.items()
        for strategy in strategies
    ]
    for strategy in strategies:
        means = [np.mean([np.mean(_true(f[strategy][n])) for f in runs.values()]) for n in ANSWERS]
        rows.append(["mean", strategy, *(f"{v:.3f}".replace("0.", ".") for v in means)])
    figures = markdown_table(["set", "choice", *(f"{n} answers" for n in ANSWERS)], rows)
    lines: list[list[Any]] = []
    for strategy in strategies:
        values = worths(runs, strategy)
        spread = f"{values['low']:.0f} to {values['high']:.0f}"
        lines.append([strategy, *values["sets"].values(), values["all"], spread])
    header = [f"{AT} answers by", *runs, "by the mean of the sets", "95 %"]
    covered = [[strategy, *(f"{100 * _covered(runs, strategy, n):.0f} %" for n in ANSWERS)] for strategy in strategies]
    return "\n".join(
        [
            "Spearman on the true test set: mean over seeds, with its 95 % interval.\n",
            figures,
            f"\nNumber of random answers equivalent to {AT} chosen answers, from the mean curve of random choice.\n",
            markdown_table(header, lines),
            "\nShare of runs in which the interval from the test share contains the true value.\n",
            markdown_table(["choice", *(f"{n} answers" for n in ANSWERS)], covered),
        ]
    )


def _covered(runs: Mapping[str, Runs], strategy: str, answers: int) -> float:
    return float(np.mean([run.inside for f in runs.values() for run in f[strategy][answers]]))


def plain(runs: Mapping[str, Runs]) -> dict[str, Any]:
    """Return all runs as plain data for the JSON file."""
    return {
        name: {
            strategy: {
                str(n): [
                    {key: round(getattr(run, key), 4) for key in ("true", "shown", "low", "high", "shown_true")}
                    for run in seeds
                ]
                for n, seeds in by_count.items()
            }
            for strategy, by_count in strategies.items()
        }
        for name, strategies in runs.items()
    }


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "ratings", "--work")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--also", default="", help="further strategies, with commas between them")
    options = parser.parse_args()
    also = [name for name in options.also.split(",") if name]
    strategies = list(dict.fromkeys([DEFAULT_STRATEGY, *BESIDE, *also]))
    runs: dict[str, Runs] = {}
    for name, data in read_sets(options.ratings, options.work).items():
        print(f"{name}: {len(data.texts):,} texts", flush=True)
        runs[name] = run_set(data, strategies, range(options.seeds), {"random": CURVE})
    write(
        "annotate",
        "Choosing the next question: a simulated rater",
        table(runs, strategies),
        {"worth": {s: worths(runs, s) for s in strategies}, "runs": plain(runs)},
        command=f"python -m benchmarks.annotate RATINGS --seeds {options.seeds}"
        + (f" --also {options.also}" if also else ""),
        default=DEFAULT_STRATEGY,
        strategies={name: list(STRATEGIES[name]) for name in strategies},
        seeds=options.seeds,
    )


if __name__ == "__main__":
    main()
