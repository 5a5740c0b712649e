"""Read tables of pairs of texts in which one text is preferred: minimal pairs, or raters' answers.

A table has columns ``good`` and ``bad``, or the columns ``first_text``, ``second_text`` and ``better``. A text that
occurs in several pairs is returned once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from naturalness.data.batch import check_columns, usable_text
from naturalness.data.cells import name
from naturalness.data.formats import Location
from naturalness.data.rated import RatedTexts
from naturalness.data.rated_rows import RowsLeftOut, Unusable
from naturalness.data.reading import read_batches
from naturalness.data.sources import connected, source_note
from naturalness.text.normalisation import letters

GOOD_BAD = ("good", "bad")
ANSWERED = ("first_text", "second_text", "better")
SETTLED, AGAIN = "settled", "again"
"""The columns of `ANSWERED` tables that mark two kinds of rows: a settled answer, which replaces all other answers on
the pair, and the answer to a repeated question, which is not counted."""
SOURCE, PHENOMENON = "source", "phenomenon"
"""The names of the columns that contain sources, unless another is named, and phenomena."""
FIRST, SECOND, SAME = "first", "second", "same"
CLASSES = ("unnatural", "natural")
MAX_LINKED_SHARE = 0.2
"""The largest share of all texts, 0..1, that a single group of linked pairs may contain."""
TRUE = frozenset({"true", "1", "yes"})


class PairColumns(NamedTuple):
    """The columns of a table of pairs."""

    first: str
    second: str
    better: str | None
    """The column that says which text is preferred; None if the first text always is."""
    source: str | None
    phenomenon: str | None


def pair_columns(columns: Sequence[str], path: str, source: str | None = None) -> PairColumns | None:
    """Return the columns of a table of pairs; None if the table does not contain pairs, or has a column ``text``."""
    if "text" in columns:
        return None
    if set(GOOD_BAD) <= set(columns):
        first, second, better = *GOOD_BAD, None
    elif set(ANSWERED) <= set(columns):
        first, second, better = ANSWERED
    else:
        return None
    if source is not None:
        check_columns([source], columns, path)
    elif SOURCE in columns:
        source = SOURCE
    return PairColumns(first, second, better, source, PHENOMENON if PHENOMENON in columns else None)


@dataclass(slots=True)
class _Answers:
    """The votes of raters on a pair of texts; a positive vote prefers the first text."""

    row: int
    cells: Mapping[Any, Any]
    """The cells of the first row with this pair, by column."""
    votes: list[int] = field(default_factory=list)
    settled: list[int] = field(default_factory=list)

    @property
    def preferred(self) -> int:
        """The sum of the votes: above 0 if the first text is preferred, below 0 if the second is."""
        return sum(self.settled or self.votes)


def read_pairs(where: Location, columns: PairColumns) -> RatedTexts:
    """Return the pairs of a table as rated texts; unusable rows are left out and counted.

    If a pair has several answers, the majority decides. Answers to repeated questions do not count, and a settled
    answer replaces all others. Texts that are linked by pairs or share a source form a group, unless pairs would
    link more than `MAX_LINKED_SHARE` of all texts.
    """
    left_out = RowsLeftOut()
    texts: dict[str, int] = {}
    answers: dict[tuple[int, int], _Answers] = {}
    used = 0
    for batch in read_batches(where, text_column=columns.first, batch_size=1024):
        rows = zip(batch.rows, batch.texts, batch.problems, strict=True)
        for i, (cells, first, problem) in enumerate(rows):
            try:
                pair = pair_of_row(cells, first, problem, columns)
                vote = vote_of_row(cells, columns)
            except Unusable as why:
                left_out.add(why.reason, why.example)
                continue
            a, b = (texts.setdefault(text, len(texts)) for text in pair)
            key = (min(a, b), max(a, b))
            known = answers.setdefault(key, _Answers(batch.first_row + i, cells))
            settled = columns.better and _is_true(cells.get(SETTLED))
            (known.settled if settled else known.votes).append(vote if key == (a, b) else -vote)
            used += 1
    return _collect(where.path, texts, answers, left_out, used, columns)


def pair_of_row(cells: Mapping[str, Any], first: str, problem: str, columns: PairColumns) -> tuple[str, str]:
    """Return the two texts of a row; raise `Unusable` if one is missing or they are equal."""
    second, wrong = usable_text(cells.get(columns.second), columns.second, present=columns.second in cells)
    if problem or wrong:
        raise Unusable((problem or wrong).partition(":")[0])
    first, second = first.strip(), second.strip()
    if not first or not second:
        raise Unusable("empty text")
    if first == second:
        raise Unusable("both texts are the same")
    return first, second


def vote_of_row(cells: Mapping[str, Any], columns: PairColumns) -> int:
    """Return 1 if the first text is preferred, -1 if the second is, 0 if neither is."""
    if columns.better is None:
        return 1
    if _is_true(cells.get(AGAIN)):
        raise Unusable("answer to a question that was asked again")
    cell = cells.get(columns.better)
    votes = {FIRST: 1, SECOND: -1, SAME: 0}
    if (vote := votes.get(name(cell).lower())) is None:
        raise Unusable(f"neither {FIRST}, {SECOND} nor {SAME} in column {columns.better!r}", cell)
    return vote


def _is_true(cell: Any) -> bool:
    return cell is True or str(cell).strip().lower() in TRUE


def _collect(
    path: str,
    texts: Mapping[str, int],
    answers: Mapping[tuple[int, int], _Answers],
    left_out: RowsLeftOut,
    used: int,
    columns: PairColumns,
) -> RatedTexts:
    pairs: list[tuple[int, int]] = []
    known: list[_Answers] = []
    merged = used - len(answers)
    for (first, second), said in answers.items():
        if said.preferred == 0:
            many = len(said.votes) + len(said.settled)
            left_out.add("neither text is preferred", rows=many)
            merged -= many - 1
        else:
            pairs.append((first, second) if said.preferred > 0 else (second, first))
            known.append(said)
    if not pairs:
        raise left_out.nothing_usable("pair", path)
    order = sorted({text for pair in pairs for text in pair})
    index = {text: i for i, text in enumerate(order)}
    pairs = [(index[good], index[bad]) for good, bad in pairs]
    strings = list(texts)
    groups, note = _groups(
        [strings[text] for text in order], pairs, [name(said.cells.get(columns.source)) for said in known]
    )
    rows = [0] * len(order)
    for pair, said in reversed(list(zip(pairs, known, strict=True))):
        for text in pair:
            rows[text] = said.row
    return RatedTexts(
        texts=[strings[text] for text in order],
        ratings=[math.nan] * len(order),
        labels=[None] * len(order),
        groups=groups,
        rows=rows,
        classes=list(CLASSES),
        merged=merged,
        rule=None,
        rule_note=f"{len(pairs):,} pair{'s'[: len(pairs) != 1]}{note}",
        left_out=left_out.by_reason(),
        source_note=source_note([(said.row, said.cells) for said in known], "pairs", columns.source),
        pairs=pairs,
        phenomena=[name(said.cells.get(columns.phenomenon)) for said in known] if columns.phenomenon else [],
    )


def _groups(texts: Sequence[str], pairs: Sequence[tuple[int, int]], sources: Sequence[str]) -> tuple[list[int], str]:
    """Return the group of each text, and a note if groups were too large. Texts with the same letters share a group.

    If pairs link more than `MAX_LINKED_SHARE` of the texts into one group, as may happen in an annotation project, that
    group is replaced by smaller groups of texts that share a source or their letters. A split then drops each pair
    whose texts it separates.
    """
    keys: list[list[tuple[str, Any]]] = [[("text", letters(text))] for text in texts]
    for number, (pair, source) in enumerate(zip(pairs, sources, strict=True)):
        for text in pair:
            keys[text].append(("pair", number))
            if source:
                keys[text].append(("source", source))
    groups = connected(keys)
    sizes = Counter(groups)
    wide = {group for group, size in sizes.items() if size > max(2, MAX_LINKED_SHARE * len(texts))}
    if not wide:
        return groups, ""
    loose = [
        [key for key in linked if key[0] != "pair" or group not in wide]
        for linked, group in zip(keys, groups, strict=True)
    ]
    share = sum(sizes[group] for group in wide) / len(texts)
    note = f"; pairs link {share:.0%} of the texts, and those that a split parts are left out there"
    return connected(loose), note
