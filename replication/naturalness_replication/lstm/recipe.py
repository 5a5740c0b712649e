"""The hyperparameters of an LSTM language model, which are known without torch."""

from __future__ import annotations

from dataclasses import dataclass

from naturalness.errors import TrainingError
from naturalness.files.resources import require_package
from naturalness.text.parsing import DEFAULT_PIPELINE

USER = "an LSTM language model"


@dataclass(frozen=True, slots=True)
class LstmRecipe:
    """The hyperparameters of an LSTM language model."""

    width: int = 512
    layers: int = 2
    epochs: int = 5
    limit: int = 20_000
    """The number of most frequent units that the network knows; all other units share a row."""
    seed: int = 0
    threads: int = 1
    nlp: str = DEFAULT_PIPELINE

    def check(self) -> None:
        """Raise `TrainingError` if a setting is out of range."""
        for name in ("width", "layers", "epochs", "limit", "threads"):
            if getattr(self, name) < 1:
                raise TrainingError(f"{name} is {getattr(self, name)}; expected 1 or more")
        if self.seed < 0:
            raise TrainingError(f"seed is {self.seed}; expected 0 or more")
        for package in ("torch", "onnx"):
            require_package(package, user=USER, extra="neural")
