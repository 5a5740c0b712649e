"""The worth of chosen questions: a simulated rater answers questions that are chosen or drawn at random.

`python -m benchmarks.annotate RATINGS [--work DIR] [--seeds 5]`: the rater answers with the ratings of GUG's training
part, SFHOTEL with SFREST, and Lau BNC; a third of each, by source, is held out. Test questions and repeats count as
answers. The models that are compared learn from all answers, as `naturalness train` does with the exported table. The
interval that the page shows belongs to the model trained without the test share, so it is compared with the true figure
of that model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.leave_out.rated import rated_rows
from benchmarks.report import markdown_table, write
from naturalness import load_model
from naturalness.arrays import FloatArray, IntArray
from naturalness.features.measuring import measure as measure_texts
from naturalness.files.store import MeasurementStore
from naturalness.pipelines.fitting import Settings
from naturalness.reports.raters.learning_curve import PLAIN_LEARNER
from naturalness.statistics.correlation import spearman
from naturalness.studio.annotate.asking.choosing import GivenRating, Pool, choose
from naturalness.studio.annotate.asking.teaching import measure, rated_of, scores_of
from naturalness.studio.annotate.project.records import POINTS, Scale
from training.arguments import command_parser
from training.default_model.measure import put_cross_fitted

Row = Mapping[str, str]
SETS: Mapping[str, tuple[tuple[str, ...], Callable[[Row], str]]] = {
    "GUG": (("GUG",), lambda row: row["text"]),
    "SFHOTEL + SFREST": (("SFHOTEL", "SFREST"), lambda row: row["source"]),
    # The four round-trip translations of a sentence stand 500 rows apart.
    "Lau BNC": (("Lau BNC",), lambda row: str(int(row["id"].rpartition("-")[2]) % 500)),
}
"""The files of each set, and the source of a row; texts of a source are never split between training and testing."""
TEST = 1 / 3
"""Share of the texts held out for testing."""
ANSWERS = (50, 100, 200, 400)
CURVE = (25, 50, 75, 100, 150, 200, 300, 400)
"""Numbers of answers at which the curve of random choice is measured."""
CHOICES = {"chosen": ANSWERS, "random": CURVE}
SETTINGS = Settings(PLAIN_LEARNER, folds=3, parameters={"alpha": 100.0})
"""The same penalty for both, so that only the choice of texts differs."""
RESAMPLES = 2000
AT = 100
"""The number of answers whose worth is reported."""


@dataclass(frozen=True, slots=True)
class Split:
    """A set, split into the pool of texts to ask about and the held-out texts."""

    pool: Pool
    ratings: FloatArray
    held_out: FloatArray
    truth: FloatArray


@dataclass(frozen=True, slots=True)
class After:
    """Figures after a number of answers."""

    true: float
    """Spearman of the model trained on all answers, on the held-out texts."""
    shown: float
    """The figure that the page would show: on the test share, of the model trained without it."""
    low: float
    high: float
    shown_true: float
    """The true figure of that model, on the held-out texts."""


Runs = dict[str, dict[int, list[After]]]
"""By choice and number of answers, one entry per seed."""


def read_set(ratings: Path, name: str, work: Path | None) -> tuple[Pool, FloatArray, IntArray]:
    """Return a set measured with the groups of the default model, its ratings, and the number of each text's source.

    The default model's own score is not a feature, since that model was trained on these ratings. Columns of networks
    that ratings taught are by networks that never saw the set's family.
    """
    description = load_model("default").saved.description
    files, source = SETS[name]
    rows = [(file, row) for file in files for row in rated_rows(ratings, file)]
    texts, of_file = tuple(row["text"] for _, row in rows), np.array([file for file, _ in rows])
    store = MeasurementStore(work).check() if work is not None else None
    table = measure_texts(texts, description.groups, nlp=description.nlp, store=store).table
    for file in files:
        mine = np.flatnonzero(of_file == file)
        part = table[mine]
        put_cross_fitted(file, part, [texts[i] for i in mine], description.columns, None)
        table[mine] = part
    sources = np.unique([f"{file} {source(row)}" for file, row in rows], return_inverse=True)[1]
    pool = Pool(texts, table, tuple(description.columns))
    return pool, np.array([float(row["rating"]) for _, row in rows]), sources.astype(np.int64)


def split(pool: Pool, ratings: FloatArray, sources: IntArray, seed: int) -> Split:
    """Hold out a third of the texts, by source."""
    order = np.random.default_rng(1000 + seed).permutation(sources.max() + 1)
    many = np.cumsum(np.bincount(sources)[order])
    out = np.isin(sources, order[: int(np.searchsorted(many, TEST * len(pool))) + 1])
    texts = tuple(text for text, left in zip(pool.texts, ~out, strict=True) if left)
    return Split(Pool(texts, pool.table[~out], pool.columns), ratings[~out], pool.table[out], ratings[out])


def answer(part: Split, choice: str, answers: int, seed: int) -> list[GivenRating]:
    """Return the answers of a rater with the ratings of the set; repeated answers are the same."""
    # Texts are drawn at random from a pool without features.
    nothing = np.full_like(part.pool.table, np.nan)
    pool = part.pool if choice == "chosen" else replace(part.pool, table=nothing)
    judgements: list[GivenRating] = []
    for turn in range(answers):
        asked = choose(pool, judgements, turn=turn, busy=frozenset(), rater="simulated", seed=seed)
        if asked is None:
            break
        value = float(part.ratings[asked.text])
        judgements.append(GivenRating(asked.text, value, asked.test, asked.again, "simulated"))
    return judgements


def after(part: Split, judgements: Sequence[GivenRating], scale: Scale) -> After:
    """Train as the page does, and evaluate on the held-out texts."""
    rated, test = rated_of(part.pool, judgements, scale)
    taught, tested = rated.part(np.flatnonzero(~test)), rated.part(np.flatnonzero(test))
    figure = measure(scores_of(taught, tested.table, SETTINGS), tested)
    true, shown_true = (spearman(scores_of(data, part.held_out, SETTINGS), part.truth) for data in (rated, taught))
    return After(true, figure.value, figure.low, figure.high, shown_true)


def run_set(pool: Pool, ratings: FloatArray, sources: IntArray, seeds: int) -> Runs:
    """Return all runs of a set."""
    runs: Runs = {choice: {n: [] for n in counts} for choice, counts in CHOICES.items()}
    scale = Scale(POINTS, float(ratings.min()), float(ratings.max()))
    for seed in range(seeds):
        part = split(pool, ratings, sources, seed)
        for choice, counts in CHOICES.items():
            judgements = answer(part, choice, max(counts), seed)
            for n in counts:
                runs[choice][n].append(after(part, judgements[:n], scale))
            print(f"  {choice}, seed {seed}", flush=True)
    return runs


def true_figures(runs: Mapping[str, Runs], choice: str, answers: int) -> FloatArray:
    """Return the true figures, (sets, seeds)."""
    return np.array([[run.true for run in of[choice][answers]] for of in runs.values()])


def worth(ours: float, random: FloatArray) -> float:
    """Return how many random answers give a figure, by linear interpolation of the curve of random choice; at most the
    largest number that was tried."""
    return float(np.interp(ours, np.maximum.accumulate(random), CURVE))


def worths(runs: Mapping[str, Runs]) -> dict[str, float]:
    """Return what `AT` answers are worth, by the mean of the sets, with the 95 % interval of a bootstrap over seeds."""
    ours = true_figures(runs, "chosen", AT)
    random = np.stack([true_figures(runs, "random", n) for n in CURVE], axis=1)  # (sets, counts, seeds)
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(RESAMPLES):
        seeds = rng.integers(ours.shape[1], size=ours.shape[1])
        drawn.append(worth(float(ours[:, seeds].mean()), random[:, :, seeds].mean(axis=(0, 2))))
    low, high = np.quantile(drawn, [0.025, 0.975])
    value = worth(float(ours.mean()), random.mean(axis=(0, 2)))
    return {"worth": round(value, 1), "low": round(float(low), 1), "high": round(float(high), 1)}


def cell(values: FloatArray) -> str:
    """Return the mean over seeds with its 95 % interval by Student's t, such as ``.614 (.590 to .638)``."""
    from scipy.stats import t

    half = float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    ends = (values.mean(), values.mean() - half, values.mean() + half)
    return "{} ({} to {})".format(*(f"{v:.3f}".replace("0.", ".") for v in ends))


