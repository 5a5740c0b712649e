"""Learn a table of voice from two piles of text: `python -m training.voice --people TABLE ... --models TABLE ...
-o FOLDER` (ten seconds for a thousand paragraphs, one core, seed 0).

A table (csv, tsv, jsonl, txt, parquet) has a paragraph a row, in the column `text`. Optional columns are `model` and
`source` (site or author), which default to the file's name, `kind` (of text; default: all of one kind) and `prompt`
(prompt or document; default: each row has its own). Both piles should have the same subjects, because the table learns
any difference between them. `naturalness.models.voice.open_voice` reads FOLDER. `python -m training.voice.asset` makes
the table that ships.

Words, marks and phrases of up to three tokens get weights by a ridge logistic regression; each must be
over-represented in several kinds of text, and used by many models or in many sources, as far as there are several.
Words, phrases, constructions and evenness are the terms of a second logistic regression, fitted to sums by weights that
have not seen the text. No rating is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.data.formats import location
from naturalness.data.reading import read_named
from naturalness.english.constructions import token_lines
from naturalness.errors import NaturalnessError, TrainingError
from naturalness.files.folder import check_folder
from naturalness.models.voice import DESCRIPTION, ITEMS, MIN_WORDS, voice
from naturalness.statistics.measures import roc_auc
from training.arguments import command_parser
from training.voice.learning import Rows, Table, learn, measure
from training.voice.texts import Paragraph, part_of, pieces, series_of
from training.voice.writing import FALSE_ALARMS, lines_of, write_table

COLUMNS = "model", "source", "kind", "prompt"
"""Columns that a table may have beside the text."""
ONE_KIND = "all"
MIN_PARAGRAPHS, MIN_PROMPTS = 200, 20
"""Paragraphs of each side, and prompts or documents that they come from."""
FOLDS = 5
STRONGEST = 20
"""Items of each side that the report shows."""


class Pile(NamedTuple):
    """The paragraphs of one side."""

    paragraphs: Sequence[Paragraph]
    n_rows: int
    """Rows of the tables, with those that are damaged, repeated or too short to have a voice."""


def read_pile(tables: Sequence[str], *, machine: bool) -> Pile:
    """Read the paragraphs of one side; raise `TrainingError` if they are too few to learn from."""
    paragraphs: dict[str, Paragraph] = {}
    n_rows = 0
    for path in tables:
        named = read_named(location(path), text_column=None, required=(), optional=COLUMNS)
        n_rows += len(named.texts)
        stem = Path(path).name.split(".")[0]
        for i, (text, problem) in enumerate(zip(named.texts, named.problems, strict=True)):
            if problem or token_lines(text).n_words < MIN_WORDS:
                continue
            cells = {column: values[i] for column, values in named.columns.items() if values[i]}
            model = series_of(cells.get("model", stem)) if machine else ""
            source, kind, prompt = (
                cells.get("source", stem),
                cells.get("kind", ONE_KIND),
                cells.get("prompt", f"{path}:{i}"),
            )
            paragraphs.setdefault(text, Paragraph(text, machine, kind, model, source, source, prompt))
    _check_size(list(paragraphs.values()), "chat models" if machine else "people")
    return Pile(list(paragraphs.values()), n_rows)


def _check_size(paragraphs: Sequence[Paragraph], side: str) -> None:
    """Raise `TrainingError` if the paragraphs of a side, or their prompts, are too few."""
    if len(paragraphs) < MIN_PARAGRAPHS:
        raise TrainingError(
            f"{len(paragraphs)} different paragraphs of {MIN_WORDS} words or more by {side}, expected {MIN_PARAGRAPHS} "
            "or more; add texts"
        )
    n_prompts = len({paragraph.unit for paragraph in paragraphs})
    if n_prompts < MIN_PROMPTS:
        raise TrainingError(
            f"{n_prompts} different values of 'prompt' in the paragraphs by {side}, expected {MIN_PROMPTS} or more; "
            "add texts on other prompts"
        )


def renew(people: Pile, models: Pile, folder: Path, topics: Sequence[str] = ()) -> str:
    """Learn a table, write it into a folder, and return a report; no item contains a word of ``topics``.

    Thresholds and the report's figures come from tables that have not seen the prompts of the texts that they judge.
    """
    paragraphs = [*people.paragraphs, *models.paragraphs]
    whole = np.arange(len(paragraphs))
    table, _ = measure([*paragraphs, *pieces(paragraphs)], len(paragraphs), topics)
    rows, theirs = np.arange(len(table.paragraphs)), np.flatnonzero(~table.column("machine"))
    log_odds = held_out_log_odds(table, whole)
    lines = lines_of(table, theirs, log_odds[theirs])
    items = write_table(folder, table, whole, learn(table, rows, whole), lines)
    unusable = people.n_rows + models.n_rows - len(paragraphs)
    return report(table, whole, log_odds[whole], [item.split("\t")[0] for item in items], unusable)


def held_out_log_odds(table: Table, teaching: Rows) -> FloatArray:
    """Return the log-odds of all texts, each by a table that has not seen its prompt."""
    fold = np.array([part_of(unit, FOLDS, "fold") for unit in table.column("unit")])
    values = np.zeros(len(fold))
    for k in range(FOLDS):
        learned = learn(table, np.flatnonzero(fold != k), teaching)
        values[fold == k] = learned.log_odds(table, np.flatnonzero(fold == k))
    return values


def report(table: Table, rows: Rows, log_odds: FloatArray, items: Sequence[str], unusable: int) -> str:
    """Return counts of the input and the result, and how well this table and the shipped one classify paragraphs."""
    machine = table.column("machine")[rows]
    kinds = np.unique(table.column("kind")[rows])
    sources, series = np.unique(table.column("source")[rows][~machine]), np.unique(table.column("model")[rows][machine])
    shipped = -np.array([voice().log_odds(voice().sums(table.paragraphs[i].text)) for i in rows])
    return "\n".join(
        [
            f"paragraphs: {sum(~machine):,} by people, {sum(machine):,} by chat models; unusable rows: {unusable:,}",
            f"kinds: {len(kinds):,}, sources of people: {len(sources):,}, series of models: {len(series):,}",
            f"words and phrases: {len(items):,}",
            f"this table, on prompts that it has not seen: {figures(log_odds, machine)}",
            f"the shipped table: {figures(shipped, machine)}",
            f"strongest of chat models: {' | '.join(items[:STRONGEST])}",
            f"strongest of people: {' | '.join(items[: -STRONGEST - 1 : -1])}",
        ]
    )


def figures(log_odds: FloatArray, machine: BoolArray) -> str:
    """Return how well log-odds distinguish the two sides."""
    over = log_odds[machine] > np.quantile(log_odds[~machine], 1 - FALSE_ALARMS)
    return f"AUC {roc_auc(log_odds, machine):.3f}, {over.mean():.0%} found at 2 % false alarms"


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__)
    parser.add_argument("--people", nargs="+", required=True, metavar="TABLE", help="texts by people")
    parser.add_argument("--models", nargs="+", required=True, metavar="TABLE", help="texts by chat models")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="where to write the table")
    parser.add_argument("--topics", nargs="+", default=(), metavar="WORD", help="words that no item may contain")
    options = parser.parse_args()
    try:
        check_folder(options.output, force=True, ours=(DESCRIPTION, ITEMS), entries=())
        people, models = read_pile(options.people, machine=False), read_pile(options.models, machine=True)
        print(renew(people, models, options.output, [word.lower() for word in options.topics]))
    except NaturalnessError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
