"""Sentences with one known error each: generated from corpora, and written by hand.

The ones in ``handwritten.jsonl`` were written before any model had seen them: ten of each of twelve
kinds, of many registers, the error as people and programs make it. Nothing may be tuned on them.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.rule_texts import edited_texts
from naturalness.adapting.kinds import KINDS, damage_docs
from naturalness.text.parsing import parse

HANDWRITTEN = Path(__file__).parent / "handwritten.jsonl"
REPORTED = 0
"""The seed of the figures that are reported; its sentences are in no other seed's draw."""
WORDS = range(6, 31)
DRAWN_PER_CASE = 5
"""Sentences that are drawn for each that is wanted: half are another seed's, some are too long."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text with one error, the same without it, and what and where it is."""

    text: str
    sound: str
    kind: str
    start: int
    end: int
    """Characters of ``text``; equal where a word is missing."""


def handwritten() -> list[Case]:
    """All that were written by hand."""
    with HANDWRITTEN.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [Case(r["text"], r["repair"], r["kind"], r["start"], r["end"]) for r in rows]


def generated(corpora: Path, n: int, seed: int) -> list[Case]:
    """``n`` or some more held-out sentences of all registers, each kind of damage equally often."""
    each = -(-n // len(KINDS))
    sentences = drawn(corpora, DRAWN_PER_CASE * each * len(KINDS), seed)
    cases: list[Case] = []
    for number, kind in enumerate(KINDS):
        cases += damaged(sentences[number :: len(KINDS)], kind, seed)[:each]
    return cases


def drawn(corpora: Path, n: int, seed: int) -> list[str]:
    """Held-out sentences, at most ``n``, registers mixed."""
    chosen = [
        text
        for _, text in edited_texts(corpora, n, seed)
        if len(text.split()) in WORDS and (zlib.crc32(text.encode()) % 2 == 0) == (seed == REPORTED)
    ]
    chosen = list(dict.fromkeys(chosen))
    random.Random(seed).shuffle(chosen)
    return chosen


def damaged(sentences: Sequence[str], kind: str, seed: int) -> list[Case]:
    """Those to which a kind of damage can be done, under it."""
    cases = []
    for text in damage_docs(parse(sentences), kinds=[kind], seed=seed):
        if len(text.damages) == 1 and text.text != text.original:
            (damage,) = text.damages
            cases.append(Case(text.text, text.original, kind, damage.start, damage.end))
    return cases
