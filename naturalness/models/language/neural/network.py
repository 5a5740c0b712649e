"""The two files of a neural language model: a description and the ONNX network.

The inputs of the network are ``ids`` (texts, pieces), the positions ``at`` (k, 2) at which to predict, and the
``targets`` (k, 1) there. Its outputs are ``logs`` (k, 1), ln p of the targets, and ``entropy`` (k, 1), the entropy of
the predictions in nats. A bidirectional network also has the input ``causal`` (1, 1): 1 to read a single text from the
left, 0 to read texts from both sides. All texts have the same number of positions, listed in the order of the texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError, ModelError, damage_as
from naturalness.models.networks import OnnxSession, read_description

FORMAT_VERSION = 1
DESCRIPTION, NETWORK = "neural.json", "neural.onnx"
FROM_THE_LEFT = ("ids", "at", "targets")
BOTH_WAYS = (*FROM_THE_LEFT, "causal")
OUTPUTS = ("logs", "entropy")
AT_ONCE = 2048
"""Maximum number of pieces in a run of masked texts, to limit memory."""


@dataclass(frozen=True, slots=True)
class NeuralNetwork:
    """A network that returns natural log-probabilities of units, which are given as rows of its embedding table.

    Each text is a separate run, since results of onnxruntime's 8-bit arithmetic depend slightly on the number of rows
    in a run.
    """

    rows: Mapping[str, int]
    """Row of each unit in the embedding table."""
    start: int
    end: int
    unknown: int
    hidden: int | None
    """Row of the mask in the embedding table; None for a causal network."""
    max_units: int
    """Maximum number of units read at once, including the start unit."""
    encoder: str
    """Checksum of the SentencePiece model; empty if units are words."""
    session: OnnxSession
    weight: float = 1.0
    """Weight of the network in its mixture with an n-gram model, fitted on held-out text."""

    def row(self, unit: str) -> int:
        """Return the row of a unit, or the row of the unknown unit if the table does not contain it."""
        return self.rows.get(unit, self.unknown)

    def foretell(self, rows: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return ln p(unit | previous units) and the prediction's entropy, for each unit of a sentence and its end.

        A long sentence is read in overlapping windows (`windows`).
        """
        runs = [
            self._run([ids], [[0, i] for i in positions], targets, causal=True)
            for ids, positions, targets in windows([*rows, self.end], [self.start], self.max_units)
        ]
        logs, entropies = zip(*runs, strict=True)
        return np.concatenate(logs), np.concatenate(entropies)

    def pseudo(self, words: Sequence[Sequence[int]], every: int = 0) -> FloatArray:
        """Return ln p(unit | all others) for each unit of a sentence, but not for its end.

        The unit and the later units of its word are masked; otherwise the parts of a rare word would predict one
        another (Kauf & Ivanova, ACL 2023). If ``every`` is n, every n-th word is masked in the same run, so that n runs
        are enough for a sentence of any length.
        """
        if self.hidden is None:
            raise ModelError("this network is causal, so it has no pseudo-likelihood")
        logs: list[FloatArray] = []
        for stretch in stretches(words, self.max_units - 2):
            logs += [self._skipping(stretch, every)] if every else self._pseudo_of(stretch)
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
            # All texts need the same number of positions: repeat a text's last position, and ignore the extra results.
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


def windows(targets: list[int], start: Sequence[int], most: int) -> Iterator[tuple[list[int], range, list[int]]]:
    """Yield the input, the positions to predict and their targets, for each window of at most ``most`` units.

    Each window after the first begins with the last units before it as context, up to half a window of them.
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
    """Return the unmasked text, and for each unit a masked text and the unit's position.

    In its masked text, the unit and the later units of its word are masked.
    """
    plain = [*before, *(unit for word in words for unit in word), *after]
    texts, at, end = [], [], len(before)
    for word in words:
        end += len(word)
        for position in range(end - len(word), end):
            texts.append([*plain[:position], *[hidden] * (end - position), *plain[end:]])
            at.append(position)
    return plain, texts, at


def stretches(words: Sequence[Sequence[int]], most: int) -> list[Sequence[Sequence[int]]]:
    """Split words into runs of at most ``most`` units; longer words are truncated."""
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


def open_network(folder: Path) -> NeuralNetwork:
    """Read a model; the caller verifies checksums (`resources.locate`)."""
    advice = "make it anew, or reinstall naturalness if it is the shipped one"
    with damage_as(AssetError, folder, advice, what="holds no neural language model"):
        about = read_description(folder / DESCRIPTION, FORMAT_VERSION)
        vocabulary, hidden, max_units = about["vocabulary"], about["hidden"], about["places"]
        start, end, unknown = (about[name] for name in ("start", "end", "unknown"))
        weight = about.get("weight", 1.0)
        if not 0 <= min(start, end, unknown) <= max(start, end, unknown) < len(vocabulary):
            raise ValueError("rows outside the table")
        if max_units < 3 or not 0 < weight <= 1:
            raise ValueError(f"{max_units!r:.20} places and a weight of {weight!r:.20}")
        session = OnnxSession(folder / NETWORK)
        inputs = FROM_THE_LEFT if hidden is None else BOTH_WAYS
        if set(session.inputs) != set(inputs) or set(session.outputs) != set(OUTPUTS):
            raise ValueError("a network with other inputs and outputs")
        rows = {unit: i for i, unit in enumerate(vocabulary)}
        return NeuralNetwork(rows, start, end, unknown, hidden, max_units, str(about["encoder"]), session, weight)
