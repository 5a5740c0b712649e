"""Paragraphs by chat models and by people, with the units that must be left out together."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from naturalness.english.constructions import grams, token_lines
from training.tables import read_table

SERIES: Mapping[str, str] = read_table(__file__, "sources.toml")["series"]
SEED = 0
COPIED = 12
"""Tokens of a run that only a copy shares."""
MIN_PIECE, MAX_PIECE = 8, 6
"""Least words and most sentences of a piece of a paragraph."""


class Paragraph(NamedTuple):
    """A paragraph, its source and its labels."""

    text: str
    machine: bool
    kind: str
    """Kind of text, within which both sides are compared."""
    model: str
    """Series of models that the model belongs to; empty for people."""
    source: str
    """Site, author or register; for chat models the family of prompts and the kind of text."""
    family: str
    """Sources that share prompts or texts."""
    unit: str
    """Prompt, article or document: paragraphs of one unit share a topic."""
    emphasis: float = 1.0
    """Factor of the weight in training."""


def series_of(model: str) -> str:
    """Return the series of a model: versions of one model count as one."""
    low = model.lower()
    return next((name for name, pattern in SERIES.items() if re.search(pattern, low)), low)


def part_of(unit: str, parts: int, purpose: str) -> int:
    """Return the part that a unit belongs to; divisions for different purposes are independent.

    Checksums like CRC would not do: they are linear, so that one division would determine the other.
    """
    return int.from_bytes(hashlib.sha256(f"{purpose} {unit}".encode(errors="replace")).digest()[:4]) % parts


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
