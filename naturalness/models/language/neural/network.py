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
from naturalness.errors import AssetError, damage_as
from naturalness.models.networks import OnnxSession, read_description

FORMAT_VERSION = 1
DESCRIPTION, NETWORK = "neural.json", "neural.onnx"
FROM_THE_LEFT = ("ids", "at", "targets")
BOTH_WAYS = (*FROM_THE_LEFT, "causal")
OUTPUTS = ("logs", "entropy")


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
            self.run([ids], [[0, i] for i in positions], targets, causal=True)
            for ids, positions, targets in windows([*rows, self.end], [self.start], self.max_units)
        ]
        logs, entropies = zip(*runs, strict=True)
        return np.concatenate(logs), np.concatenate(entropies)

    def run(self, ids: list[list[int]], at: list[list[int]], targets: list[int], *, causal: bool) -> list[FloatArray]:
        """Return the outputs of the network as described above; only a bidirectional one reads from both sides."""
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
