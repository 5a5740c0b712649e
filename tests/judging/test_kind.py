"""The file with the axes of an adapted model."""

from __future__ import annotations

import json

import numpy as np
import pytest

from naturalness.judging.kind import SHARES, Kind, both_parts, kind_bytes, read_kind
from naturalness.models.learners.calibration import Calibration
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.linear import Linear
from naturalness.models.learners.prepared import learn_preparation

KIND = Kind(2.0, -0.5, np.linspace(-3, 1, len(SHARES)))


def test_written_and_read() -> None:
    """Numbers survive to six digits."""
    read = read_kind(kind_bytes(KIND))
    assert (read.slope, read.offset) == (2.0, -0.5)
    np.testing.assert_allclose(read.fits, KIND.fits, rtol=1e-5, atol=1e-12)


def test_forged_files_are_refused() -> None:
    """A file with too few shares, or with descending ones, is refused."""
    for fits, match in (([0.0, 1.0], "expected 101 fits, found 2"), ([*KIND.fits[::-1]], "not ascending")):
        with pytest.raises(ValueError, match=match):
            read_kind(json.dumps(json.loads(kind_bytes(KIND)) | {"fits": fits}).encode())


def test_only_two_parts_have_axes() -> None:
    """A model with one linear unit has no axes."""
    table = np.eye(3)
    model = Compiled(learn_preparation(table), (Linear(np.ones(3), np.zeros(1)),), Calibration(np.ones(1), np.zeros(1)))
    with pytest.raises(ValueError, match="not a model with two axes"):
        both_parts(model)
