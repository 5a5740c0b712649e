"""SLOR's open question: `python -m benchmarks.papers.slor_domain RATINGS CORPORA --work DIR`.

Is a language model of the domain better than a large foreign one? Four measures (`slor:lm:MODEL`,
`belonging`, `nce`, `ppl`) of what generators say about hotels and restaurants, by models of what
people wrote for other inputs of the same set (five folds), of dialogues in which hotels and
restaurants are booked, of as much of Wikipedia, and by the shipped model of 57 million tokens;
Williams' test of each against the shipped one.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.papers.compared import ENTRIES, Rated, as_data, figures, read, shown, whole_sources
from benchmarks.papers.slor_corpora import (
    HALF,
    OTHER_INPUTS,
    SAME,
    SEED,
    WITH_OWN,
    drawn,
    score,
    trained,
    within_domain,
)
from benchmarks.report import context, markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.statistics.significance import ALPHA, compare_all
from naturalness.text.parsing import parse

if TYPE_CHECKING:
    from spacy.tokens import Doc

MEASURES = ("slor", "belonging", "nce", "ppl")
FOREIGN = "shipped, all registers"
CORPORA = ("dialogues", "wikipedia")
MODELS = (OTHER_INPUTS, "dialogues", HALF, "wikipedia", FOREIGN)
NOTE = f"""Pearson with ratings, 95 % of a bootstrap over sources in brackets; `ppl` is turned.
*Dialogues* and *wikipedia* are {SAME:,} words each, drawn line by line; the *references* are what
people wrote for the same kind of input, and no text is scored by a model that saw the references of
its own input (five folds); *half and half* is the mean of the probabilities of both models. An
arrow tells that a model is better (↑) or worse (↓) than the shipped one by the same measure:
Williams' test of Pearson, two-sided, p < {ALPHA}, uncorrected.
"""
Scores = dict[tuple[str, str], FloatArray]
"""By model and measure."""


def by_models(rated: Rated, docs: Sequence[Doc], specs: Mapping[str, str], work: Path) -> tuple[Scores, int]:
    """All measures by all models, higher is better; tokens of the references of a fold."""
    scores, tokens = within_domain(rated, docs, work, MEASURES)
    for model, spec in specs.items():
        columns = score(spec, MEASURES, docs)
        scores |= {(model, measure): values for measure, values in columns.items()}
    return {key: -values if key[1] == "ppl" else values for key, values in scores.items()}, tokens


def on_set(name: str, scores: Scores, rated: Rated, resamples: int) -> list[dict[str, Any]]:
    """A row for each measure and model."""
    rows = []
    for measure in MEASURES:
        some = {model: scores[model, measure] for model in MODELS}
        by_metric = figures(some, rated, resamples, SEED)
        tests = {pair.first: pair.pearson for pair in compare_all(some, rated.ratings) if pair.second == FOREIGN}
        for model in MODELS:
            test = tests.get(model)
            rows.append(
                {
                    "set": name,
                    "measure": measure,
                    "model": model,
                    "n": by_metric[model].n,
                    "pearson": as_data(by_metric[model].pearson),
                    "williams against the shipped": test and round(test.statistic, 3),
                    "p": test and round(test.p, 5),
                }
            )
    return rows


def cell(row: Mapping[str, Any]) -> str:
    """Pearson with its interval, and an arrow."""
    arrow = ""
    if row["p"] is not None and row["p"] < ALPHA:
        arrow = " ↑" if row["williams against the shipped"] > 0 else " ↓"
    return shown(row["pearson"]) + arrow


def table(rows: Sequence[Mapping[str, Any]], tokens: Mapping[str, int]) -> str:
    """Measures and models down, sets across."""
    cells = {(row["measure"], row["model"], row["set"]): cell(row) for row in rows}
    many = ", ".join(f"{n:,}" for n in tokens.values())
    lines = [
        [
            f"`{measure}`",
            f"{model} ({many} tokens)" if model == OTHER_INPUTS else model,
            *(cells[measure, model, name] for name in tokens),
        ]
        for measure in MEASURES
        for model in MODELS
    ]
    return markdown_table(["measure", "model of", *tokens], lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="folder for language models")
    parser.add_argument("--each", type=int, default=10**9, help="texts of a set, about (all)")
    parser.add_argument("--resamples", type=int, default=1000)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    specs = {FOREIGN: "words"}
    for register in CORPORA:
        texts = drawn(options.corpora, [register], SAME)
        specs[register], _ = trained(texts, options.work / register, "words")
        print(register, flush=True)
    rows, tokens, many = [], {}, {}
    for name in WITH_OWN:
        rated = whole_sources(read(options.ratings, name), options.each)
        docs = list(parse(rated.texts))
        scores, tokens[name] = by_models(rated, docs, specs, options.work / "own")
        rows += on_set(name, scores, rated, options.resamples)
        many[name] = len(rated)
        print(f"{name}: {len(rated)} texts", flush=True)
    about = context(
        command="python -m benchmarks.papers.slor_domain RATINGS CORPORA --work DIR",
        seed=SEED,
        resamples=options.resamples,
        sets={name: ENTRIES[name].file for name in WITH_OWN},
        texts=many,
        tokens=tokens,
    )
    write(
        "papers_slor_domain",
        "SLOR: a model of the domain against a large foreign one",
        f"{NOTE}\n{table(rows, tokens)}",
        {"context": about, "rows": rows},
    )


if __name__ == "__main__":
    main()
