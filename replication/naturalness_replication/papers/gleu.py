"""GLEU beside the paper's figures: `python -m naturalness_replication gleu RATINGS CORPORA`.

Mutton, Dras, Wan & Dale (ACL 2007). Texts of 24 tokens from the half of the held-out documents that
`training.gleu` does not learn from: 1,000 for each sequence size below 24, then from tags,
supertags and a grammar. Size 24 is every sentence of 24 tokens of both halves; `training.gleu`
leaves them out of its real sentences, though words of those of its half are in its glued texts.
Correlations give every size the same weight, as in the paper, where each had 1,000 texts. In place
of the trials with judges: ratings of other texts (`gleu_rated`). Needs Link Grammar.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.metrics.gleu import GLEU_STRUCTURE, STRUCTURE
from naturalness.models.parsers.chart.parser import chart
from naturalness.text.parsing import parse
from naturalness_replication.generating import (
    GrammarSampler,
    SequenceGlue,
    TagChain,
    parsed_trees,
    pos_tagged,
    supertagged,
    token_count,
)
from naturalness_replication.gleu import GLEU_LINK, GLEU_STRUCTURE_LINK, PARTS, STRUCTURE_LINK, fitted
from naturalness_replication.gleu import PAPER as PAPERS_PARTS
from naturalness_replication.link import version
from naturalness_replication.papers import RESULTS
from naturalness_replication.papers.compared import ENTRIES
from naturalness_replication.papers.gleu_rated import SETS, rated_table, with_ratings
from training.arguments import command_parser
from training.gleu import BENCHMARK_TOKENS, halves, is_whole, measured, tokens_of, written
from training.tables import read_table

VARIANTS = {GLEU_LINK.name: PAPERS_PARTS, GLEU_STRUCTURE_LINK.name: STRUCTURE_LINK, GLEU_STRUCTURE.name: STRUCTURE}
"""The paper's four parts; these and ours; ours without Link Grammar."""
GLEU = GLEU_LINK.name
SIZES = (1, 2, 3, 4, 6, 8)
TEXTS = 1000
BY_TAGS = 500
TAGGED = 3000
TREES = 1500
NEW = 150
RESAMPLES = 500
SEED = 0
_PAPER = read_table(__file__, "gleu.toml")
PAPER: Mapping[str, Sequence[float]] = _PAPER["correlation"]
"""Correlations with the size: 7,000 texts, and the 50 that judges rated."""
PAPER_MEANS: Mapping[str, Mapping[str, float]] = _PAPER["means"]
JUDGES: Mapping[str, float] = _PAPER["judges"]
"""The paper's means of magnitudes, scaled to 0..1 for each judge."""
DIFFERS = """What differs from the paper:

- **Text.** Held-out documents of eleven registers replace Reuters. By every method, texts begin with
  a letter and end in a full stop. There are fewer than 1,000 real sentences of 24 tokens, and 500
  texts each by tags, supertags and grammar. The grammar is extracted from 1,500 trees of our parser,
  not from the Penn Treebank, and supertags are derived from dependencies ([how](../../docs/gleu.md)).
- **Parsers.** Instead of Connexor's fragments, `fragments` counts improbable arcs of spaCy's parser.
  Instead of Collins's parser, `parse` is ln P of the best tree under our treebank grammar. Link
  Grammar is a newer version. Counts and sums are per token, and the constants are frozen.
- **Learner.** A linear SVM is trained on 2,000 real sentences of 6 to 40 tokens and 2,000 texts glued
  from single words; the paper has 1,000 of each, of 24 tokens. Distances are in standard deviations,
  so only the signs and the order of mean GLEU can be compared with the paper's.
- **Parts.** `gleu-link` has the four parts of the paper, and only its figures should be compared with
  the paper's. `structure` is our addition: `gleu-structure-link` has it in addition to those four,
  `gleu-structure` omits the two parts of Link Grammar.
- **Judges.** There are no judges of these texts; see the last table.
"""
Scores = Mapping[str, FloatArray]


