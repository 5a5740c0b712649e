"""The two axes of a model adapted to one kind of text: how sound a text is, and how well it fits the kind."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.judging.fields import FIT, SOUND
from naturalness.models.learners.blend import Blend, Norms
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear, Switching
from naturalness.statistics.logistic import sigmoid

KIND_FILE = "kind.json"
"""Name of the file in a model's folder that stores a `Kind`."""
SHARES = (np.arange(101) / 100).tolist()


@dataclass(frozen=True, slots=True)
class Kind:
    """The parameters of the axes ``sound`` and ``fit``."""

    slope: float
    """Factor that, together with ``offset``, turns the log-odds of the original model into log-odds of soundness."""
    offset: float
    fits: FloatArray
    """Quantiles, at `SHARES`, of the fit of texts of this kind, in ascending order."""

    def axes(self, compiled: Compiled, table: FloatArray) -> dict[str, FloatArray]:
        """Return the values of both axes for the rows of a table, 0..1, higher is better.

        ``sound`` is the score of the original model, and ``fit`` is the share of texts of this kind that fit less well.
        """
        sound, norms = both_parts(compiled)
        rows = compiled.preparation.apply(table)
        fit = np.interp(norms.decide(rows), self.fits, SHARES)
        return {SOUND: sigmoid(self.slope * sound.decide(rows) + self.offset), FIT: fit}


def both_parts(compiled: Compiled) -> tuple[Linear | Switching, Norms]:
    """Return the two parts of an adapted model; raise ValueError if the model is not adapted."""
    (unit,) = compiled.units
    if not isinstance(unit, Blend) or len(unit.parts) != 2:
        raise ValueError("not a model with two axes")
    sound, norms = unit.parts
    if not isinstance(sound, Linear | Switching) or not isinstance(norms, Norms):
        raise ValueError("not a model with two axes")
    return sound, norms


def kind_bytes(kind: Kind) -> bytes:
    """Return the contents of the file `KIND_FILE`; they include no texts."""
    fits = [float(f"{value:.6g}") for value in kind.fits]
    return (json.dumps({"slope": kind.slope, "offset": kind.offset, "fits": fits}, indent=1) + "\n").encode()


def read_kind(data: bytes) -> Kind:
    """Read bytes that `kind_bytes` returned; other bytes may raise any exception (callers use `damage_as`)."""
    plain = json.loads(data)
    fits = np.array(plain["fits"], dtype=np.float64)
    if fits.shape != (len(SHARES),):
        raise ValueError(f"expected {len(SHARES)} fits, found {fits.size}")
    slope, offset = float(plain["slope"]), float(plain["offset"])
    if not np.isfinite([slope, offset, *fits]).all() or (np.diff(fits) < 0).any():
        raise ValueError("its numbers are not finite, or its fits are not ascending")
    return Kind(slope, offset, fits)
