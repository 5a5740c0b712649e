"""Sentences that people edited, with the edit of each word, for the last step of the mender's training."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from naturalness.explaining.tags import DELETE, INSERT, JOIN, KEEP, SWAP
from naturalness.models.detector import Network, Words, sentence_parts
from naturalness.text.parsing import parse
from naturalness.text.view import View, view
from training.detector.drafts import Word
from training.mender.answers import Answer, changed
from training.mender.edits import Edited, changes, letters, read_edits
from training.mender.sets import OF_RULE

HALVES = 2
UNKNOWN: Answer = ()
"""The answer for words of a change that no tag makes."""


def half(group: str) -> int:
    """Return the half of the material that a dialogue, paper or rule belongs to."""
    return zlib.crc32(f"half {group}".encode()) % HALVES


def without(n: int) -> str:
    """Return the name of the folder of the head that has not seen a half."""
    return f"without-{n}"


def edited(folder: Path) -> Iterator[Edited]:
    """Yield sentences of the development parts: ErAConD's, and those in which TETRA and Harper correct an error."""
    counts: dict[str, int] = {}
    for source in ("eracond", "tetra", "harper"):
        for row in read_edits(folder, source):
            rank = counts[row.group] = counts.get(row.group, 0) + 1
            if source == "eracond" or (row.real and (source == "tetra" or rank <= OF_RULE)):
                yield row


def corrected(rows: Sequence[Edited], network: Network) -> Iterator[tuple[Words, list[Answer]]]:
    """Yield the sentences of edited texts as pieces, each with an answer for each word and for its end."""
    docs, targets = parse([row.text for row in rows]), parse([row.references[0] for row in rows])
    for doc, target in zip(docs, targets, strict=True):
        given = answers(view(doc), view(target))
        for start, words in sentence_parts(doc, network) or ():
            end = start + len(words)
            # A mark that is missing between two sentences belongs to the end of the first.
            last = given[end] if end == len(given) - 1 or _is_mark(given[end]) else (KEEP,)
            first = (KEEP,) if start and _is_mark(given[start]) else given[start]
            yield words, [first, *given[start + 1 : end], last]


def _is_mark(answer: Answer) -> bool:
    return any(tag.startswith(f"{INSERT} ") and not letters([tag.removeprefix(INSERT)]) for tag in answer)


def answers(text: View, target: View) -> list[Answer]:
    """Return the answer for each token of a text, and for its end."""
    old, new = text.lower, target.lower
    given: list[Answer] = [(KEEP,)] * (len(old) + 1)
    shift = 0
    for start, end, words in sorted(changes(old, new)):
        at = start + shift
        shift += len(words) - (end - start)
        originals = [Word(word, target.tags[at + k], "", -1, -1) for k, word in enumerate(words)]
        given[start:end] = _replaced(old[start:end], originals)
        if start == end:
            given[start] = (f"{INSERT} {words[0]}",)
    return given


def _replaced(old: Sequence[str], new: Sequence[Word]) -> list[Answer]:
    """Return the answers for words that are replaced."""
    texts = [word.text for word in new]
    if not new:
        return [(DELETE,)] * len(old)
    if len(old) == len(new) == 1:
        return [changed(old[0], new[0])]
    if len(old) == 2 and "".join(old) == "".join(texts) and len(new) == 1:
        return [(JOIN,), (KEEP,)]
    if len(old) == 2 and texts == [*reversed(old)]:
        return [(SWAP,), (KEEP,)]
    return [UNKNOWN] * len(old)