def texts_of(corpora: Path) -> dict[str, list[str]]:
    """Return texts by method; a number is a sequence size."""
    learned, held = halves(corpora)
    pool = tokens_of(held)
    count = token_count()
    glue = SequenceGlue(pool, length=BENCHMARK_TOKENS, count=count)
    by_size = {str(s): list(glue.generate(TEXTS, size=s, seed=SEED)) for s in SIZES}
    every = [*pool, *tokens_of(learned)]
    by_size[str(BENCHMARK_TOKENS)] = [written(t) for t in every if len(t) == BENCHMARK_TOKENS and is_whole(t)]
    docs = parse(random.Random(SEED).sample(held, TAGGED))
    makers: dict[str, TagChain | GrammarSampler] = {
        "pos": TagChain(pos_tagged(docs), length=BENCHMARK_TOKENS, count=count),
        "supertag": TagChain(supertagged(docs), length=BENCHMARK_TOKENS, count=count),
        "cfg": GrammarSampler(
            parsed_trees(docs[:TREES], chart()), pos_tagged(docs), length=BENCHMARK_TOKENS, count=count
        ),
    }
    for name, maker in makers.items():
        by_size[name] = list(maker.generate(BY_TAGS, seed=SEED))
    return by_size


def scored(texts: Sequence[str]) -> Scores:
    """Return normalised parts, and GLEU with the paper's parts and with ours."""
    raw, names = measured(texts), list(PARTS)
    parts: dict[str, FloatArray] = {}
    distances: dict[str, FloatArray] = {}
    for name, variant in VARIANTS.items():
        asset = fitted(variant)
        plane = asset.variants[variant]
        table = asset.normalised(raw[:, [names.index(name) for name in plane.parts]], plane.parts)
        parts |= zip(plane.parts, table.T, strict=True)
        distances[name] = plane.distance(table)
    return {name: parts[name] for name in names} | distances


def correlation(by_size: Mapping[int, FloatArray], rng: np.random.Generator | None = None) -> float:
    """Return Pearson of a number with the size, sizes weighted equally; with ``rng``, of a bootstrap resample."""
    values, sizes, weights = [], [], []
    for size, all_of_size in by_size.items():
        scores = all_of_size[~np.isnan(all_of_size)]
        scores = scores if rng is None else rng.choice(scores, len(scores))
        values.append(scores)
        sizes.append(np.full(len(scores), float(size)))
        weights.append(np.full(len(scores), 1 / len(scores) / len(by_size)))
    x, y, w = map(np.concatenate, (values, sizes, weights))
    x, y = x - w @ x, y - w @ y
    return float((w @ (x * y)) / np.sqrt((w @ x**2) * (w @ y**2)))


def interval(draw: Callable[[np.random.Generator], float], digits: int = 2) -> str:
    """Return the 95 % bootstrap interval of a figure, which ``draw`` returns for a resample."""
    rng = np.random.default_rng(SEED)
    low, high = np.percentile([draw(rng) for _ in range(RESAMPLES)], [2.5, 97.5])
    return f"{low:.{digits}f} to {high:.{digits}f}"


def _drawn(scores: FloatArray) -> FloatArray:
    """Draw a sample, since texts are ordered by register."""
    return np.random.default_rng(SEED).choice(scores, NEW, replace=False)


def accuracy(real: FloatArray, other: FloatArray) -> float:
    """Return the mean of both shares on the right side of the hyperplane."""
    return float(((real > 0).mean() + (other <= 0).mean()) / 2)


def mean_interval(values: FloatArray) -> str:
    """Return the 95 % bootstrap interval of the mean."""
    known = values[~np.isnan(values)]
    return interval(lambda rng: rng.choice(known, len(known)).mean())


def around(real: FloatArray, other: FloatArray) -> str:
    """Return the 95 % bootstrap interval of the accuracy, in percent."""
    return interval(lambda rng: 100 * accuracy(*(rng.choice(side, len(side)) for side in (real, other))), 0)


Table = tuple[str, Sequence[str], list[list[Any]]]
"""Title, header and rows."""
WHOLE, METHODS = str(BENCHMARK_TOKENS), ("pos", "supertag", "cfg")
NAMES = tuple(VARIANTS)


