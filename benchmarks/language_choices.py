"""What the shipped model of words was chosen among: case, rare words, ways to make it small.

`python -m benchmarks.language_choices case|size CORPORA RATINGS --work DIR`

Needs KenLM's `build_binary` on the PATH, 12 GB of memory and a quarter of an hour each. For each
model, its size and Spearman's rho of SLOR with the ratings of three sets. The choice of case is
measured on a tenth of the text, the choice of size on all of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.language import CHOSEN_BY, correlation
from benchmarks.report import context, markdown_table, write
from naturalness.models.language.counting import count_ngrams
from naturalness.models.language.kneser_ney import smooth
from naturalness.models.language.likelihood import slor
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.store import open_model
from naturalness.models.language.tables import Ngrams, shrink
from naturalness.models.language.units import Stretch
from naturalness.models.sentences import bounds
from naturalness.text.parsing import parse
from naturalness.text.view import View
from training.default_model.sets import SETS, read_set
from training.language.corpora import tokens
from training.language.folder import count, fresh, make_vocabulary, replaced, write_model, write_tables
from training.language.words import MIN_COUNT, ORDER, PRUNE, SIZE, capitals_of, text

EVERY = 10
COUNTS = ((0, 2, 3, 3, 4), (0, 3, 4, 6, 6))
ROUNDINGS = ((10, 4), (8, 4), (5, 5))
Row = dict[str, Any]


class Judge:
    """The rated sets, parsed once."""

    def __init__(self, ratings: Path) -> None:
        self.sets = {}
        for label in CHOSEN_BY:
            rated = read_set(ratings / SETS[label].file)
            self.sets[label] = (parse(rated.texts), rated.ratings)

    def row(self, name: str, folder: Path, model: NgramModel) -> Row:
        """Size and figures of a model."""
        cells: Row = {"model": name}
        cells["MB"] = round(sum(f.stat().st_size for f in folder.iterdir()) / 1e6, 1)
        for label, (docs, values) in self.sets.items():
            size_text = [slor(scores) for scores in model.token_logprobs(docs)]
            cells[label] = correlation(size_text, values)
            for doc in docs:
                doc.user_data.pop(f"naturalness.lm.{model.signature}", None)
        cells["mean"] = round(float(np.mean([cells[label] for label in CHOSEN_BY])), 4)
        print(cells, flush=True)
        return cells


def lowered(view: View) -> list[Stretch]:
    """Words in lower case."""
    return [Stretch(view.lower[a:b], list(range(a, b))) for a, b in bounds(view)]


def packed(ngrams: Ngrams, work: Path, known: dict[str, int], capitals: list[str], bits: tuple[int, int]) -> Path:
    """A model as a folder."""
    folder = fresh(work / "choice")
    file = write_model(ngrams, folder, work, *bits)
    write_tables(folder, "words", {ORDER: file}, known, training={}, capitals=capitals)
    return folder


def cases(source: Path, work: Path, judge: Judge) -> Iterator[Row]:
    """How words are written, and whether rare ones are one unit."""

    def lines(change: Callable[[str], str]) -> Iterator[list[str]]:
        return (list(map(change, words)) for words in islice(text(source), 0, None, EVERY))

    for spelling, change in (("as written", str), ("lower case", str.lower)):
        for least in (1, 5):
            known = make_vocabulary(count(lines(change)), least)
            counted = count_ngrams(replaced(lines(change), known), ORDER, folder=work)
            rare = "rare words one unit" if least > 1 else "all words"
            model = smooth(counted, PRUNE)
            folder = packed(model, work, known, capitals_of(source, known), (8, 8))
            opened = open_model(folder)
            name = f"{spelling}, {rare}"
            if change is str.lower:
                yield judge.row(name, folder, replace(opened, read=lowered))
                continue
            yield judge.row(f"{name}, capitals restored", folder, opened)
            folder = packed(model, work, known, [], (8, 8))
            as_typed = replace(open_model(folder), read=typed)
            yield judge.row(name, folder, as_typed)


def typed(view: View) -> list[Stretch]:
    """Words as they are typed."""
    return [Stretch(view.texts[a:b], list(range(a, b))) for a, b in bounds(view)]


def sizes(source: Path, work: Path, judge: Judge) -> Iterator[Row]:
    """Three ways of shrinking: by count, by loss, and by rounding."""
    known = make_vocabulary(count(text(source)), MIN_COUNT)
    capitals = capitals_of(source, known)
    counted = count_ngrams(replaced(text(source), known), ORDER, folder=work)

    def row(name: str, ngrams: Ngrams, bits: tuple[int, int]) -> Row:
        folder = packed(ngrams, work, known, capitals, bits)
        size_text = f"{name}; {sum(ngrams.sizes):,} n-grams; {bits[0]} and {bits[1]} bits"
        return judge.row(size_text, folder, open_model(folder))

    full = smooth(counted, PRUNE)
    yield row("unpruned", full, (8, 8))
    small = shrink(full, SIZE)
    del full
    for bits in ROUNDINGS:
        yield row("pruned by loss", small, bits)
    for thresholds in COUNTS:
        yield row(f"pruned by count {thresholds}", smooth(counted, thresholds), (8, 8))


CHOICES: dict[str, Callable[[Path, Path, Judge], Iterator[Row]]] = {"case": cases, "size": sizes}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("choice", choices=CHOICES)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    options = parser.parse_args()
    judge = Judge(options.ratings)
    source = tokens(options.corpora, options.work)
    models = list(CHOICES[options.choice](source, options.work, judge))
    columns = ["model", "MB", *CHOSEN_BY, "mean"]
    rows = [[f"{row[c]:.3f}" if c in CHOSEN_BY or c == "mean" else row[c] for c in columns] for row in models]
    about = context(
        command=f"python -m benchmarks.language_choices {options.choice} CORPORA RATINGS --work DIR",
        measured_on=f"every {EVERY}th sentence" if options.choice == "case" else "all sentences",
    )
    write(
        f"language_{options.choice}",
        f"Choice of {options.choice} for the model of words: Spearman of SLOR with ratings",
        markdown_table(columns, rows),
        {"context": about, "figures": models},
    )


if __name__ == "__main__":
    main()
