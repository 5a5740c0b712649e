"""Sentences with their corrections by people, and the score of a system's corrections against them.

`read_edits` reads the sets of ../shared/data/edits. A third of each set, the test part, is only for benchmarks. Changes
are counted as ERRANT (Bryant et al. 2017) counts them: tokens are aligned, adjacent operations are merged by rule, and
a sentence with several references is scored against the best of them. Two things differ: tokens are not tagged, so the
rules look at letters and a list of function words, and a mark that is inserted or deleted beside a changed word is a
separate change.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from spacy.lang.en.stop_words import STOP_WORDS

from naturalness.text.parsing import tokenise
from naturalness.text.view import word_set

FILES = {"eracond": "eracond.tsv", "tetra": "tetra.tsv.gz", "harper": "harper.tsv.gz", "smith": "smith.tsv.gz"}
DEVELOPMENT, TEST = "development", "test"
GROUPS = {"eracond": re.compile(r"era\d+-\d+"), "tetra": re.compile(r"tetra-\w+-\d+"), "smith": re.compile(r".+")}
"""The part of a row's id that decides whether the row is for tests: a dialogue, a paper, a row. Harper's rows go by
rule instead."""
ANNOTATOR = re.compile(r"-a[01]+$")
REAL_LEVEL = "3"
"""Level of an edit of ErAConD that changes more than case, end punctuation, spacing and apostrophes."""
GRAMMAR = frozenset({"grammar", "spelling", "tense", "agreement"})
"""TETRA's kinds of edit that correct an error."""
TASTE = frozenset({"Style", "Regionalism", "Formatting", "Enhancement"})
TASTE_RULE = re.compile(r"in_on_the_cards|oxford_comma|have_take_a_look|excellent|dashes", re.IGNORECASE)
"""Harper's categories and rules of taste, dialect and typography."""
SIMILAR = 0.75
"""Similarity of two words above which one is the other's correction, whatever stands beside it."""
ALIKE = 0.6
"""Similarity of two words above which reports call them forms or spellings of one word."""
DETERMINERS = frozenset({"a", "an", "the", "this", "that", "these", "those"})
AUXILIARIES = word_set(
    "to be am is are was were been being have has had having do does did will would can could may might must shall "
    "should not n't 'm 're 's 've 'd 'll"
)
"""Words that make one verb with the word after them: *to eat* for *eating* is one change."""
POSSESSIVE = frozenset({"'s", "’s", "'", "’"})
WORD_COST, LETTER_COST, CLASS_COST = 0.499, 1.0, 0.5
"""Costs of a replacement: of another word, of entirely different letters, and of another class; all of them together
cost less than a deletion and an insertion."""

REPEATED = 4
"""The longest repetition, in tokens, of which the first occurrence is always called the superfluous one."""

Change = tuple[int, int, tuple[str, ...]]
"""Start and end of the tokens that are replaced, and the tokens that replace them."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A sentence and its corrections."""

    text: str
    """The sentence as it was written."""
    references: tuple[str, ...]
    """Its corrections, the sentence itself if it was left as it is; TETRA's have only edits of grammar where there are
    any."""
    source: str
    part: str
    """`DEVELOPMENT` or `TEST`."""
    real: bool
    """Whether an error is corrected: more than case and punctuation (ErAConD), grammar (TETRA); for Harper, whether the
    sentence is tidy and the rule none of taste; for SMITH, whether no word is missing from the draft."""
    allowed: tuple[str, ...] = ()
    """Corrections with the remaining edits, which count neither for nor against a system."""
    group: str = ""
    """The dialogue, paper, rule or row: a group is in one part."""


def read_edits(folder: Path, source: str, part: str = DEVELOPMENT) -> list[Edited]:
    """Return the sentences of a set that belong to a part, those of several annotators once."""
    same: dict[tuple[str, str, str], list[Mapping[str, str]]] = {}
    for row in rows_of(folder / FILES[source]):
        group = group_of(row, source)
        if part_of(group) == part:
            turn = ANNOTATOR.sub("", row["id"]) if source == "eracond" else ""
            same.setdefault((group, turn, row["bad"]), []).append(row)
    return [_edited(rows, source, part, group) for (group, _, _), rows in same.items()]


def part_of(group: str) -> str:
    """Return the part to which a group belongs."""
    return DEVELOPMENT if zlib.crc32(group.encode()) % 3 else TEST


