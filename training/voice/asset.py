"""Rebuild the table of voice that ships: `python -m training.voice.asset MACHINE CORPORA --work DIR` (five minutes, one
core, seed 0).

MACHINE holds paragraphs by chat models and by people, CORPORA people's texts of before 2022, half of whose documents
set the thresholds of false alarms. The method is that of `training.voice`.
"""

from __future__ import annotations

import csv
import lzma
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from naturalness.models.voice import ASSET
from training.arguments import command_parser
from training.language.corpora import REGISTERS, documents
from training.manifest import ASSETS, CORPORA, record
from training.tables import read_table
from training.voice.learning import Rows, Table, learn, measure
from training.voice.texts import SEED, Paragraph, part_of, pieces, series_of, without_copies
from training.voice.writing import lines_of, write_table

TABLE = read_table(__file__, "sources.toml")
TOPICS = frozenset(" ".join(TABLE["topics"]).split())
"""Words of topics that the other conditions let through, listed after reading."""
SHORTEST, LONGEST = 15, 170
"""Words of the paragraphs made of corpus sentences."""
OF_REGISTER, OF_WIDE_REGISTER = 3500, 7000
"""The most paragraphs of a register, and of one with topics of all kinds."""
WIDE = frozenset({"textbooks", "wikipedia"})
OF_HELD_OUT = 1500
HELD_OUT = 2
"""One document of a register in so many is held out."""


class Sets(NamedTuple):
    """All texts in one table, and the rows of each part."""

    table: Table
    excluded: set[str]
    """Names and topics, which no item contains."""
    whole: Rows
    """Paragraphs that teach."""
    cut: Rows
    """Pieces of them."""
    held_out: Rows
    """Paragraphs of people that no model has seen, by register."""
    sentences: Rows
    """One sentence of each of those."""
    extra: Rows
    """Other texts to be measured."""


def read_sets(machine: Path, corpora: Path, extra: Sequence[Paragraph] = ()) -> Sets:
    """Read all texts and measure them."""
    whole = machine_set(machine) + corpus_paragraphs(corpora, held_out=False)
    held_out = without_copies(corpus_paragraphs(corpora, held_out=True), whole)
    parts = whole, pieces(whole), held_out, pieces(held_out, most=1), list(extra)
    table, excluded = measure([paragraph for part in parts for paragraph in part], len(whole), TOPICS)
    ends = np.cumsum([0, *map(len, parts)])
    return Sets(table, excluded, *(np.arange(a, b) for a, b in pairwise(ends)))


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with lzma.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def _of_kind(text: str, kind: str, model: str, source: str, family: str, unit: str) -> Paragraph:
    """Return a paragraph; registers of people and small kinds count as the closest kind."""
    nearest, emphasis = TABLE["kinds"].get(kind, kind), TABLE["emphasis"].get(source, 1.0)
    return Paragraph(text, bool(model), nearest, model, source, family, unit, emphasis)


def machine_set(folder: Path) -> list[Paragraph]:
    """Return the paragraphs of both sides of the set, in the order of the files."""
    paragraphs = []
    for side in ("llm", "human"):
        for i, row in enumerate(_rows(folder / f"{side}.tsv.xz")):
            source = row["source"].split("/")[-1] if "standardebooks" not in row["source"] else row["source"]
            family = next(f for part, f in TABLE["families"].items() if part in row["source"])
            machine = side == "llm"
            unit = row["prompt_id"] or f"{source}:{row['model']}:{i // 20 if machine else i // 8}"
            model, source = (series_of(row["model"]), f"{family}|{row['kind']}") if machine else ("", source)
            paragraphs.append(_of_kind(row["text"], row["kind"], model, source, family, unit))
    return paragraphs


def corpus_paragraphs(corpora: Path, *, held_out: bool) -> list[Paragraph]:
    """Return paragraphs of each register, of various lengths, made of consecutive sentences."""
    paragraphs = []
    for register in REGISTERS:
        rng = random.Random(f"{SEED}:{register}")
        most = OF_HELD_OUT if held_out else OF_WIDE_REGISTER if register in WIDE else OF_REGISTER
        numbered = [*enumerate(documents(corpora, register))]
        rng.shuffle(numbered)
        found: list[Paragraph] = []
        of_document = 1 + HELD_OUT * most // len(numbered)
        for number, lines in numbered:
            unit = f"{register}:{number}"
            if (part_of(unit, HELD_OUT, "held out") == 0) == held_out:
                family = TABLE["registers"].get(register, register)
                blocks = list(_blocks(lines, rng))
                cut = rng.sample(blocks, min(of_document, len(blocks)))
                found += [_of_kind(text, register, "", register, family, unit) for text in cut]
        paragraphs += found[:most]
    return paragraphs


def _blocks(lines: Sequence[str], rng: random.Random) -> Iterator[str]:
    together: list[str] = []
    length, wanted = 0, rng.randint(SHORTEST, LONGEST)
    for line in lines:
        together.append(line)
        length += len(line.split())
        if length >= wanted:
            yield " ".join(together)
            together, length, wanted = [], 0, rng.randint(SHORTEST, LONGEST)


def build(sets: Sets, work: Path) -> None:
    """Learn the table, write the asset, and write the items and the words left out into a folder."""
    table = sets.table
    learned = learn(table, np.r_[sets.whole, sets.cut], sets.whole)
    people = np.r_[sets.held_out, sets.sentences]
    lines = lines_of(table, people, learned.log_odds(table, people))
    strongest = write_table(ASSETS / ASSET, table, sets.whole, learned, lines)
    header = "item\tweight\tmachine\tpeople\tmodels\tsources"
    (work / "items.tsv").write_text("\n".join([header, *strongest]) + "\n", encoding="utf-8")
    (work / "names.txt").write_text("\n".join(sorted(sets.excluded)) + "\n", encoding="utf-8")
    size = sum(path.stat().st_size for path in (ASSETS / ASSET).iterdir())
    print(f"{len(strongest):,} items, {size:,} bytes, lines {lines}")
    print(", ".join(row.split("\t")[0] for row in strongest[:200]))
    record(ASSET, {"items": len(strongest), "paragraphs": len(sets.whole)}, sources=[*TABLE["sources"], *CORPORA])


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "machine", "corpora", work=True).parse_args()
    build(read_sets(options.machine, options.corpora), options.work)


if __name__ == "__main__":
    main()
