"""The gain by `adapt`, which uses human-written texts of a domain but no ratings, on five rated sets.

`python -m benchmarks.adapt RATINGS CORPORA --work DIR [--sizes 200,1000,all]`: RATINGS and CORPORA as for
`training.default_model`. The model that is adapted never saw the set or its family. Inputs are divided into five folds:
a text is judged by a model adapted to people's texts of the other inputs alone (references of E2E, SFHOTEL and SFREST,
in lower case where the rated texts are; the human inputs of style transfer; what people said before, of Topical-Chat).
The three weights of the norms were chosen on these sets. The last row shows fit alone.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.leave_out.rated import rated_rows
from benchmarks.report import markdown_table, write
from benchmarks.untrained import pairs
from naturalness.adapting.adapt import damaged_versions, different, halves, recipe_of_tags
from naturalness.adapting.learning import Tables, learn
from naturalness.arrays import FloatArray
from naturalness.features import DEFAULT, column_names, resolve
from naturalness.features.base import column_prefix
from naturalness.features.measuring import measure
from naturalness.models.language.base import OWN_MODEL
from naturalness.models.language.training import train_language_model
from naturalness.models.learners.compiled import Compiled
from naturalness.statistics.correlation import spearman
from training.arguments import command_parser
from training.default_model.measure import Material, read_material, table_of
from training.default_model.recipe import Pool, calibrated
from training.default_model.sets import leaving

FAMILY = ("E2E", "SFHOTEL", "SFREST", "Topical-Chat", "style transfer")
LOWER_CASE = ("SFHOTEL", "SFREST")
HUMAN = "input(human)"
FOLDS, SEED = 5, 0
LARGE = 10**9
AXES = ("naturalness", "sound", "fit")


@dataclass(frozen=True, slots=True)
class Domain:
    """A rated set and human-written texts of its domain."""

    name: str
    inputs: list[str]
    """The input that each rated text answers."""
    people: dict[str, set[str]]
    """Human-written texts, each with the inputs that it answers."""


def read_domain(name: str, ratings: Path) -> Domain:
    """Return a set's inputs and human-written texts, in the order of `read_set`."""
    rows = rated_rows(ratings, name)
    people: dict[str, set[str]] = {}
    inputs = []
    for row in rows:
        by_number = name == "style transfer"
        source = row["id"].rpartition("-")[2] if by_number else row["source"]
        inputs.append(source)
        if by_number:
            texts = [row["text"]] if row["system"] == HUMAN else []
        else:
            texts = json.loads(row["references"]) if row["references"] else row["source"].split(" | ")
        for text in texts:
            spelled = text.lower() if name in LOWER_CASE else text
            people.setdefault(spelled.strip(), set()).add(source)
    return Domain(name, inputs, {text: people[text] for text in different(people)})


def folds_of(domain: Domain) -> dict[str, int]:
    """Return the fold of each input."""
    inputs = sorted(set(domain.inputs))
    random.Random(SEED).shuffle(inputs)
    return {source: i % FOLDS for i, source in enumerate(inputs)}


def with_tags(table: FloatArray, texts: Sequence[str], group: str) -> FloatArray:
    """Append the columns of a language model of tags to a table."""
    return np.hstack([table, measure(list(texts), [group], nlp="en").table])