def with_size(scores: Mapping[str, Scores]) -> Table:
    """Return the table of correlations with the size of the pieces."""
    rows: list[list[Any]] = []
    for part in scores[WHOLE]:
        by_size = {size: scores[str(size)][part] for size in (*SIZES, BENCHMARK_TOKENS)}
        paper = PAPER.get(part, (None, None))
        rows.append([part, correlation(by_size), interval(partial(correlation, by_size)), *paper])
    return ("Correlation with the size", ["metric", "ours", "95 %", "paper", "paper, 50 texts"], rows)


def separation(scores: Mapping[str, Scores]) -> Table:
    """Return the table of the hyperplanes' accuracy."""
    rows: list[list[Any]] = []
    for variant in NAMES:
        real, glued = scores[WHOLE][variant], scores["1"][variant]
        new = [_drawn(part) for part in (real, glued)]
        paper = 81 if variant == GLEU else None
        every = 100 * accuracy(real, glued)
        rows.append([variant, 100 * accuracy(*new), around(*new), every, paper])
    header = ["metric", "300 new texts", "95 %", "all, each side the same weight", "paper"]
    return "Accuracy, size 24 against size 1, in percent", header, rows


def not_fooled(scores: Mapping[str, Scores]) -> Table:
    """Return the table of texts by unseen methods that fall below the plane."""
    rows: list[list[Any]] = [
        [variant, name, 100 * float((scores[name][variant] <= 0).mean())] for variant in NAMES for name in METHODS
    ]
    title = "Share of texts recognised as not real, in percent"
    return title, ["metric", "method", "share"], rows


def by_method(scores: Mapping[str, Scores]) -> Table:
    """Return the table of means, the paper's Table 6 in brackets."""
    rows: list[list[Any]] = []
    for name, values in scores.items():
        paper = PAPER_MEANS.get(name, {})
        cells = [f"{np.nanmean(v):.2f}" + (f" ({paper[p]:.2f})" if p in paper else "") for p, v in values.items()]
        rows.append([name, len(next(iter(values.values()))), *cells, JUDGES.get(name)])
    header = ["method", "texts", *scores[WHOLE], "judges (paper)"]
    return "Means by method (the paper's in brackets)", header, rows


def sure_by_method(scores: Mapping[str, Scores]) -> Table:
    """Return the table of mean GLEU with intervals."""
    rows: list[list[Any]] = []
    for name, values in scores.items():
        for variant in NAMES:
            paper = PAPER_MEANS.get(name, {}).get(variant)
            mean = float(np.nanmean(values[variant]))
            rows.append([name, variant, mean, mean_interval(values[variant]), paper])
    return "GLEU by method", ["method", "metric", "mean", "95 %", "paper"], rows


def main() -> None:
    """Command line."""
    options = command_parser(__doc__, "ratings", "corpora").parse_args()
    scores = {name: scored(texts) for name, texts in texts_of(options.corpora).items()}
    rated = with_ratings(options.ratings, scored)
    tables = [make(scores) for make in (with_size, separation, not_fooled, by_method, sure_by_method)]
    undefined = {
        name: {part: int(np.isnan(v).sum()) for part, v in texts.items() if np.isnan(v).any()}
        for name, texts in scores.items()
    }
    body = [f"## {title}\n\n{markdown_table(head, rows)}" for title, head, rows in tables]
    body += [f"## Correlation with ratings\n\n{rated_table(rated)}"]
    write(
        "gleu",
        "GLEU (Mutton, Dras, Wan & Dale 2007)",
        "\n".join([DIFFERS, *body]),
        {
            "undefined": undefined,
            **{title: [dict(zip(head, row, strict=True)) for row in rows] for title, head, rows in tables},
            "With ratings": rated,
        },
        folder=RESULTS,
        command="python -m naturalness_replication gleu RATINGS CORPORA",
        seed=SEED,
        link_grammar=version(),
        sets={name: ENTRIES[name].file for name in SETS},
    )
