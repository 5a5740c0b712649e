"""Learning which version of a paragraph writers prefer.

`python -m benchmarks.versions RATINGS MACHINE --work DIR [--jobs N]`: LAMP's drafts by language models and edits by
writers, in five folds by source. It compares the learners of `train` with its features (without the rating head, which
was trained on LAMP) and with voice; voice alone, which learned from no ratings; and the shipped recipe of prose. The
share of paragraphs in the better half is also written into the package, by band of scores
(naturalness/judging/meaning.json). Then the model scores paragraphs of MACHINE; voice learned from these.
"""

from __future__ import annotations

import csv
import json
import lzma
import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.report import by_name, write
from naturalness.arrays import FloatArray
from naturalness.features import DEFAULT
from naturalness.judging.meaning import MEANING
from naturalness.judging.model import PROSE_MODEL
from naturalness.models.learners.table import AUTO
from naturalness.models.learners.verdict import graded
from naturalness.pipelines.evaluation import evaluate, pairs_within_sources
from naturalness.pipelines.fitting import Settings
from naturalness.pipelines.learning import Rated
from naturalness.pipelines.scorer import open_model
from naturalness.pipelines.warm_start import groups_with_known_ratings, without_ratings
from naturalness.statistics.logistic import sigmoid
from training.arguments import command_parser
from training.default_model.measure import table_of
from training.prose.learning import FOLDS, GROUPS, SCORE, SEED, figures, out_of_fold, read_paragraphs

LEARNERS = {
    "as train has them": ("logistic-l2", "linear-svm-l2", "within-sources", AUTO),
    "and voice": ("logistic-l2", "within-sources"),
}
EDGES, GAPS = (0.0, 0.4, 0.5, 0.6, 1.0), (0.0, 0.02, 0.05, 0.1, 0.15, 2.0)
"""Ends of bands of scores, and of differences of two scores."""
MIN_WORDS, EACH = 50, 30
"""Shortest paragraphs of MACHINE, and the number of each kind and side."""


def learned(data: Rated, learners: Sequence[str], jobs: int) -> dict[str, dict[str, float]]:
    """Return the figures of each learner; what `auto` chose is part of its name."""
    settings = {name: Settings(learner=name) for name in learners}
    results = evaluate(data, settings, FOLDS, baselines={}, n_jobs=jobs)
    out = {}
    for name, result in results.items():
        assert result.naturalness is not None
        chosen = f" ({', '.join(sorted(set(result.chosen)))})" if name == AUTO else ""
        out[name + chosen] = figures(data, np.nansum(result.naturalness, axis=0))
    return out


def bands(data: Rated, scores: FloatArray) -> list[dict[str, float]]:
    """Return by band of scores how many paragraphs were rated in the better half."""
    better = data.ratings > np.median(data.ratings)
    rows = []
    for low, high in pairwise(EDGES):
        inside = (scores >= low) & ((scores < high) | (high == 1))
        share = round(float(better[inside].mean()), 3)
        same = {"better": share, "lowest": share, "highest": share}
        rows.append({"from": low, "to": high, "texts": int(inside.sum()), "sets": 1, **same})
    return rows


def differences(data: Rated, scores: FloatArray) -> dict[str, dict[str, float]]:
    """Return by the difference of two versions' scores how often the higher one has the better rating."""
    pairs = pairs_within_sources(data)["within_sources"]
    apart = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    rows = {}
    for low, high in pairwise(GAPS):
        inside = (np.abs(apart) >= low) & (np.abs(apart) < high)
        name = f"{low:g} to {high:g}" if high <= 1 else f"{low:g} or more"
        rows[name] = {"pairs": int(inside.sum()), "higher is better": float((apart[inside] > 0).mean())}
    return rows


def paragraphs(machine: Path) -> dict[str, list[str]]:
    """Return paragraphs by people and by chat models, the same number of each kind of text."""
    out = {}
    for side in ("human", "llm"):
        with lzma.open(machine / f"{side}.tsv.xz", "rt", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        kinds: defaultdict[str, list[str]] = defaultdict(list)
        for row in rows:
            if len(row["text"].split()) >= MIN_WORDS:
                kinds[row["kind"]].append(row["text"])
        rng = random.Random(SEED)
        out |= {f"{kind}, {side}": rng.sample(some, EACH) for kind, some in sorted(kinds.items()) if len(some) >= EACH}
    return out


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "machine", work=True)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    data = read_paragraphs(options.ratings, options.work)
    margins = out_of_fold(data)
    voice = data.table[:, data.columns.index(SCORE)]
    rows: dict[str, dict[str, float]] = {
        "the shorter version": figures(data, -data.lengths),
        "voice, no rating": figures(data, voice),
        "the model of prose": figures(data, margins),
    }
    groups = without_ratings(DEFAULT) if groups_with_known_ratings(DEFAULT, data.texts) else list(DEFAULT)
    for title, columns in zip(LEARNERS, (groups, [*groups, "voice"]), strict=True):
        table = read_paragraphs(options.ratings, options.work, columns)
        rows |= {
            f"{name}, features {title}": row for name, row in learned(table, LEARNERS[title], options.jobs).items()
        }
    model = open_model(PROSE_MODEL)
    calibration = model.saved.compiled.calibration
    scores = sigmoid(calibration.apply(margins[:, None]))[:, 0]
    meaning, apart = bands(data, scores), differences(data, scores)
    MEANING.write_text(json.dumps(json.loads(MEANING.read_text()) | {PROSE_MODEL: meaning}, indent=1) + "\n")
    shares = {f"{band['from']:g} to {band['to']:g}": {k: band[k] for k in ("texts", "better")} for band in meaning}
    kinds: dict[str, dict[str, float]] = {}
    for name, texts in paragraphs(options.machine).items():
        kind, side = name.split(", ")
        values = graded(model.saved.compiled.decide(table_of(name, texts, options.work, GROUPS)))
        below, middle, above = np.quantile(values, (0.1, 0.5, 0.9))
        kinds.setdefault(kind, {})
        kinds[kind] |= {f"{side}, lowest tenth": below, f"{side}, median": middle, f"{side}, highest tenth": above}
    pairs = {name: len(some) for name, some in pairs_within_sources(data).items()}
    text = "\n".join(
        [
            f"{len(data):,} paragraphs, {pairs['within_sources']:,} pairs of versions with different ratings; in "
            f"{pairs['within_sources_not_shorter']:,} of them the better version is not shorter.\n",
            by_name("", rows),
            "Paragraphs that were rated in the better half, by the score of prose:\n",
            by_name("score", shares),
            "Pairs of versions by the difference of their scores:\n",
            by_name("difference", apart),
            f"Scores of {EACH} paragraphs of {MIN_WORDS} words or more of each kind, by people and by chat models "
            "(voice learned from such paragraphs):\n",
            by_name("", {kind: row for kind, row in kinds.items() if len(row) == 2 * 3}),
        ]
    )
    command = "python -m benchmarks.versions RATINGS MACHINE --work DIR"
    write(
        "versions",
        "Versions of a paragraph",
        text,
        {"figures": rows, "bands": meaning, "differences": apart, "kinds": kinds},
        command=command,
        seed=SEED,
    )


if __name__ == "__main__":
    main()
