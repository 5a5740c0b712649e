"""Pairs as tables: one of what was preferred, and one with a rating per text made of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from naturalness.annotate.project.exporting import Exported, Rated, beside, options, write
from naturalness.annotate.project.preferences import preferred
from naturalness.annotate.project.standing import Item
from naturalness.data.formats import location
from naturalness.data.writing import check_output
from naturalness.errors import TableError

BETTER = {1.0: "first", 0.0: "same", -1.0: "second"}
COLUMNS = (
    "first",
    "second",
    "better",
    "first_text",
    "second_text",
    "rater",
    "settled",
    "again",
    "test",
    "note",
    "cause",
    "marks",
    "seconds",
    "rated_at",
)
"""Of the table of pairs; ``first`` and ``second`` are numbers of texts, from 0."""


def export_pairs(rated: Rated, path: str, *, force: bool) -> Exported:
    """Write a row per text in a pair to ``path``, and a row per answer beside it.

    ``rating`` is the chance, 0 to 1, that the text is preferred to one of middling strength, from
    the first answers of all raters, or from what was settled instead; ``pairs`` counts them.
    """
    if location(path).is_standard:
        raise TableError("pairs are written as two tables; name a file with -o")
    pairs_path = beside(path)
    for place in (path, pairs_path):
        check_output(location(place), force=force)
    outcomes = _outcomes(rated)
    scores = preferred(len(rated.texts), outcomes)
    many = Counter(text for first, second, _ in outcomes for text in (first, second))
    names = rated.names
    rows = [
        rated.cells(text) | {"rating": float(scores[text]), "scale_min": 0.0, "scale_max": 1.0, "pairs": many[text]}
        for text in sorted(many)
    ]
    columns = [*names.values(), "rating", "scale_min", "scale_max", "pairs"]
    column = names[rated.text_column]
    answers = [row for what in rated.items for row in _answers(rated, what)]
    write(location(pairs_path), COLUMNS, answers, "first_text", force=force)
    write(location(path), columns, rows, column, force=force)
    return Exported(
        path,
        len(rows),
        sum(map(len, rated.opinions.values())),
        pairs_path,
        renamed=rated.renamed,
        options=options(rated),
    )


def _outcomes(rated: Rated) -> list[tuple[int, int, float]]:
    """Two texts and the share of the win that the first has; one where a pair was settled."""
    found = []
    for what in rated.items:
        decided = rated.settled.get(what)
        said = rated.opinions.get(what, {}).values()
        values = [o.value for o in said] if decided is None else [decided.value]
        found += [(what[0], what[1], (value + 1) / 2) for value in values]
    return found


def _answers(rated: Rated, what: Item) -> list[dict[str, Any]]:
    """A row per answer, in the order in which the rater saw the texts, then what was settled."""
    rows = []
    for opinion in rated.opinions.get(what, {}).values():
        for number, rating in enumerate((opinion.rating, *opinion.later)):
            answer, question = rating.answer, rating.question
            rows.append(
                _pair(rated, question.texts, answer.value)
                | {
                    "rater": question.rater,
                    "settled": False,
                    "again": number > 0,
                    "test": question.test,
                    "note": answer.note,
                    "cause": answer.cause,
                    "marks": [list(mark) for mark in answer.marks],
                    "seconds": answer.seconds,
                    "rated_at": rating.at,
                }
            )
    decided = rated.settled.get(what)
    if decided is not None:
        rows.append(
            _pair(rated, what, decided.value)
            | {
                "rater": decided.by,
                "settled": True,
                "again": False,
                "test": False,
                "note": decided.note,
                "cause": "",
                "marks": [],
                "seconds": None,
                "rated_at": decided.at,
            }
        )
    return rows


def _pair(rated: Rated, texts: tuple[int, ...], value: float | None) -> dict[str, Any]:
    first, second = texts
    return {
        "first": first,
        "second": second,
        "better": BETTER[value or 0.0],
        "first_text": rated.texts[first].text,
        "second_text": rated.texts[second].text,
    }
