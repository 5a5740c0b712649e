"""The two axes of a model that was adapted to texts of one kind: how sound a text is, and how well it fits."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.judging.fields import FIT, SOUND
from naturalness.models.learners.blend import Blend
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.norms import Norms
from naturalness.statistics.logistic import sigmoid

KIND = "kind.json"
"""Its name in a model's folder."""
SHARES = (np.arange(101) / 100).tolist()


@dataclass(frozen=True, slots=True)
class Kind:
    """What the axes are measured by."""

    slope: float
    offset: float
    """Of the model that it was adapted from."""
    fits: FloatArray
    """How well the texts of the kind fit, at the shares in `SHARES`, rising."""

    def axes(self, compiled: Compiled, table: FloatArray) -> dict[str, FloatArray]:
        """Return both axes of rows of a table, 0..1 each, higher is better.

        ``sound`` is the score of the model that it was adapted from, ``fit`` the share of texts of the kind that fit
        less well.
        """
        linear, norms = both_parts(compiled)
        rows = compiled.preparation.apply(table)
        fit = np.interp(norms.decide(rows), self.fits, SHARES)
        return {SOUND: sigmoid(self.slope * linear.decide(rows) + self.offset), FIT: fit}


def both_parts(compiled: Compiled) -> tuple[Linear, Norms]:
    """Return what an adapted model adds up; raises ValueError for any other model."""
    (unit,) = compiled.units
    if not isinstance(unit, Blend) or len(unit.parts) != 2:
        raise ValueError("no model of two axes")
    linear, norms = unit.parts
    if not isinstance(linear, Linear) or not isinstance(norms, Norms):
        raise ValueError("no model of two axes")
    return linear, norms


def kind_bytes(kind: Kind) -> bytes:
    """Return the file; no text is in it."""
    fits = [float(f"{value:.6g}") for value in kind.fits]
    return (json.dumps({"slope": kind.slope, "offset": kind.offset, "fits": fits}, indent=1) + "\n").encode()


def read_kind(data: bytes) -> Kind:
    """What `kind_bytes` wrote; raises anything where it is something else (`damage_as`)."""
    plain = json.loads(data)
    fits = np.array(plain["fits"], dtype=np.float64)
    if fits.shape != (len(SHARES),):
        raise ValueError(f"expected {len(SHARES)} fits, found {fits.size}")
    return Kind(float(plain["slope"]), float(plain["offset"]), fits)
