"""GRUEN on rated texts, step by step, and its parts on their own tasks.

`python -m benchmarks.gruen RATINGS CORPORA [--each N]`: correlations of each step of the paper's
ablation with ratings, by the masked likelihood and by the causal one, beside the paper's figures;
how often the order head prefers the order in which held-out halves stood, by register; the
acceptability part on CoLA; neighbours in held-out text; time for 100 documents of four sentences.
"""

from __future__ import annotations

import argparse
import lzma
import random
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from naturalness.models.metrics.gruen.grammaticality import Reading, acceptabilities
from scipy.stats import kendalltau

from benchmarks.report import context, markdown_table, write
from benchmarks.untrained import cola
from naturalness.features.base import FloatArray
from naturalness.models.metrics.clouds import moving_cost, word_cloud
from naturalness.models.metrics.gruen.coherence import order_head
from naturalness.models.metrics.gruen.focus import LEAST, similarity
from naturalness.models.metrics.gruen.parts import Parts, gruen_parts
from naturalness.parsing import parse, tokenise
from naturalness.pipelines.measures import pearson, spearman
from training.default_model.sets import read_set

SETS = {
    "SFHOTEL": {"naturalness": "sfhot.naturalness.tsv", "quality": "sfhot.quality.tsv"},
    "SFREST": {"naturalness": "sfres.naturalness.tsv", "quality": "sfres.quality.tsv"},
    "SummEval": {"fluency": "summeval.fluency.tsv.gz", "coherence": "summeval.coherence.tsv.gz"},
    "Newsroom": {"fluency": "newsroom.fluency.tsv", "coherence": "newsroom.coherence.tsv"},
    "DialSummEval": {"fluency": "dialsummeval.fluency.tsv"},
    "USR Topical-Chat": {"naturalness": "usr_topicalchat.naturalness.tsv"},
    "USR Persona-Chat": {"naturalness": "usr_personachat.naturalness.tsv"},
}
PAPER = {
    ("SFHOTEL", "naturalness"): (0.44, 0.48), ("SFREST", "naturalness"): (0.24, 0.25),
    ("SFHOTEL", "quality"): (0.44, 0.51), ("SFREST", "quality"): (0.27, 0.27),
}  # fmt: skip
"""Spearman and Pearson of the paper's GRUEN, over BERT and ALBERT."""
STEPS = {"G": "", "GU": "u", "GRU": "ur", "GRUEN": "urn"}
READINGS: tuple[Reading, ...] = ("masked", "causal")
DOCUMENTS, SENTENCES = 100, 4
PASSAGES = 60
"""Of each register, at most."""
SEED = 0


def by_reading(texts: Sequence[str]) -> dict[Reading, list[Parts]]:
    """Parts of texts by either likelihood."""
    docs = list(parse(texts))
    return {reading: gruen_parts(docs, reading) for reading in READINGS}


def correlations(scores: FloatArray, ratings: FloatArray) -> list[float]:
    """Spearman, Kendall, Pearson, over texts with a score."""
    kept = ~np.isnan(scores)
    x, y = scores[kept], ratings[kept]
    return [spearman(x, y), float(kendalltau(x, y).statistic), pearson(x, y)]


