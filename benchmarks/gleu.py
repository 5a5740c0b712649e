"""GLEU on generated texts, beside the paper's figures: `python -m benchmarks.gleu CORPORA`.

Texts of 24 tokens from the half of the held-out documents that `training.gleu` does not learn from:
1,000 for each sequence size below 24, then from tags, supertags and a grammar. Size 24 is every
sentence of 24 tokens of both halves; `training.gleu` leaves them out of its real sentences, though
words of those of its half are in its glued texts. Correlations give every size the same weight, as
in the paper, where each had 1,000 texts. Needs Link Grammar.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import context, markdown_table, write
from naturalness.features.base import FloatArray
from naturalness.models.metrics.gleu import PARTS
from naturalness.models.metrics.gleu.metric import fitted
from naturalness.models.parsers.link.parser import version
from naturalness.models.parsers.shipped import chart
from naturalness.parsing import parse
from naturalness.pipelines.generate import (
    GrammarSampler,
    SequenceGlue,
    TagChain,
    parsed_trees,
    pos_tagged,
    supertagged,
    token_count,
)
from training.gleu import KEPT, halves, is_whole, measured, tokens_of, written

SIZES = (1, 2, 3, 4, 6, 8)
TEXTS = 1000
BY_TAGS = 500
TAGGED = 3000
TREES = 1500
NEW = 150
RESAMPLES = 500
SEED = 0
PAPER = {"fragments": -0.23, "parse": 0.31, "nulls": -0.32, "invalid": 0.18, "five": 0.41}
"""Correlations with the size, 7,000 texts."""
PAPER_MEANS = {
    "24": {"parse": 0.52, "fragments": 0.12, "nulls": 0.02, "invalid": 0.78, "five": 1.07},
    "8": {"parse": 0.48, "fragments": 0.16, "nulls": 0.06, "invalid": 0.67, "five": 0.32},
    "1": {"parse": 0.41, "fragments": 0.24, "nulls": 0.10, "invalid": 0.56, "five": -0.96},
    "pos": {"parse": 0.60, "fragments": 0.26, "nulls": 0.09, "invalid": 0.62, "five": 0.28},
    "supertag": {"parse": 0.57, "fragments": 0.25, "nulls": 0.11, "invalid": 0.66, "five": -0.06},
    "cfg": {"parse": 0.36, "fragments": 0.43, "nulls": 0.18, "invalid": 0.53, "five": -2.48},
}  # fmt: skip
Scores = Mapping[str, FloatArray]


def texts_of(corpora: Path) -> dict[str, list[str]]:
    """Texts by method; a number is a sequence size."""
    learned, held = halves(corpora)
    pool = tokens_of(held)
    count = token_count()
    glue = SequenceGlue(pool, length=KEPT, count=count)
    found = {str(s): [m.text for m in glue.generate(TEXTS, size=s, seed=SEED)] for s in SIZES}
    every = [*pool, *tokens_of(learned)]
    found[str(KEPT)] = [written(t) for t in every if len(t) == KEPT and is_whole(t)]
    docs = parse(random.Random(SEED).sample(held, TAGGED))
    makers = {
        "pos": TagChain(pos_tagged(docs), length=KEPT, count=count),
        "supertag": TagChain(supertagged(docs), length=KEPT, count=count),
        "cfg": GrammarSampler(
            parsed_trees(docs[:TREES], chart()), pos_tagged(docs), length=KEPT, count=count
        ),
    }
    for name, maker in makers.items():
        found[name] = [made.text for made in maker.generate(BY_TAGS, seed=SEED)]
    return found


def scored(texts: Sequence[str]) -> Scores:
    """Normalised parts and both variants of GLEU."""
    made, names = fitted(), list(PARTS)
    table = made.normalised(measured(texts), names)
    found = {name: table[:, at] for at, name in enumerate(names)}
    for variant, plane in made.variants.items():
        found[variant] = plane.distance(table[:, [names.index(part) for part in plane.parts]])
    return found


def correlation(by_size: Mapping[int, FloatArray], rng: np.random.Generator | None = None) -> float:
    """Pearson of a number with the size, each size of the same weight; of a resample with rng."""
    values, sizes, weights = [], [], []
    for size, all_of_size in by_size.items():
        own = all_of_size[~np.isnan(all_of_size)]
        own = own if rng is None else rng.choice(own, len(own))
        values.append(own)
        sizes.append(np.full(len(own), float(size)))
        weights.append(np.full(len(own), 1 / len(own) / len(by_size)))
    x, y, w = map(np.concatenate, (values, sizes, weights))
    x, y = x - w @ x, y - w @ y
    return float((w @ (x * y)) / np.sqrt((w @ x**2) * (w @ y**2)))


def interval(by_size: Mapping[int, FloatArray]) -> str:
    """95 % of a bootstrap."""
    rng = np.random.default_rng(SEED)
    low, high = np.percentile([correlation(by_size, rng) for _ in range(RESAMPLES)], [2.5, 97.5])
    return f"{low:.2f} to {high:.2f}"


def _drawn(scores: FloatArray) -> FloatArray:
    """Some of them: texts stand register by register."""
    return np.random.default_rng(SEED).choice(scores, NEW, replace=False)


def accuracy(real: FloatArray, other: FloatArray) -> float:
    """Mean of the shares on the right side of the hyperplane."""
    return float(((real > 0).mean() + (other <= 0).mean()) / 2)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    given = parser.parse_args()
    texts = texts_of(given.corpora)
    scores = {name: scored(own) for name, own in texts.items()}
    whole = str(KEPT)
    data: dict[str, Any] = {
        "context": context(command="python -m benchmarks.gleu CORPORA", seed=SEED,
                           link_grammar=version()),
        "texts": {name: len(own) for name, own in texts.items()},
        "undefined": {
            name: {part: int(np.isnan(v).sum()) for part, v in own.items()}
            for name, own in scores.items()
        },
    }  # fmt: skip
    correlations, accuracies, means, fooled = [], [], [], []
    for part in scores[whole]:
        by_size = {size: scores[str(size)][part] for size in (*SIZES, KEPT)}
        found = correlation(by_size)
        correlations.append([part, found, interval(by_size), PAPER.get(part)])
    for variant in fitted().variants:
        real, glued = scores[whole][variant], scores["1"][variant]
        new = accuracy(*(_drawn(own) for own in (real, glued)))
        accuracies.append([variant, 100 * new, 100 * accuracy(real, glued),
                           81 if variant == "five" else None])  # fmt: skip
        for name in ("pos", "supertag", "cfg"):
            fooled.append([variant, name, 100 * float((scores[name][variant] <= 0).mean())])
    for name, own in scores.items():
        paper = PAPER_MEANS.get(name, {})
        told = [f"{np.nanmean(v):.2f}" + (f" ({paper[p]:.2f})" if p in paper else "")
                for p, v in own.items()]  # fmt: skip
        means.append([name, len(texts[name]), *told])
    tables = [
        ("Correlation with the size", ["metric", "ours", "95 %", "paper"], correlations),
        ("Accuracy, size 24 against size 1, in percent",
         ["variant", "300 new texts", "all, each side the same weight", "paper"], accuracies),
        ("Share of texts told to be no real ones, in percent",
         ["variant", "method", "share"], fooled),
        ("Means by method, the paper's in brackets",
         ["method", "texts", *scores[whole]], means),
    ]  # fmt: skip
    data |= {title: [dict(zip(head, row, strict=True)) for row in rows]
             for title, head, rows in tables}  # fmt: skip
    body = "\n".join(f"## {title}\n\n{markdown_table(head, rows)}" for title, head, rows in tables)
    write("gleu", "GLEU on generated texts", body, data)


if __name__ == "__main__":
    main()