def judged(
    domain: Domain, origin: Compiled, material: Material, ratings: Path, work: Path | None, *, size: int
) -> dict[str, FloatArray]:
    """Return each axis of each rated text, from models adapted to human-written texts for other inputs."""
    fold_of = folds_of(domain)
    texts, table = material.rated[domain.name].texts, material.tables[domain.name]
    fold = np.array([fold_of[source] for source in domain.inputs])
    everyone = list(domain.people)
    measured_all = table_of(f"people of {domain.name}", everyone, work, DEFAULT)
    row_of = {text: i for i, text in enumerate(everyone)}
    width = len(column_names(resolve(DEFAULT)))
    scores = {axis: np.full(len(texts), np.nan) for axis in AXES}
    for number in range(FOLDS):
        usable = [t for t, sources in domain.people.items() if all(fold_of.get(s) != number for s in sources)]
        measured, rest = halves(random.Random(SEED).sample(usable, min(size, len(usable))), SEED)
        damaged = damaged_versions(measured, "en", SEED)
        inside = np.flatnonzero(fold == number)
        with tempfile.TemporaryDirectory() as folder:
            group = f"{OWN_MODEL}{train_into(Path(folder), rest)}"
            columns = column_names(resolve([group]))
            prefix = column_prefix(group)
            tables = Tables(
                with_tags(measured_all[[row_of[text] for text in measured]], measured, group),
                with_tags(table_of(f"damaged {domain.name}", damaged, work, DEFAULT), damaged, group),
                width + columns.index(f"{prefix}__score"),
                width + columns.index(f"{prefix}__nce"),
                (len(measured) // 2, len(damaged) // 2),
            )
            learned = learn(origin, tables)
            rows = with_tags(table[inside], [texts[i] for i in inside], group)
        values = {"naturalness": learned.compiled.decide(rows)[:, 0], **learned.kind.axes(learned.compiled, rows)}
        for axis in AXES:
            scores[axis][inside] = values[axis]
    return scores


def train_into(folder: Path, texts: Sequence[str]) -> Path:
    """Train a language model on the tags of texts."""
    train_language_model(texts, folder / "tags", recipe_of_tags("en"))
    return folder / "tags"


def pair_accuracy(ratings: Path, texts: Sequence[str], scores: FloatArray) -> float:
    """Return the share of E2E pairs in which the better text scores higher; ties count one half."""
    score = dict(zip(texts, scores.tolist(), strict=True))
    return pairs(ratings, lambda texts: np.array([[score[text]] for text in texts]))[0]


def origin_of(name: str, pool: Pool) -> Compiled:
    """Return the default recipe trained without a set and its family."""
    return calibrated(pool.without(leaving(name)))


def cells_of(cells: dict[str, float], names: Sequence[str]) -> list[str]:
    """Return the figures of a row, and their mean over the five sets."""
    shown = [f"{cells[name]:.3f}" if name in cells else "" for name in names]
    return [*shown, f"{np.mean([cells[name] for name in FAMILY]):.3f}"]


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "--work")
    parser.add_argument("--sizes", default="200,1000,all")
    options = parser.parse_args()
    material = read_material(options.ratings, options.corpora, options.work, groups=DEFAULT)
    pool = material.pool()
    sizes = {size: LARGE if size == "all" else int(size) for size in options.sizes.split(",")}
    domains = {name: read_domain(name, options.ratings) for name in FAMILY}
    results: dict[str, dict[str, float]] = {}

    def record(row: str, name: str, value: float) -> None:
        results.setdefault(row, {})[name] = round(value, 3)

    for name, domain in domains.items():
        origin, rated = origin_of(name, pool), material.rated[name]
        before = origin.decide(material.tables[name])[:, 0]
        record("default", name, spearman(before, rated.ratings))
        if name == "E2E":
            record("default", "E2E pairs", pair_accuracy(options.ratings, rated.texts, before))
        for label, size in sizes.items():
            scores = judged(domain, origin, material, options.ratings, options.work, size=size)
            row = f"{label} texts"
            record(row, name, spearman(scores["naturalness"], rated.ratings))
            if name == "E2E":
                record(row, "E2E pairs", pair_accuracy(options.ratings, rated.texts, scores["naturalness"]))
            if size == LARGE:
                record("fit alone", name, spearman(scores["fit"], rated.ratings))
            print(row, name, results[row][name], flush=True)
    names = [*FAMILY, "E2E pairs"]
    rows = [[row, *cells_of(cells, names)] for row, cells in results.items()]
    counts = {name: len(domain.people) for name, domain in domains.items()}
    note = (
        "\nNumber of human-written texts: " + ", ".join(f"{name} {count:,}" for name, count in counts.items()) + ".\n"
    )
    title = "Adapted to people's texts of a domain, without ratings: Spearman, and pairs of E2E"
    write(
        "adapt",
        title,
        markdown_table(["", *names, "mean of five"], rows) + note,
        {"rows": results},
        command=f"python -m benchmarks.adapt RATINGS CORPORA --work DIR --sizes {options.sizes}",
        seed=SEED,
        folds=FOLDS,
        groups=list(DEFAULT),
        people=counts,
    )


if __name__ == "__main__":
    main()