def on_ratings(ratings: Path, each: int) -> list[list[Any]]:
    """A row for each set, aspect, likelihood and step."""
    rows: list[list[Any]] = []
    for name, files in SETS.items():
        known: dict[tuple[str, ...], dict[Reading, list[Parts]]] = {}
        for aspect, file in files.items():
            rated = read_set(ratings / file)
            step = max(1, len(rated.texts) // each)
            texts = rated.texts[::step]
            if texts not in known:
                known[texts] = by_reading(texts)
            paper = PAPER.get((name, aspect), (None, None))
            for reading, parts in known[texts].items():
                for title, letters in STEPS.items():
                    scores = np.array([part.sum_of(letters) for part in parts])
                    found = correlations(scores, rated.ratings[::step])
                    shown = paper if title == "GRUEN" else (None, None)
                    rows.append([f"{name}, {aspect}", reading, title, *found, *shown])
            print(f"{name}, {aspect}: {len(texts)} texts", flush=True)
    return rows


def documents(path: Path) -> list[list[str]]:
    """Documents of a corpus file with four sentences or more."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        parts = [part.strip().split("\n") for part in file.read().split("\n\n")]
    return [part for part in parts if len(part) >= SENTENCES]


def orders(corpora: Path) -> list[list[Any]]:
    """By register: how often the true order of two halves is preferred; how often each is right.

    Halves of two sentences each, from the beginnings of documents, as a text stands alone, and from
    anywhere.
    """
    rows = []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        every = documents(path)
        inner = [(d, i) for d in every for i in range(SENTENCES, len(d) - SENTENCES + 1, SENTENCES)]
        row: list[Any] = [path.name.split(".")[0]]
        for places in ([(document, 0) for document in every], inner):
            chosen = places[:: max(1, len(places) // PASSAGES)][:PASSAGES]
            logits = [both_orders(document[i : i + SENTENCES]) for document, i in chosen]
            right, swapped = np.array(logits).T
            both = float(np.mean([right > 0, swapped < 0]))
            row += [len(logits), float(np.mean(right > swapped)), both]
        rows.append(row)
    return [*rows, ["mean", *np.mean([row[1:] for row in rows], axis=0).tolist()]]


def both_orders(sentences: Sequence[str]) -> tuple[float, float]:
    """Logits of halves in their order, and swapped."""
    head = order_head()
    rows = [[p for token in doc for p in head.below.cut(token.text.lower())]
            for doc in tokenise(sentences)]  # fmt: skip
    middle = len(rows) // 2
    one, other = (list(chain(*part)) for part in (rows[:middle], rows[middle:]))
    return head.logit(one, other), head.logit(other, one)


def neighbours(corpora: Path) -> tuple[float, float, float]:
    """Share of neighbours, and of sentences of other documents, that are violations; distance."""
    rng = random.Random(SEED)
    real, foreign, far = [], [], []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        every = documents(path)
        for _ in range(PASSAGES):
            one, other = rng.sample(every, 2)
            place = rng.randrange(len(one) - 1)
            texts = [one[place], one[place + 1], rng.choice(other)]
            first, second, third = (
                word_cloud([token.text for token in doc]) for doc in tokenise(texts)
            )
            real.append(similarity(first, second) < LEAST)
            foreign.append(similarity(first, third) < LEAST)
            if first is not None and third is not None:
                far.append(moving_cost(first, third))
    return float(np.mean(real)), float(np.mean(foreign)), float(np.mean(far))


def seconds(corpora: Path) -> dict[str, float]:
    """For 100 documents, parsed beforehand, by either likelihood; processor time."""
    texts = []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        texts += [" ".join(document[:SENTENCES]) for document in documents(path)[:10]]
    gruen_parts(list(parse(texts[:2])), "masked")
    found = {}
    for reading in READINGS:
        docs = list(parse(texts[:DOCUMENTS]))
        started = time.process_time()
        gruen_parts(docs, reading)
        found[reading] = time.process_time() - started
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--each", type=int, default=10**9, help="texts of a set (all)")
    given = parser.parse_args()
    took = seconds(given.corpora)
    by_register, (real, foreign, far) = orders(given.corpora), neighbours(given.corpora)
    acceptable = cola(given.ratings, acceptability_of)
    rows = on_ratings(given.ratings, given.each)
    header = ["set", "likelihood", "step", "Spearman", "Kendall", "Pearson", "paper's Spearman",
              "paper's Pearson"]  # fmt: skip
    tables = [
        markdown_table(header, rows),
        markdown_table(
            ["register", "beginnings", "true order preferred", "each right", "inner passages",
             "true order preferred", "each right"], by_register,
        ),
        markdown_table(["", ""], [
            ["CoLA development, Matthews of acceptability", acceptable[0]],
            ["neighbours that are violations", real],
            ["sentences of other documents that would be", foreign],
            ["mean distance of sentences of other documents", far],
            *[[f"seconds for {DOCUMENTS} documents, {name}", took[name]] for name in READINGS],
        ]),
    ]  # fmt: skip
    made = context(command="python -m benchmarks.gruen RATINGS CORPORA", seed=SEED)
    write("gruen", "GRUEN", "\n".join(tables), {
        "context": made, "ratings": rows, "order": by_register, "cola": acceptable[0],
        "violations": {"neighbours": real, "others": foreign, "distance": far}, "seconds": took,
    })  # fmt: skip


def acceptability_of(texts: Sequence[str]) -> FloatArray:
    """The acceptability part of each text, as a table of one column."""
    rows = acceptabilities(list(parse(texts)))
    return np.array([[row.mean() if len(row) else np.nan] for row in rows])


if __name__ == "__main__":
    main()
