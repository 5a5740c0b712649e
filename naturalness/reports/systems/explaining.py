"""Rows of a table explained: each different text once, parsed once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.explaining.explain import explain_docs
from naturalness.explaining.explanation import Explanation
from naturalness.reports.systems.answers import Answer, Judge
from naturalness.reports.systems.rows import TextRow
from naturalness.text.parsing import parse, short_memory
from naturalness.text.view import view

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel


def judge_of(model: NaturalnessModel) -> Judge:
    """What a report says of the model."""
    threshold = model.saved.description.verdict.threshold
    name = Path(model.name).name or model.name
    best = model.classes[-1] if len(model.classes) == 2 else ""
    return Judge(name, threshold, model.unit, best)


def explain_rows(
    model: NaturalnessModel,
    tables: Sequence[Sequence[TextRow]],
    *,
    batch_size: int = 64,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> list[list[Answer]]:
    """The answers of each table; a text that stands in several rows or tables is explained once."""
    wanted = dict.fromkeys(one.text for rows in tables for one in rows if not one.problem)
    texts = list(wanted)
    found: dict[str, tuple[Explanation, int, int]] = {}
    for start in range(0, len(texts), batch_size):
        advance(start, len(texts))
        some = texts[start : start + batch_size]
        with short_memory(nlp=model.nlp):
            docs = parse(some, nlp=model.nlp)
            told = explain_docs(model, docs)
            seen = [view(doc) for doc in docs]
            for text, one, lists in zip(some, told, seen, strict=True):
                found[text] = one, len(lists.words), len(lists.sentences)
            del docs, seen
    advance(len(texts), len(texts))
    return [[_answer(one, found, model.unit) for one in rows] for rows in tables]


def _answer(row: TextRow, found: dict[str, tuple[Explanation, int, int]], unit: str) -> Answer:
    told, n_words, n_sentences = (_unusable(row, unit), 0, 0) if row.problem else found[row.text]
    return Answer(told, row.system, row.source, row.key, n_words, n_sentences, row.row)


def _unusable(row: TextRow, unit: str) -> Explanation:
    nan = math.nan
    return Explanation(row.text, nan, nan, nan, None, row.problem, unit, nan, nan, (), ())
