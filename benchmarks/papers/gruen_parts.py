"""GRUEN's parts on their own tasks: `python -m benchmarks.papers.gruen_parts RATINGS CORPORA`.

How often the order head prefers the order in which held-out halves stood, by register; the
acceptability head on CoLA; neighbours in held-out text, and pairs that say the same; time for 100
documents of four sentences.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import context, markdown_table, write
from benchmarks.untrained import cola
from naturalness.arrays import FloatArray
from naturalness.metrics.gruen.beyond import PARAPHRASE_SIMILARITY
from naturalness.metrics.gruen.judges import Text, order_head, rating_head, shipped_judges
from naturalness.metrics.gruen.parts import MIN_SIMILARITY, fired_tests, gruen_parts, similarity
from naturalness.metrics.movers import Cloud, moving_cost, word_cloud
from naturalness.text.parsing import parse, tokenise
from training.order.passages import documents

READINGS = {"masked": True, "causal": False}
DOCUMENTS, SENTENCES = 100, 4
PASSAGES = 60
"""Of each register, at most."""
SEED = 0


def orders(corpora: Path) -> list[list[Any]]:
    """By register: how often the true order of two halves is preferred; how often each is right.

    Halves of two sentences each, from the beginnings of documents, as a text stands alone, and from
    anywhere.
    """
    rows = []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        every = documents(path, SENTENCES)
        inner = [(d, i) for d in every for i in range(SENTENCES, len(d) - SENTENCES + 1, SENTENCES)]
        row: list[Any] = [path.name.split(".")[0]]
        for splits in ([(document, 0) for document in every], inner):
            chosen = splits[:: max(1, len(splits) // PASSAGES)][:PASSAGES]
            logits = [both_orders(document[i : i + SENTENCES]) for document, i in chosen]
            right, swapped = np.array(logits).T
            both = float(np.mean([right > 0, swapped < 0]))
            row += [len(logits), float(np.mean(right > swapped)), both]
        rows.append(row)
    return [*rows, ["mean", *np.mean([row[1:] for row in rows], axis=0).tolist()]]


def both_orders(sentences: Sequence[str]) -> tuple[float, float]:
    """Logits of halves in their order, and swapped."""
    head = order_head()
    states = [Text(doc).inner for doc in tokenise(sentences)]
    vectors = np.concatenate([head.vector(state) for each in states for state in each[:1]])
    middle = len(vectors) // 2
    swapped = np.concatenate([vectors[middle:], vectors[:middle]])
    return head.logit(vectors, middle), head.logit(swapped, len(vectors) - middle)


def neighbours(corpora: Path) -> dict[str, float]:
    """Shares of pairs of held-out sentences that are violations, or say the same; distance."""
    rng = random.Random(SEED)
    real, foreign, same, far = [], [], [], []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        every = documents(path, SENTENCES)
        for _ in range(PASSAGES):
            document, another = rng.sample(every, 2)
            i = rng.randrange(len(document) - 1)
            first, second, third = clouds([document[i], document[i + 1], rng.choice(another)])
            real.append(similarity(first, second) < MIN_SIMILARITY)
            foreign.append(similarity(first, third) < MIN_SIMILARITY)
            same.append(similarity(first, second) > PARAPHRASE_SIMILARITY and not fired_tests(*document[i : i + 2]))
            if first is not None and third is not None:
                far.append(moving_cost(first, third))
    return {
        "neighbours without relation": float(np.mean(real)),
        "sentences of other documents without relation": float(np.mean(foreign)),
        "mean distance of sentences of other documents": float(np.mean(far)),
        "neighbours that say the same in other words": float(np.mean(same)),
    }


def same_facts(ratings: Path) -> dict[str, float]:
    """Of pairs of texts that systems wrote of the same facts, shares that are told as the same."""
    by_source: dict[str, set[str]] = {}
    with gzip.open(ratings / "e2e.naturalness.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            by_source.setdefault(row["source"], set()).add(row["text"])
    rng = random.Random(SEED)
    pairs = [rng.sample(sorted(texts), 2) for texts in by_source.values() if len(texts) > 1]
    fired = [bool(fired_tests(*pair)) for pair in pairs]
    near = [similarity(*clouds(pair)) > PARAPHRASE_SIMILARITY for pair in pairs]
    left = [is_near for is_near, known in zip(near, fired, strict=True) if not known]
    return {
        "E2E texts of the same facts, by the four tests": float(np.mean(fired)),
        "of the others, as paraphrases": float(np.mean(left)),
    }


def clouds(texts: Sequence[str]) -> list[Cloud | None]:
    """Of each."""
    return [word_cloud([token.text for token in doc]) for doc in tokenise(texts)]


def seconds(corpora: Path) -> dict[str, float]:
    """For 100 documents, parsed beforehand, by either likelihood; processor time."""
    texts = []
    for path in sorted(corpora.glob("*.dev.txt.xz")):
        texts += [" ".join(document[:SENTENCES]) for document in documents(path, SENTENCES)[:10]]
    figures = {}
    for name, masked in READINGS.items():
        judges = shipped_judges(masked=masked)
        gruen_parts(list(parse(texts[-2:])), judges)
        docs = list(parse(texts[:DOCUMENTS]))
        started = time.process_time()
        gruen_parts(docs, judges)
        figures[name] = time.process_time() - started
    return figures


def acceptability_of(texts: Sequence[str]) -> FloatArray:
    """The acceptability part of each text, as a table of one column."""
    head = rating_head()
    rows = [head.probabilities(Text(doc)) for doc in parse(texts)]
    return np.array([[row.mean() if len(row) else np.nan] for row in rows])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    options = parser.parse_args()
    took = seconds(options.corpora)
    by_register = orders(options.corpora)
    pairs = neighbours(options.corpora) | same_facts(options.ratings)
    acceptable = cola(options.ratings, acceptability_of)
    tables = [
        markdown_table(
            [
                "register",
                "beginnings",
                "true order preferred",
                "each right",
                "inner passages",
                "true order preferred",
                "each right",
            ],
            by_register,
        ),
        markdown_table(
            ["", ""],
            [
                ["CoLA development, Matthews of acceptability", acceptable[0]],
                *[[name, f"{share:.4f}"] for name, share in pairs.items()],
                *[[f"seconds for {DOCUMENTS} documents, {name}", took[name]] for name in READINGS],
            ],
        ),
    ]
    about = context(command="python -m benchmarks.papers.gruen_parts RATINGS CORPORA", seed=SEED)
    write(
        "papers_gruen_parts",
        "GRUEN's parts on their own tasks",
        "\n".join(tables),
        {"context": about, "order": by_register, "cola": acceptable[0], "pairs": pairs, "seconds": took},
    )


if __name__ == "__main__":
    main()