def rows_of(path: Path) -> Iterator[Mapping[str, str]]:
    """Yield the rows of a file."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def group_of(row: Mapping[str, str], source: str) -> str:
    """Return the dialogue, paper, rule or row that is in one part as a whole."""
    if source == "harper":
        return row["kind"]
    match = GROUPS[source].match(row["id"])
    return match.group() if match else row["id"]


def _edited(rows: Sequence[Mapping[str, str]], source: str, part: str, group: str) -> Edited:
    text, goods = rows[0]["bad"], [row["good"] for row in rows]
    allowed: list[str] = []
    if source == "eracond":
        real = any(REAL_LEVEL in row["level"].split(";") for row in rows)
    elif source == "tetra":
        grammar = [only for row in rows if (only := _only_grammar(row)) != text]
        real, allowed, goods = bool(grammar), goods, grammar or goods
    elif source == "harper":
        tidy = [row["good"] for row in rows if row["tidy"] == "1" and not _is_taste(row)]
        real, goods = bool(tidy), tidy or goods
    else:
        real = rows[0]["placeholder"] == "0"
    return Edited(text, tuple(dict.fromkeys(goods)), source, part, real, tuple(dict.fromkeys(allowed)), group)


def _only_grammar(row: Mapping[str, str]) -> str:
    """Return the sentence of a row with only the edits of `GRAMMAR`."""
    text = row["bad"]
    kinds = row["kind"].split(" | ")
    for (start, end, new), kind in reversed(list(zip(json.loads(row["span"]), kinds, strict=True))):
        if not GRAMMAR.isdisjoint(kind.strip().split(";")):
            text = text[:start] + new + text[end:]
    return text


def _is_taste(row: Mapping[str, str]) -> bool:
    kinds = set(row["lint_kind"].split("|"))
    return kinds <= TASTE or bool(TASTE_RULE.search(row["kind"]))


def tokens(text: str) -> list[str]:
    """Return words, clitics and marks as spaCy splits them, in the case in which they are written."""
    return [token.text for doc in tokenise([text]) for token in doc if not token.is_space]


class _Step(NamedTuple):
    """An operation of an alignment: the replaced tokens of the source, and their replacement in the target."""

    kind: str
    """M (match), S (substitution), I (insertion), D (deletion), T (transposition) or X (merged)."""
    start: int
    end: int
    new_start: int
    new_end: int


class _Cell(NamedTuple):
    cost: float
    kind: str
    size: int


def changes(source: Sequence[str], target: Sequence[str]) -> frozenset[Change]:
    """Return the changes that make the source the target."""
    first, last = _unequal(source, target)
    middle, new_middle = source[first : len(source) - last], target[first : len(target) - last]
    steps: list[_Step] = []
    for kind, group in groupby(_aligned(middle, new_middle), lambda step: step.kind if step.kind in "MT" else "other"):
        run = list(group)
        if kind != "M":
            steps += run if kind == "T" else _merged(run, middle, new_middle)
    return frozenset(
        (first + step.start, first + step.end, tuple(new_middle[step.new_start : step.new_end])) for step in steps
    )


def _unequal(source: Sequence[str], target: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of equal tokens at the beginning and at the end, which need no alignment."""
    shorter = min(len(source), len(target))
    last = 0
    while last < shorter and source[-1 - last] == target[-1 - last]:
        last += 1
    first = 0
    while first < shorter - last and source[first] == target[first]:
        first += 1
    return max(0, first - REPEATED), last


def _aligned(source: Sequence[str], target: Sequence[str]) -> list[_Step]:
    """Return the cheapest operations that make the source the target."""
    table = _costs(source, target)
    at, new_at, steps = len(source), len(target), []
    while at or new_at:
        cell = table[at][new_at]
        before = at - (0 if cell.kind == "I" else cell.size)
        new_before = new_at - (0 if cell.kind == "D" else cell.size)
        steps.append(_Step(cell.kind, before, at, new_before, new_at))
        at, new_at = before, new_before
    return steps[::-1]


