"""Link Grammar: what it costs, what its settings change, what its figures say of ratings.

`python -m benchmarks.link RATINGS`: on GUG's sentences (train part). Speed is sentences per second
of processor time, without the parse of spaCy. First the settings in use on all sentences, those
that are linked whole apart from those that need words left out, and Pearson of each feature with
the mean rating; then, on the first sentences, one setting changed at a time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from spacy.tokens import Doc

from benchmarks.report import context, markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.features.base import stack
from naturalness.features.link import LinkFeatures, row
from naturalness.models.parsers.link.parser import LinkedSentence, LinkParser, Settings, version
from naturalness.statistics.correlation import pearson
from naturalness.text.parsing import parse
from training.default_model.sets import read_set

GUG = "gug.grammaticality.tsv"
IN_USE = Settings()
CHOICES = (
    IN_USE,
    replace(IN_USE, linkages=10),
    replace(IN_USE, linkages=100),
    replace(IN_USE, linkages=300),
    replace(IN_USE, short_length=3),
    replace(IN_USE, short_length=6),
    replace(IN_USE, short_length=16),
)
SHOWN = ("null_count", "null_count_word", "complete", "invalid_share", "disjunct_cost")
NAMES = [feature.name for feature in LinkFeatures.features]


def linked(docs: Sequence[Doc], settings: Settings) -> tuple[list[list[LinkedSentence]], FloatArray]:
    """The sentences of each Doc, and seconds of processor time for each."""
    parser = LinkParser(settings)
    parses, seconds = [], []
    for doc in docs:
        started = time.process_time()
        parses += parser.link([doc])
        seconds.append(time.process_time() - started)
    return parses, np.array(seconds)


def correlations(parses: Sequence[Sequence[LinkedSentence]], ratings: FloatArray) -> dict[str, float]:
    """Pearson of each feature with the ratings, over texts where it is defined."""
    table = stack(map(row, parses), len(NAMES))
    defined = ~np.isnan(table)
    return {name: pearson(table[defined[:, i], i], ratings[defined[:, i]]) for i, name in enumerate(NAMES)}


def speed(seconds: FloatArray) -> float:
    """Texts per second."""
    return len(seconds) / float(seconds.sum()) if len(seconds) else float("nan")


def problems(parses: Sequence[Sequence[LinkedSentence]]) -> int:
    """Texts without figures."""
    return sum(any(s.problem for s in sentences) for sentences in parses)


def in_use(docs: Sequence[Doc], ratings: FloatArray) -> tuple[str, dict[str, object]]:
    """Speed of all, of those that are linked whole and of the others; Pearson of each feature."""
    parses, seconds = linked(docs, IN_USE)
    nulls = stack(map(row, parses), len(NAMES))[:, NAMES.index("null_count")]
    parts = {"all": np.ones(len(docs), dtype=bool), "linked whole": nulls == 0, "with nulls": nulls > 0}
    speeds = {
        part: {"texts": int(at.sum()), "per_second": speed(seconds[at]), "slowest_seconds": float(seconds[at].max())}
        for part, at in parts.items()
    }
    figures = correlations(parses, ratings)
    shown = markdown_table(
        ["GUG", "texts", "per second", "slowest, s"], [[part, *values.values()] for part, values in speeds.items()]
    )
    without = problems(parses)
    shown += f"\nTexts without figures: {without} of {len(docs)}.\n\n"
    shown += markdown_table(["feature", "Pearson with the rating"], [[*x] for x in figures.items()])
    return shown, {"speed": speeds, "without_figures": without, "gug_pearson": figures}


def choices(docs: Sequence[Doc], ratings: FloatArray) -> tuple[str, list[dict[str, float]]]:
    """One setting changed at a time."""
    rows = []
    for settings in CHOICES:
        parses, seconds = linked(docs, settings)
        figures = correlations(parses, ratings)
        rows.append(
            {
                "linkages": settings.linkages,
                "short_length": settings.short_length,
                "per_second": speed(seconds),
                "without_figures": problems(parses),
                **{name: figures[name] for name in SHOWN},
            }
        )
    header = ["linkages", "short length", "per second", "without figures", *SHOWN]
    return markdown_table(header, [list(row.values()) for row in rows]), rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("--first", type=int, default=300, help="sentences for the second table")
    options = parser.parse_args()
    gug = read_set(options.ratings / GUG)
    docs = parse(gug.texts)
    shown, data = in_use(docs, gug.ratings)
    table, varied = choices(docs[: options.first], gug.ratings[: options.first])
    shown += f"\nThe first {options.first} sentences:\n\n{table}"
    about = context(
        command="python -m benchmarks.link RATINGS",
        link_grammar=version(),
        settings=IN_USE.signature,
        first=options.first,
    )
    write("link", "Link Grammar: speed and ratings", shown, {"context": about, **data, "choices": varied})


if __name__ == "__main__":
    main()
