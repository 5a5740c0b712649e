"""Paragraphs by chat models and by people, with what must be left out together."""

from __future__ import annotations

import csv
import hashlib
import lzma
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from naturalness.english.constructions import grams, token_lines
from training.language.corpora import REGISTERS, documents
from training.tables import read_table

TABLE: Mapping[str, Mapping[str, str]] = read_table(__file__, "sources.toml")
SEED = 0
SHORTEST, LONGEST = 15, 170
"""Words of the paragraphs made of corpus sentences."""
OF_REGISTER, OF_WIDE_REGISTER = 3500, 7000
"""The most paragraphs of a register, and of one with topics of all kinds."""
WIDE = frozenset({"textbooks", "wikipedia"})
OF_HELD_OUT = 1500
COPIED = 12
"""Tokens of a run that only a copy shares."""
MIN_PIECE, MAX_PIECE = 8, 6
"""Least words and most sentences of a piece of a paragraph."""
HELD_OUT = 2
"""One document of a register in so many is held out."""


class Paragraph(NamedTuple):
    """A paragraph and what it shares with others."""

    text: str
    machine: bool
    kind: str
    """Kind of text, or register of the corpora."""
    model: str
    """Series of models that the model belongs to; empty for people."""
    name: str
    """The model's full name; the source for people."""
    family: str
    """Sources that share prompts or texts."""
    unit: str
    """Prompt, article or document: paragraphs of one unit share a topic."""


def series_of(model: str) -> str:
    """Return the series of a model: versions of one model count as one."""
    low = model.lower()
    return next((name for name, pattern in TABLE["series"].items() if re.search(pattern, low)), low)


def part_of(unit: str, parts: int, purpose: str) -> int:
    """Return the part that a unit belongs to; divisions for different purposes are independent.

    Checksums like CRC would not do: they are linear, so that one division would determine the other.
    """
    return int.from_bytes(hashlib.sha256(f"{purpose} {unit}".encode()).digest()[:4]) % parts


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with lzma.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def machine_set(folder: Path) -> list[Paragraph]:
    """Return the paragraphs of both sides of the set, in the order of the files."""
    paragraphs = []
    for side in ("llm", "human"):
        for i, row in enumerate(_rows(folder / f"{side}.tsv.xz")):
            source = row["source"].split("/")[-1] if "standardebooks" not in row["source"] else row["source"]
            family = next(f for part, f in TABLE["families"].items() if part in row["source"])
            machine = side == "llm"
            model = series_of(row["model"]) if machine else ""
            unit = row["prompt_id"] or f"{source}:{row['model']}:{i // 8 if not machine else i // 20}"
            paragraphs.append(
                Paragraph(row["text"], machine, row["kind"], model, row["model"] if machine else source, family, unit)
            )
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
                found += [Paragraph(text, False, register, "", register, family, unit) for text in cut]
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


def piece(paragraph: Paragraph, rng: random.Random, *, most: int = MAX_PIECE) -> Paragraph | None:
    """Return some consecutive sentences of a paragraph; None if it has only one sentence or they are too short."""
    lines = token_lines(paragraph.text)
    if len(lines.starts) < 2:
        return None
    n = rng.randint(1, min(len(lines.starts) - 1, most))
    first = rng.randint(0, len(lines.starts) - n)
    ends = [*(lines.spans[i][0] for i in lines.starts), len(paragraph.text)]
    text = paragraph.text[ends[first] : ends[first + n]].strip()
    return paragraph._replace(text=text) if len(text.split()) >= MIN_PIECE else None


def pieces(paragraphs: Sequence[Paragraph], *, most: int = MAX_PIECE) -> list[Paragraph]:
    """Return a piece of each paragraph that has one."""
    rng = random.Random(SEED)
    return [cut for paragraph in paragraphs if (cut := piece(paragraph, rng, most=most))]


def without_copies(paragraphs: Sequence[Paragraph], others: Sequence[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs that share no long run of tokens with others."""
    runs = {run for other in others for run in grams(token_lines(other.text).tokens, COPIED)}
    return [each for each in paragraphs if runs.isdisjoint(grams(token_lines(each.text).tokens, COPIED))]