def _costs(source: Sequence[str], target: Sequence[str]) -> list[list[_Cell]]:
    """Return the cheapest last operation for each pair of prefixes."""
    low, new_low = [token.lower() for token in source], [token.lower() for token in target]
    table = [[_Cell(float(j), "I", 1) for j in range(len(target) + 1)]]
    for i, old in enumerate(source):
        row = [_Cell(i + 1.0, "D", 1)]
        table.append(row)
        for j, new in enumerate(target):
            if old == new:
                row.append(_Cell(table[i][j].cost, "M", 1))
                continue
            replaced = _Cell(table[i][j].cost + _cost(old, new), "S", 1)
            others = _Cell(row[j].cost + 1, "I", 1), _Cell(table[i][j + 1].cost + 1, "D", 1)
            cells = (*_transposed(table, low, new_low, i, j), replaced, *others)
            row.append(min(cells, key=itemgetter(0)))
    return table


def _transposed(table: list[list[_Cell]], low: list[str], new_low: list[str], i: int, j: int) -> Iterator[_Cell]:
    """Yield the shortest transposition that ends here, if there is any; no token in it stays in its place."""
    size = 1
    while size <= min(i, j) and low[i - size + 1] != new_low[j - size + 1]:
        if sorted(low[i - size : i + 1]) == sorted(new_low[j - size : j + 1]):
            yield _Cell(table[i - size][j - size].cost + size, "T", size + 1)
            return
        size += 1


@lru_cache(maxsize=1 << 16)
def _cost(old: str, new: str) -> float:
    if old.lower() == new.lower():
        return 0.0
    return WORD_COST + LETTER_COST * (1 - _similarity(old, new)) + CLASS_COST * (_class(old) != _class(new))


@lru_cache(maxsize=1 << 16)
def _similarity(old: str, new: str) -> float:
    return SequenceMatcher(None, old.lower(), new.lower(), autojunk=False).ratio()


def _class(token: str) -> str:
    if not letters([token]):
        return "mark"
    if token.lower() in DETERMINERS:
        return "determiner"
    return "function" if token.lower() in STOP_WORDS else "content"


def letters(words: Iterable[str]) -> str:
    """Return the letters and digits of words, which are independent of spacing, case and punctuation."""
    return "".join(character for word in words for character in word.casefold() if character.isalnum())


def _merged(steps: list[_Step], source: Sequence[str], target: Sequence[str]) -> list[_Step]:
    """Merge those of adjacent operations that are one change; the largest spans are tried first."""
    if len(steps) < 2:
        return steps
    kinds = {step.kind for step in steps}
    if len(kinds) == 1 and "S" not in kinds:
        return [_joined(steps)]
    for size in range(len(steps), 1, -1):
        for first in range(len(steps) - size + 1):
            part = steps[first : first + size]
            if all(step.kind != "S" for step in part):
                continue
            last = first + size
            if _is_one(part, first == 0, source, target):
                before, after = steps[:first], steps[last:]
                return [*_merged(before, source, target), _joined(part), *_merged(after, source, target)]
            if size == 2 and _are_two(part, last == len(steps), source, target):
                before, after = steps[: first + 1], steps[first + 1 :]
                return [*_merged(before, source, target), *_merged(after, source, target)]
    whole = _joined(steps)
    words = [*source[whole.start : whole.end], *target[whole.new_start : whole.new_end]]
    return [whole] if any(_class(word) == "content" for word in words) else steps


def _joined(steps: Sequence[_Step]) -> _Step:
    return _Step("X", steps[0].start, steps[-1].end, steps[0].new_start, steps[-1].new_end)


def _is_one(part: Sequence[_Step], is_first: bool, source: Sequence[str], target: Sequence[str]) -> bool:
    """Return whether operations are one change: of spacing, of a mark and a capital, of an *'s*, of a verb."""
    span = _joined(part)
    old, new = source[span.start : span.end], target[span.new_start : span.new_end]
    if not old or not new:
        return False
    if letters(old) == letters(new) or (len(part) == 2 and not POSSESSIVE.isdisjoint((old[-1], new[-1]))):
        return True
    if len(old) != len(new) and AUXILIARIES.issuperset(word.lower() for word in (*old[:-1], *new[:-1])):
        return _class(old[-1]) == _class(new[-1]) == "content"
    short = min(old, new, key=len)
    capital = any(words is short and other[0][:1].isupper() for words, other in ((old, new), (new, old)))
    return is_first and len(short) == 1 and old[-1].lower() == new[-1].lower() and capital


