"""Rank candidate edits: every candidate by n-gram counts and the detector's marks, then the best by the small networks.

The score of an edit is a weighted sum of the differences between the sentence with the edit and without it. Both sets
of weights come from a conditional logit that was fitted to rank, among all candidates for a damaged sentence, the edit
that undoes the damage first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.explaining.rewriting import Candidate, Text
from naturalness.models.detector import KINDS, detect, share_readings
from naturalness.models.language import shipped
from naturalness.models.language.units import Stretch

if TYPE_CHECKING:
    from spacy.tokens import Doc

with (Path(__file__).parent / "ranking.toml").open("rb") as _file:
    _TABLES = tomllib.load(_file)
MENDS: Mapping[str, Sequence[str]] = {
    "checker": KINDS[1:],
    **{edit: kinds.split() for edit, kinds in _TABLES["mends"].items()},
}
"""The kinds of damage that each kind of edit can repair."""
EDIT_KINDS = tuple(MENDS)
BY_COUNTS: Mapping[str, float] = _TABLES["counts"]
BY_NETWORKS: Mapping[str, float] = _TABLES["networks"]
COUNTED, READ = tuple(BY_COUNTS), tuple(BY_NETWORKS)
"""The column names of the tables that `by_counts` and `by_networks` return."""
CONTEXT = 5
"""The number of words on each side of an edit that are scored; n-grams of up to five words reach no further."""
MIN_DAMAGE = 1e-3
"""A smoothing constant added to probabilities of damage before taking logarithms."""


def score_by_counts(counted: FloatArray) -> FloatArray:
    """Return the score of each candidate, given the table of `by_counts`; a higher score means a likelier repair."""
    likelihoods: FloatArray = counted @ np.array(list(BY_COUNTS.values()))
    return likelihoods


def score_by_networks(read: FloatArray) -> FloatArray:
    """Return the score of each candidate, given the table of `by_networks`; a higher score means a likelier repair."""
    likelihoods: FloatArray = read @ np.array(list(BY_NETWORKS.values()))
    return likelihoods


def score_by_change(changes: FloatArray) -> FloatArray:
    """Return the part of `score_by_networks` that depends on the changes to whole texts (differences of
    `read_networks`).
    """
    likelihoods: FloatArray = changes @ np.array([BY_NETWORKS[name] for name in READ[1 : 1 + changes.shape[1]]])
    return likelihoods


def changes_in(read: FloatArray) -> FloatArray:
    """Return the changes to whole texts in the table of `by_networks`."""
    return read[:, 1 : len(READ) - len(EDIT_KINDS)]


def by_counts(text: Text, candidates: Sequence[Candidate]) -> FloatArray:
    """Return a table (candidates, `COUNTED`) with n-gram scores of the words around each edit, and the detector's
    marks there.
    """
    marked, doubted = _marks(text)
    table = np.zeros((len(candidates), len(COUNTED)))
    table[:, :2] = _counts(text, candidates)
    for row, candidate in zip(table, candidates, strict=True):
        kind, first = EDIT_KINDS.index(candidate.kind), min(candidate.start, len(doubted) - 1)
        last = max(candidate.end, first + 1)
        row[2:5] = marked[first:last, kind].max(), doubted[first:last].mean(), last - first - 1
        row[kind - len(EDIT_KINDS)] = 1.0
    return table


def _marks(text: Text) -> tuple[FloatArray, FloatArray]:
    """Return log-probabilities for each token: of the damage that each kind of edit repairs, and of any damage."""
    (detected,) = detect([text.doc])
    known = np.zeros((len(text.seen.texts), len(KINDS)))
    known[:, 0] = 1.0
    known[list(detected.tokens)] = np.exp(detected.logs) if detected.tokens else 0.0
    marked = [known[:, [KINDS.index(k) for k in MENDS[kind]]].sum(axis=1) for kind in EDIT_KINDS]
    return np.log(np.array(marked).T + MIN_DAMAGE), np.log(1.0 - known[:, 0] + MIN_DAMAGE)


def _counts(text: Text, candidates: Sequence[Candidate]) -> FloatArray:
    """Return the changes that each edit makes to the log-probability, and to the number of unknown words, around it."""
    model = shipped.words()
    units = dict[int, str]()
    for stretch in model.read(text.seen):
        units.update(zip(stretch.tokens, stretch.units, strict=True))
    rows: list[list[str]] = []
    without: dict[tuple[int, int], int] = {}
    pairs = []
    for candidate in candidates:
        first, last = candidate.sentence
        start, end = candidate.start, candidate.end
        left, right = max(first, start - CONTEXT), min(last, end + CONTEXT)
        if (left, right) not in without:
            without[left, right] = len(rows)
            rows.append([units[i] for i in range(left, right)])
        before, after = range(left, start), range(end, right)
        pairs.append((len(rows), without[left, right]))
        rows.append([*map(units.__getitem__, before), *candidate.words, *map(units.__getitem__, after)])
    if not rows:
        return np.empty((0, 2))
    longest = max(map(len, rows))
    scores = model.score_stretches([Stretch(row, range(len(row))) for row in rows], range(longest))
    begin = np.cumsum([0, *(len(row) + 1 for row in rows[:-1])])
    sums = np.column_stack(
        [np.add.reduceat(values, begin) for values in (scores.logprobs, scores.unknown.astype(np.float64))]
    )
    new, old = np.array(pairs).T
    differences: FloatArray = sums[new] - sums[old]
    return differences


def by_networks(text: Text, candidates: Sequence[Candidate], counted: FloatArray) -> FloatArray:
    """Return a table (candidates, `READ`) of changes in the figures that the small language model and the detector
    give to whole sentences.

    ``counted`` has the score of each candidate by counts (`score_by_counts`).
    """
    if not candidates:
        return np.empty((0, len(READ)))
    seen = text.seen
    plain = list(dict.fromkeys(candidate.sentence for candidate in candidates))
    docs = [_doc(text, seen.texts[first:last]) for first, last in plain]
    docs += [
        _doc(text, [*seen.texts[c.sentence[0] : c.start], *c.words, *seen.texts[c.end : c.sentence[1]]])
        for c in candidates
    ]
    share_readings(docs, text.doc)
    numbers = read_networks(docs)
    old = numbers[[plain.index(candidate.sentence) for candidate in candidates]]
    table = np.zeros((len(candidates), len(READ)))
    table[:, 0] = counted
    table[:, 1 : 1 + numbers.shape[1]] = numbers[len(plain) :] - old
    for row, candidate in zip(table, candidates, strict=True):
        row[len(READ) - len(EDIT_KINDS) + EDIT_KINDS.index(candidate.kind)] = 1.0
    return table


def _doc(text: Text, words: Sequence[str]) -> Doc:
    """Return an unparsed Doc of these words, which is all that the networks need."""
    from spacy.tokens import Doc

    return Doc(text.doc.vocab, words=list(words))


def read_networks(docs: Sequence[Doc]) -> FloatArray:
    """Return, for each Doc, ln p, soundness, the expected number of damaged words, the sum of the words' ln p(sound),
    and the number of words.
    """
    rows = []
    for said, seen in zip(shipped.neural().foretell(docs), detect(docs), strict=True):
        sound = sum(part.soundness for part in seen.parts)
        rows.append((said.mixed.logprobs.sum(), sound, seen.damage.sum(), seen.logs[:, 0].sum(), len(seen.tokens)))
    return np.array(rows, dtype=np.float64)