def tables(runs: Mapping[str, Runs]) -> str:
    """Return tables of the figures, the worth of answers, and the coverage of intervals."""
    titles = [f"{n} answers" for n in ANSWERS]
    figures = [
        [name, choice, *(cell(true_figures({name: of}, choice, n)[0]) for n in ANSWERS)]
        for name, of in runs.items()
        for choice in CHOICES
    ]
    figures += [["mean", c, *(f"{true_figures(runs, c, n).mean():.3f}" for n in ANSWERS)] for c in CHOICES]
    every = {choice: [[run for of in runs.values() for run in of[choice][n]] for n in ANSWERS] for choice in CHOICES}
    covered = [[c, *(np.mean([r.low <= r.shown_true <= r.high for r in some]) for some in every[c])] for c in CHOICES]
    values = worths(runs)
    return "\n".join(
        [
            "Spearman on the held-out texts: mean over seeds, with its 95 % interval.\n",
            markdown_table(["set", "choice", *titles], figures),
            f"\nNumber of random answers equivalent to {AT} chosen answers.\n",
            markdown_table(list(values), [list(values.values())]),
            "\nShare of runs in which the interval from the test share contains the true value.\n",
            markdown_table(["choice", *titles], covered),
        ]
    )


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "--work")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    runs = {name: run_set(*read_set(options.ratings, name, options.work), options.seeds) for name in SETS}
    plain = {
        name: {c: {str(n): [asdict(run) for run in seeds] for n, seeds in by.items()} for c, by in of.items()}
        for name, of in runs.items()
    }
    write(
        "annotate",
        "Choosing the next question: a simulated rater",
        tables(runs),
        {"worth": worths(runs), "runs": plain},
        command=f"python -m benchmarks.annotate RATINGS --seeds {options.seeds}",
        seeds=options.seeds,
    )


if __name__ == "__main__":
    main()
