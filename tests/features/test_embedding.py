"""Groups of sentence encoders, `embedding:PATH`."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness import FeatureExtractor
from naturalness.errors import ModelError
from naturalness.features import column_names, resolve
from naturalness.features.named import is_named_group


def test_the_shipped_encoder_needs_no_torch() -> None:
    """Each coordinate has a column; all are undefined for a text without words."""
    (group,) = resolve(["embedding:shipped", "embedding:shipped"])
    assert is_named_group(group)
    assert column_names([group])[:2] == ["embedding_shipped__x0", "embedding_shipped__x1"]
    extractor = FeatureExtractor(["embedding:shipped"]).fit(["x"])
    table = extractor.transform(["The dog slept.", ""])
    assert table.shape == (2, len(group.features))
    assert np.linalg.norm(table[0]) == pytest.approx(1, abs=1e-4)
    assert np.isnan(table[1]).all()
    assert group.extract([]).shape == (0, len(group.features))


def test_a_missing_encoder_is_an_error() -> None:
    """The error about a missing encoder names its path."""
    with pytest.raises(ModelError, match="no sentence encoder 'nowhere'"):
        FeatureExtractor(["embedding:nowhere"]).fit(["x"])
