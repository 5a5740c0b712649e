"""The two files of a neural language model: what it knows by name, and the network.

The network takes ``ids`` (texts, pieces), the places ``at`` (k, 2) whose vectors are asked and what
is to follow them, ``targets`` (k, 1); it gives ``logs`` (k, 1), ln p of what follows, and
``entropy`` (k, 1), in nats, of all that might. One that reads both ways too takes ``causal``
(1, 1): 1 from the left, then a text at a time, 0 both ways. As many places are asked of each text,
text by text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError, ModelError
from naturalness.models.networks import Session, read_description

FORMAT_VERSION = 1
DESCRIPTION, NETWORK = "neural.json", "neural.onnx"
FROM_THE_LEFT = ("ids", "at", "targets")
BOTH_WAYS = (*FROM_THE_LEFT, "causal")
OUTPUTS = ("logs", "entropy")
AT_ONCE = 2048
"""Pieces that go through together when each is hidden once: what bounds the memory."""


@dataclass(frozen=True, slots=True)
class Network:
    """Rows of pieces in; natural logs of their probabilities out.

    A text is a run of its own, whatever else there is to read: what onnxruntime makes of whole
    numbers of eight bits depends a little on how many rows go through together.
    """

    rows: Mapping[str, int]
    """Unit -> its row in the table of vectors."""
    start: int
    end: int
    unknown: int
    hidden: int | None
    """The row that hides another; None for a network that only reads from the left."""
    max_units: int
    """Units that it reads at once, with the mark of the start."""
    encoder: str
    """Checksum of the pieces' model by which texts must be cut; empty where units are words."""
    session: Session
    weight: float = 1.0
    """Of its probabilities beside those of a counting model, as fitted on held-out text."""

    def row(self, unit: str) -> int:
        """Return the row of a unit."""
        return self.rows.get(unit, self.unknown)

    def foretell(self, rows: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return ln p(unit | those before) of each unit of a sentence and its end, and the entropies there.

        Of a sentence that is too long to be read at once, later parts are read after the half of
        what can be read that stands before them.
        """
        runs = [
            self._run([ids], [[0, i] for i in positions], targets, causal=True)
            for ids, positions, targets in windows([*rows, self.end], [self.start], self.max_units)
        ]
        logs, entropies = zip(*runs, strict=True)
        return np.concatenate(logs), np.concatenate(entropies)

    def pseudo(self, words: Sequence[Sequence[int]]) -> FloatArray:
        """Return ln p(unit | all others) of each unit of a sentence, without the end.

        A unit is foretold with itself and the later units of its word hidden: with those in sight,
        the parts of a rare word would be told from one another (Kauf & Ivanova, ACL 2023).
        """
        if self.hidden is None:
            raise ModelError("this network reads from the left only: it has no pseudo-likelihood")
        logs: list[FloatArray] = []
        for stretch in stretches(words, self.max_units - 2):
            logs += self._pseudo_of(stretch)
        return np.concatenate(logs) if logs else np.empty(0)

    def _pseudo_of(self, words: Sequence[Sequence[int]]) -> list[FloatArray]:
        assert self.hidden is not None
        plain, texts, at = hiding(words, [self.start], [self.end], self.hidden)
        size = max(1, AT_ONCE // len(plain))
        return [
            self._run(
                texts[i : i + size],
                [[k, position - 1] for k, position in enumerate(at[i : i + size])],
                [plain[position] for position in at[i : i + size]],
                causal=False,
            )[0]
            for i in range(0, len(texts), size)
        ]

    def skipping(self, words: Sequence[Sequence[int]], every: int) -> FloatArray:
        """Return ln p(unit | other words) of each unit of a sentence, without the end.

        Words so many apart are hidden together, whole: as many runs as that, however long the
        sentence, and each word is foretold from all but those.
        """
        if self.hidden is None:
            raise ModelError("this network reads from the left only: it hides no words")
        logs = [self._skipping(stretch, every) for stretch in stretches(words, self.max_units - 2)]
        return np.concatenate(logs) if logs else np.empty(0)

    def _skipping(self, words: Sequence[Sequence[int]], every: int) -> FloatArray:
        assert self.hidden is not None
        plain = [self.start, *(row for word in words for row in word), self.end]
        owners = np.repeat(np.arange(len(words)), [len(word) for word in words])
        groups = [np.flatnonzero(owners % every == r) for r in range(min(every, len(words)))]
        most = max(map(len, groups))
        texts, at, targets = [], [], []
        for k, units in enumerate(groups):
            text = np.array(plain)
            text[units + 1] = self.hidden
            texts.append(text.tolist())
            # As many places are asked of each text: the last one again, which is not read.
            for unit in np.pad(units, (0, most - len(units)), mode="edge").tolist():
                at.append([k, unit])
                targets.append(plain[unit + 1])
        logs = self._run(texts, at, targets, causal=False)[0].reshape(len(groups), most)
        reordered = np.empty(len(owners))
        for row, units in zip(logs, groups, strict=True):
            reordered[units] = row[: len(units)]
        return reordered

    def _run(self, ids: list[list[int]], at: list[list[int]], targets: list[int], *, causal: bool) -> list[FloatArray]:
        inputs: dict[str, list[list[int]]] = {"ids": ids, "at": at, "targets": [[target] for target in targets]}
        if self.hidden is not None:
            inputs["causal"] = [[int(causal)]]
        return [values[:, 0].astype(np.float64) for values in self.session.run(OUTPUTS, inputs)]


def windows(
    targets: Sequence[int], start: Sequence[int], most: int
) -> Iterator[tuple[list[int], range, Sequence[int]]]:
    """Yield input, positions asked for and their targets, for each run of at most ``most`` units over a sentence.

    A later window repeats half a window of the units before it as context.
    """
    done = 0
    while done < len(targets):
        before = min(done, most // 2)
        last = min(len(targets), done - before + most)
        yield [*start, *targets[done - before : last - 1]], range(before, last - done + before), targets[done:last]
        done = last


def hiding(
    words: Sequence[Sequence[int]], before: Sequence[int], after: Sequence[int], hidden: int
) -> tuple[list[int], list[list[int]], list[int]]:
    """Return the plain text, and for each unit a text with it and the rest of its word hidden, and its position."""
    plain = [*before, *(unit for word in words for unit in word), *after]
    texts, at, end = [], [], len(before)
    for word in words:
        end += len(word)
        for position in range(end - len(word), end):
            texts.append([*plain[:position], *[hidden] * (end - position), *plain[end:]])
            at.append(position)
    return plain, texts, at


def stretches(words: Sequence[Sequence[int]], most: int) -> list[Sequence[Sequence[int]]]:
    """Return runs of words of at most so many units each; a longer word is cut to that."""
    runs: list[list[Sequence[int]]] = []
    room = 0
    for word in words:
        cut = word[:most]
        if len(cut) > room:
            runs.append([])
            room = most
        runs[-1].append(cut)
        room -= len(cut)
    return list(runs)


def open_network(folder: Path) -> Network:
    """Read a model; the folder's checksums are the caller's to compare (`resources.locate`)."""
    try:
        about = read_description(folder / DESCRIPTION, FORMAT_VERSION)
        vocabulary = _vocabulary(about["vocabulary"])
        size = len(vocabulary)
        start, end, unknown = (_row(about[name], size) for name in ("start", "end", "unknown"))
        hidden = None if about["hidden"] is None else _row(about["hidden"], size + 1)
        max_units = about["places"]
        if not isinstance(max_units, int) or max_units < 3:
            raise ValueError(f"{max_units!r:.20} places")
        weight = about.get("weight", 1.0)
        if not isinstance(weight, int | float) or not 0 < weight <= 1:
            raise ValueError(f"a weight of {weight!r:.20}")
        session = Session(folder / NETWORK)
        inputs = FROM_THE_LEFT if hidden is None else BOTH_WAYS
        if set(session.inputs) != set(inputs) or set(session.outputs) != set(OUTPUTS):
            raise ValueError("a network with other inputs and outputs")
        rows = {unit: i for i, unit in enumerate(vocabulary)}
        return Network(rows, start, end, unknown, hidden, max_units, str(about["encoder"]), session, weight)
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise AssetError(
            f"{folder} holds no neural language model ({error!s:.300}); make it anew, or reinstall "
            "naturalness if it is the shipped one"
        ) from None


def _vocabulary(listed: Any) -> list[str]:
    if not isinstance(listed, list) or not all(isinstance(unit, str) for unit in listed):
        raise ValueError("a vocabulary that is no list of units")
    if len(set(listed)) != len(listed) or not listed:
        raise ValueError("a vocabulary that is empty or has a unit twice")
    return listed


def _row(value: Any, size: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < size:
        raise ValueError(f"{value!r:.20} where a row of the table is expected")
    return value
