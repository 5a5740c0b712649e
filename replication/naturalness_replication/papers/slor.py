"""SLOR beside the paper's figures: `python -m naturalness_replication slor RATINGS CORPORA --work DIR`.

Kann, Rothe & Filippova (CoNLL 2018). Each metric of the paper on six rated sets: Pearson with 95 %
of a bootstrap over sources, the error that is left after the best line, what is left given length,
and the paper's tests against the best metric (Fisher's z of Pearson, two-sample t of squared
errors, one-tailed, p < .05) with Williams' beside them; by system; SVR and ROUGE-LM; language
models of other sizes and domains (`slor_corpora`), which are left in DIR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc

from benchmarks.report import markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.metrics import Metric
from naturalness.reports.metrics.subsets import by_column
from naturalness.statistics.bootstrap import Figures
from naturalness.text.parsing import parse
from naturalness_replication.lstm.folder import open_language_model
from naturalness_replication.papers import RESULTS
from naturalness_replication.papers.compared import (
    ENTRIES,
    ComparedTexts,
    as_data,
    figures,
    read,
    scored,
    shown,
    thinned,
    together,
    worse_by,
)
from naturalness_replication.papers.slor_corpora import by_corpus, metrics_of
from naturalness_replication.papers.slor_learned import learned
from training.arguments import command_parser
from training.tables import read_table

_PAPER = read_table(__file__, "slor.toml")
PAPER: Mapping[str, Sequence[float]] = _PAPER["figures"]
"""Pearson and error on 2,955 compressions (Toutanova et al. 2016), with an LSTM of Gigaword."""
CALLED: Mapping[str, str] = _PAPER["called"]
FORMULAS = ("slor", "nce", "ppl")
"""The metrics of another language model."""
OVERLAP = ("rouge-l", "lr3-f", "lr2-f", "lr3-r", "rouge-l-single")
OURS = ("slor:neural", "nce:neural", "wpslor-words", "length")
REFERENCED = ("SFHOTEL", "SFREST", "E2E")
SETS = (*REFERENCED, "GUG", "Lau BNC", "style transfer")
BOTH = "SFHOTEL + SFREST"
JUDGED = ("SFHOTEL", "SFREST", BOTH, *SETS[2:])
BY_SYSTEM = ("slor", "wpslor", "slor:neural", "nce", "wpnce", "rouge-l", "lr3-r", "length")
MIN_TEXTS = 100
"""The fewest texts for which a system gets a row."""
SEED = 0
DIFFERS = """What differs from the paper:

- **Data.** The paper's compressions (Toutanova et al. 2016) are not available. These sets replace
  them: hotel and restaurant utterances by generators (SFHOTEL, SFREST, E2E), learners' sentences
  (GUG), round-trip machine translations of BNC sentences (Lau BNC), and reviews after style transfer.
  Only the first three have references.
- **Labels.** SFHOTEL and SFREST give medians of mostly three judges. E2E has magnitude estimates; we
  use means after clipping at 100, and one rater's estimates correlate .15 with the others'. Errors
  (MSE) are in squared units of each set's own scale, so they cannot be compared between sets. SFHOTEL
  and SFREST are combined into one set, since they have the same scale.
- **Models.** 5-grams of words and of word pieces from 57 million tokens, pruned to the shipped size,
  replace an LSTM trained on Gigaword. `slor:neural` is a small network mixed with 5-grams.
- **Signs.** PPL and `length` are negated, so a positive correlation is good in every row.
- **Intervals and tests.** Outputs for one input are resampled together. As in the paper, z (Fisher)
  and t treat two metrics on the same texts as independent samples; W (Williams) does not. All tests
  are one-tailed at .05, without correction for multiple comparisons, against the metric with the
  highest Pearson correlation, which is bold; `length` is only a baseline.
"""
Scores = dict[str, FloatArray]


def allowed(rated: ComparedTexts, docs: Sequence[Doc], others: Sequence[str]) -> Scores:
    """Return all metrics that a set allows, and those of other models, negated where lower is better."""
    known = any(rated.references)
    names: list[str | Metric] = [name for name in (*PAPER, *OURS) if known or name not in OVERLAP]
    for spec in others:
        names += metrics_of(open_language_model(spec), FORMULAS).values()
    return scored(names, docs, rated.references if known else None)


def on_set(name: str, scores: Scores, rated: ComparedTexts, resamples: int) -> list[dict[str, Any]]:
    """Return a row for each metric: figures, and the tests by which it is worse than the best."""
    plain = figures(scores, rated, resamples, SEED)
    controlled = figures(scores, rated, resamples, SEED, control=-scores["length"])
    best = best_of(plain)
    rows = []
    for metric, figure in plain.items():
        rows.append(
            {
                "set": name,
                "metric": metric,
                "n": figure.n,
                "pearson": as_data(figure.pearson),
                "mse": as_data(figure.mse)[0],
                "spearman": as_data(figure.spearman)[0],
                "given length": None if metric == "length" else as_data(controlled[metric].pearson),
                "worse than the best by": worse_by(scores, rated.ratings, best, metric),
                "best": metric == best,
            }
        )
    return rows


def best_of(by_metric: Mapping[str, Figures]) -> str:
    """Return the metric with the highest Pearson, length excepted."""
    return max((name for name in by_metric if name != "length"), key=lambda n: by_metric[n].pearson.value)


def by_system(scores: Scores, rated: ComparedTexts, resamples: int) -> dict[str, dict[str, list[Any]]]:
    """Return Pearson of some metrics on each system's texts, after the number of texts."""
    by_metric: dict[str, dict[str, list[Any]]] = {}
    for part in by_column("system", rated.systems):
        if len(part.rows) < MIN_TEXTS:
            continue
        some = {name: scores[name][part.rows] for name in BY_SYSTEM if name in scores}
        figure_of = figures(some, rated.part(part.rows), resamples, SEED)
        by_metric[part.name.partition("=")[2]] = {
            "n": [len(part.rows)],
            **{name: as_data(f.pearson) for name, f in figure_of.items()},
        }
    return by_metric


