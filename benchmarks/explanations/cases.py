"""Sentences with one known error each: generated from corpora, and written by hand.

Those in ``handwritten.jsonl`` were written before any model was run on them: ten of each of twelve kinds, in many
registers, with errors typical of people and programs. Nothing may be tuned on them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.rule_texts import edited_texts
from naturalness.adapting.kinds import KINDS, damage_docs
from naturalness.text.parsing import parse
from training.language.corpora import is_for_tuning

HANDWRITTEN = Path(__file__).parent / "handwritten.jsonl"
REPORTED = 0
"""The seed of the reported figures; no other seed draws its sentences."""
WORDS = range(6, 31)
DRAWN_PER_CASE = 5
"""Sentences drawn per wanted case: half belong to other seeds, and some are too long."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text with one error, its repair, and the kind and place of the error."""

    text: str
    sound: str
    kind: str
    start: int
    end: int
    """Characters of ``text``; equal where a word is missing."""


def handwritten() -> list[Case]:
    """Return the cases written by hand."""
    with HANDWRITTEN.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [Case(r["text"], r["repair"], r["kind"], r["start"], r["end"]) for r in rows]


def generated(corpora: Path, n: int, seed: int) -> list[Case]:
    """Return at least ``n`` held-out sentences of all registers, each kind of damage equally often."""
    each = -(-n // len(KINDS))
    sentences = drawn(corpora, DRAWN_PER_CASE * each * len(KINDS), seed)
    cases: list[Case] = []
    for number, kind in enumerate(KINDS):
        cases += damaged(sentences[number :: len(KINDS)], kind, seed)[:each]
    return cases


def drawn(corpora: Path, n: int, seed: int) -> list[str]:
    """Return at most ``n`` held-out sentences of mixed registers."""
    chosen = [
        text
        for _, text in edited_texts(corpora, n, seed)
        if len(text.split()) in WORDS and is_for_tuning(text) == (seed != REPORTED)
    ]
    chosen = list(dict.fromkeys(chosen))
    random.Random(seed).shuffle(chosen)
    return chosen


def damaged(sentences: Sequence[str], kind: str, seed: int) -> list[Case]:
    """Return damaged versions of the sentences to which a kind of damage applies."""
    cases = []
    for text in damage_docs(parse(sentences), kinds=[kind], seed=seed):
        if len(text.damages) == 1 and text.text != text.original:
            (damage,) = text.damages
            cases.append(Case(text.text, text.original, kind, damage.start, damage.end))
    return cases