def _are_two(part: Sequence[_Step], is_last: bool, source: Sequence[str], target: Sequence[str]) -> bool:
    """Return whether two operations are separate: two words, a misspelling, a mark or an article."""
    if all(step.kind == "S" for step in part):
        return True
    for step in part:
        old, new = source[step.start : step.end], target[step.new_start : step.new_end]
        if step.kind == "S" and _similarity(old[0], new[0]) > SIMILAR:
            return True
        if step.kind != "S" and not letters((*old, *new)):
            return True
    last = part[-1]
    ends = {word.lower() for word in (*source[last.start : last.end], *target[last.new_start : last.new_end])}
    return is_last and not ends.isdisjoint(DETERMINERS)


def is_trivial(source: Sequence[str], change: Change) -> bool:
    """Return whether a change is of case, punctuation, apostrophes or spacing alone."""
    start, end, new = change
    return letters(source[start:end]) == letters(new)


def kind_of(source: Sequence[str], change: Change) -> str:
    """Return a change's kind, by which reports group changes."""
    start, end, new = change
    old = source[start:end]
    if letters(old) == letters(new):
        return "case, punctuation, spacing"
    if sorted(word.lower() for word in old) == sorted(word.lower() for word in new):
        return "order"
    if len(old) == len(new) == 1 and _similarity(old[0], new[0]) > ALIKE:
        return "form, spelling"
    action = "other" if old and new else "missing" if new else "superfluous"
    content = any(_class(word) == "content" for word in (*old, *new))
    return f"{action} {'content' if content else 'function'} word"


def touch(first: Change, second: Change) -> bool:
    """Return whether two changes are made at the same place."""
    return first[:2] == second[:2] or max(first[0], second[0]) < min(first[1], second[1])


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of changes: by both, only by the system, and only by the reference."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)

    @property
    def precision(self) -> float:
        """The share of the system's changes that the reference has; NaN if the system makes none."""
        made = self.right + self.wrong
        return self.right / made if made else math.nan

    @property
    def recall(self) -> float:
        """Share of the reference's changes that the system makes; NaN if the reference has none."""
        wanted = self.right + self.missed
        return self.right / wanted if wanted else math.nan

    def f(self, beta: float = 0.5) -> float:
        """Return the weighted harmonic mean of precision and recall; 1 if nothing is changed and nothing should be."""
        weight = beta * beta
        both = (1 + weight) * self.right
        every = both + weight * self.missed + self.wrong
        return both / every if every else 1.0


class Verdict(NamedTuple):
    """A sentence's changes by whether its best reference has them."""

    right: frozenset[Change]
    wrong: frozenset[Change]
    missed: frozenset[Change]

    @property
    def tally(self) -> Tally:
        """Return the counts."""
        return Tally(*map(len, self))


def verdict(
    text: str, output: str, references: Sequence[str], allowed: Sequence[str] = (), *, real_only: bool = False
) -> Verdict:
    """Compare a system's changes with the reference that is best for it: the highest F0.5, then most right changes.

    Changes that one of ``allowed`` makes count neither way, nor, with ``real_only``, do trivial ones and others at the
    place of a trivial change of the reference.
    """
    source = tokens(text)
    made = changes(source, tokens(output))
    free = frozenset(change for other in allowed for change in changes(source, tokens(other)))
    return max(
        (_against(source, made, changes(source, tokens(one)), free, real_only) for one in references),
        key=lambda each: (each.tally.f(), len(each.right), -len(each.wrong), -len(each.missed)),
    )


def _against(
    source: Sequence[str], made: frozenset[Change], gold: frozenset[Change], free: frozenset[Change], real_only: bool
) -> Verdict:
    trivial = frozenset(change for change in made | gold if real_only and is_trivial(source, change))
    places = trivial & gold
    gold = gold - trivial
    wrong = made - gold - free - trivial
    kept = frozenset(change for change in wrong if not any(touch(change, place) for place in places))
    return Verdict(made & gold, kept, gold - made)


def tally(
    texts: Sequence[str],
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    allowed: Sequence[Sequence[str]] = (),
    *,
    real_only: bool = False,
) -> Tally:
    """Return the counts over sentences; see `verdict`."""
    rows = zip(texts, outputs, references, allowed or [()] * len(texts), strict=True)
    return sum((verdict(*row, real_only=real_only).tally for row in rows), Tally())