def set_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of one set, the best metric in bold."""
    shown_rows = []
    for row in rows:
        name = CALLED.get(row["metric"], f"`{row['metric']}`")
        paper = PAPER.get(row["metric"], (None, None))
        mse = row["mse"]
        shown_rows.append(
            [
                f"**{name}**" if row["best"] else name,
                shown(row["pearson"]),
                "" if mse is None else f"{mse:.4g}",
                shown(row["given length"]),
                row["worse than the best by"],
                *(f"{p:.3f}" if p else "" for p in paper),
            ]
        )
    header = [
        "metric",
        "Pearson",
        "MSE",
        "Pearson given length",
        "worse than the best by",
        "paper's Pearson",
        "paper's MSE",
    ]
    return markdown_table(header, shown_rows)


def domain_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of Pearson by metric and set."""
    pearson = {(row["metric"], row["set"]): row["pearson"][0] for row in rows}
    names = list(dict.fromkeys([*PAPER, *OURS, *(row["metric"] for row in rows)]))
    lines = []
    for metric in names:
        paper = PAPER.get(metric)
        cells = [pearson.get((metric, name)) for name in JUDGED]
        lines.append(
            [
                CALLED.get(metric, f"`{metric}`"),
                *("" if c is None else f"{c:.2f}" for c in cells),
                f"{paper[0]:.2f}" if paper else "",
            ]
        )
    return markdown_table(["metric", *JUDGED, "paper"], lines)


def system_table(by_metric: Mapping[str, Mapping[str, Sequence[Any]]]) -> str:
    """Return the table of Pearson by system for one set."""
    names = [name for name in BY_SYSTEM if any(name in row for row in by_metric.values())]
    rows = [[system, row["n"][0], *(shown(row[name]) for name in names)] for system, row in by_metric.items()]
    return markdown_table(["system", "texts", *(CALLED.get(n, f"`{n}`") for n in names)], rows)


def plain(systems: Mapping[str, Mapping[str, Mapping[str, Sequence[Any]]]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Drop the intervals, which are on the page."""
    return {
        name: {system: {key: cell[0] for key, cell in row.items()} for system, row in by_system.items()}
        for name, by_system in systems.items()
    }


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "ratings", "corpora", work=True)
    parser.add_argument("--each", type=int, default=10**9, help="texts of a set at most (all)")
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--lm", action="append", default=[], help="also a model, such as a folder that lstm wrote")
    options = parser.parse_args()
    sets = {name: thinned(read(options.ratings, name), options.each) for name in SETS}
    docs = {name: list(parse(rated.texts)) for name, rated in sets.items()}
    scores = {name: allowed(rated, docs[name], options.lm) for name, rated in sets.items()}
    sets[BOTH] = together(sets["SFHOTEL"], sets["SFREST"])
    scores[BOTH] = {
        name: np.concatenate([scores["SFHOTEL"][name], scores["SFREST"][name]]) for name in scores["SFHOTEL"]
    }
    rows, systems = [], {}
    for name in JUDGED:
        rows += on_set(name, scores[name], sets[name], options.resamples)
        if len(set(sets[name].systems)) > 1:
            systems[name] = by_system(scores[name], sets[name], options.resamples)
        print(f"{name}: {len(sets[name])} texts", flush=True)
    fitted = learned({name: (sets[name], scores[name]) for name in (BOTH, "E2E")}, options.resamples)
    corpora = by_corpus(
        {name: (sets[name], docs[name]) for name in SETS}, options.corpora, options.work, options.resamples
    )
    body: list[str] = [DIFFERS, "## All sets\n", domain_table(rows)]
    for name in JUDGED:
        body += [f"## {name}, {len(sets[name]):,} texts\n", set_table([r for r in rows if r["set"] == name])]
        if name in systems:
            body.append(system_table(systems[name]))
    body += [fitted.text, corpora.text]
    write(
        "slor",
        "SLOR (Kann, Rothe & Filippova 2018)",
        "\n".join(body),
        {"metrics": rows, "systems": plain(systems), "learned": fitted.data, "corpora": corpora.data},
        folder=RESULTS,
        command="python -m naturalness_replication slor RATINGS CORPORA --work DIR",
        seed=SEED,
        resamples=options.resamples,
        sets={name: ENTRIES[name].file for name in SETS},
        texts={name: len(sets[name]) for name in JUDGED},
    )
