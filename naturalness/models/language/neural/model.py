"""Neural language models, each mixed with an n-gram model (its companion), which defines the units.

A model has two files: a description and the ONNX network. The inputs of the network are ``ids`` (texts, pieces), the
positions ``at`` (k, 2) at which to predict, and the ``targets`` (k, 1) there. Its outputs are ``logs`` (k, 1), ln p of
the targets, and ``entropy`` (k, 1), the entropy of the predictions in nats. A bidirectional network also has the input
``causal`` (1, 1): 1 to read a single text from the left, 0 to read texts from both sides. All texts have the same
number of positions, listed in the order of the texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import AssetError, ModelError, damage_as
from naturalness.models.language.base import END, TokenScores
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.units import Reader
from naturalness.models.networks import OnnxSession, read_description
from naturalness.text.view import Doc, View, stored_beside, view

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
            raise ValueError(f"found {max_units!r:.20} positions and a weight of {weight!r:.20}")
        session = OnnxSession(folder / NETWORK)
        inputs = FROM_THE_LEFT if hidden is None else BOTH_WAYS
        if set(session.inputs) != set(inputs) or set(session.outputs) != set(OUTPUTS):
            raise ValueError("its inputs and outputs are not those of a language model")
        rows = {unit: i for i, unit in enumerate(vocabulary)}
        return NeuralNetwork(rows, start, end, unknown, hidden, max_units, str(about["encoder"]), session, weight)


class Foretold(NamedTuple):
    """Scores of the same units, including sentence ends, by a network, its companion and their mixture."""

    mixed: TokenScores
    """Scores by the mixture."""
    counted: TokenScores
    """Scores by the companion."""
    logs: FloatArray
    """ln p of each unit under the network alone."""
    entropies: FloatArray
    """Entropy of the network's prediction at each position, in nats."""
    problem: str = ""
    """Why a text with words was not scored; empty if it was."""


MAX_UNITS = 1024
"""Maximum number of units in a sentence; texts with a longer sentence are not scored, since that would take seconds."""
TOO_LONG = f"a sentence of more than {MAX_UNITS} word pieces"


@dataclass(frozen=True, slots=True)
class NeuralModel:
    """A mixture of a network and an n-gram model over the same units.

    The n-gram model, its companion, also provides the unit frequencies for SLOR.
    """

    name: str
    signature: str
    network: NeuralNetwork
    companion: NgramModel
    weight: float
    """Weight of the network in the mixture, above 0 and at most 1, fitted on held-out text."""

    def __post_init__(self) -> None:
        """Raise `ModelError` unless both models use the same pieces."""
        if self.network.encoder != self.companion.read.encoder:
            raise ModelError(
                f"{self.name!r} was not trained with the pieces of {self.companion.name!r}; "
                "reinstall naturalness, or retrain the model"
            )

    @property
    def read(self) -> Reader:
        """The companion's reader, which converts a view into units."""
        return self.companion.read

    @property
    def checksum(self) -> str:
        """Short checksum of the model's files."""
        return self.signature.rpartition(":")[2]

    @property
    def keeps_frequencies(self) -> bool:
        """Whether the companion has the frequencies of its units."""
        return self.companion.keeps_frequencies

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return each Doc's scores by the mixture."""
        return [foretold.mixed for foretold in self.foretell(docs)]

    def foretell(self, docs: Sequence[Doc]) -> list[Foretold]:
        """Return the scores of each Doc by both models and their mixture, stored beside the Doc."""
        return stored_beside(
            docs, f"naturalness.lm.{self.signature}", lambda new: (self._foretell(view(doc)) for doc in new)
        )

    def _foretell(self, seen: View) -> Foretold:
        stretches = self.read(seen)
        problem = TOO_LONG if any(len(stretch.units) > MAX_UNITS for stretch in stretches) else ""
        if problem:
            stretches = []
        counted = self.companion.scores([(stretches, seen.positions)])[0]
        rows = [tuple(map(self.network.row, stretch.units)) for stretch in stretches]
        foretold = {each: self.network.foretell(each) for each in dict.fromkeys(rows)}  # long texts repeat sentences
        logs, entropies = (np.concatenate([np.empty(0), *(foretold[each][i] for each in rows)]) for i in (0, 1))
        mixed = counted._replace(logprobs=self._mix(logs, counted))
        return Foretold(mixed, counted, logs, entropies, problem)

    def _mix(self, alone: FloatArray, counted: TokenScores) -> FloatArray:
        """Return ln of the mixed probability; units that the network lacks get the companion's probability."""
        if self.weight >= 1:
            return alone
        known = np.array([u == END or u in self.network.rows for u in counted.units], np.bool_)
        both = np.logaddexp(alone + math.log(self.weight), counted.logprobs + math.log1p(-self.weight))
        return np.where(known, both, counted.logprobs)
