"""Agreement of raters, compared with published tables and other implementations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from naturalness.statistics.agreement import agree, fleiss, krippendorff, quadratic_kappa, reliabilities

NAN = math.nan
CODERS = (
    (NAN, NAN, NAN, NAN, NAN, 3, 4, 1, 2, 1, 1, 3, 3, NAN, 3),
    (1, NAN, 2, 1, 3, 3, 4, 3, NAN, NAN, NAN, NAN, NAN, NAN, NAN),
    (NAN, NAN, 2, 1, 3, 4, 4, NAN, 2, 1, 1, 3, 3, NAN, 4),
)
"""Three coders and 15 units, many without a value: the worked example of Krippendorff's alpha."""
PSYCHIATRISTS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
"""Ten subjects, 14 raters, five categories: the worked example of Fleiss' kappa."""
JUDGES = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))
"""Six targets and four judges of Shrout & Fleiss (1979)."""


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.691), ("ordinal", 0.807), ("interval", 0.811)])
def test_krippendorff(level: str, alpha: float) -> None:
    """Alpha equals the published values; missing values and units with one value do not change it."""
    units = list(zip(*CODERS, strict=True))
    assert krippendorff(units, level) == pytest.approx(alpha, abs=0.0005)
    assert krippendorff([u[::-1] for u in units], level) == pytest.approx(alpha, abs=0.0005)


def test_extremes_of_krippendorff() -> None:
    """Full agreement has alpha 1; alpha of equal or single ratings is undefined."""
    assert krippendorff([[1, 1], [2, 2, 2]], "ordinal") == 1
    assert math.isnan(krippendorff([[3, 3], [3, 3]], "interval"))
    assert math.isnan(krippendorff([[3], [2]], "nominal"))


def test_fleiss() -> None:
    """Kappa equals the published value; items may differ in their number of ratings."""
    subjects = [[v for v, many in enumerate(row) for _ in range(many)] for row in PSYCHIATRISTS]
    assert fleiss(subjects) == pytest.approx(0.210, abs=0.0005)
    # Two of three pairs and one of one agree: (1/3 + 1) / 2; chance (3/5)^2 + (2/5)^2.
    mixed = fleiss([[1, 1, 2], [2, 2]])
    chance = (2 / 5) ** 2 + (3 / 5) ** 2
    assert mixed == pytest.approx((2 / 3 - chance) / (1 - chance))


def test_intraclass_correlation() -> None:
    """ICC(1,1) and ICC(1,4) equal the published values; the ceiling is the root of the reliability."""
    icc, reliability, ceiling = reliabilities(JUDGES)
    assert icc == pytest.approx(0.17, abs=0.005)
    assert reliability == pytest.approx(0.44, abs=0.005)
    assert ceiling == pytest.approx(math.sqrt(reliability))


def test_ceiling() -> None:
    """On simulated ratings, the ceiling equals the correlation of the true quality with the mean ratings."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=4000)
    items = [list(q + 1.5 * rng.normal(size=rng.integers(2, 5))) for q in quality]
    reached = np.corrcoef(quality, [np.mean(item) for item in items])[0, 1]
    agreement = agree(items)
    assert agreement.ceiling == pytest.approx(reached, abs=0.02)
    assert reliabilities(items)[0] == pytest.approx(1 / (1 + 1.5**2), abs=0.02)


def test_no_ceiling() -> None:
    """The ceiling is 0 if ratings vary as much within items as between items."""
    assert reliabilities([[1, 5], [2, 4], [3, 3]])[1:] == (0, 0)
    assert math.isnan(reliabilities([[2, 2], [2, 2]])[2])
    assert math.isnan(agree([[1], [2]]).ceiling)


def test_quadratic_kappa() -> None:
    """Quadratic kappa equals scikit-learn's."""
    rng = np.random.default_rng(0)
    x = rng.integers(1, 7, 60)
    y = np.clip(x + rng.integers(-2, 3, 60), 1, 6)
    wanted = cohen_kappa_score(x, y, weights="quadratic")
    assert quadratic_kappa(x.astype(float), y.astype(float)) == pytest.approx(wanted)


def test_named_raters() -> None:
    """Kappa of named raters is the mean over pairs with enough common items; otherwise ratings are pooled."""
    rng = np.random.default_rng(0)
    x = rng.integers(1, 7, 40).astype(float)
    y, z = (np.clip(x + rng.integers(-2, 3, 40), 1, 6) for _ in range(2))
    items = list(zip(x, y, z, strict=True))
    named = agree(items, [("ann", "bob", "cy")] * 40)
    pairs = [quadratic_kappa(a, b) for a, b in ((x, y), (x, z), (y, z))]
    assert named.kappa == pytest.approx(np.mean(pairs))
    unnamed = agree(items)
    assert unnamed.kappa == pytest.approx(agree([item[::-1] for item in items]).kappa)
    assert agree(items[:9], [("ann", "bob", "cy")] * 9) == agree(items[:9])


def test_missing_ratings_and_few_items() -> None:
    """Missing ratings change nothing; 1, 2 and 3 correlate at -1 with the means of the others, 2.5, 2 and 1.5."""
    assert agree([[1, 2, NAN], [NAN, 3, 3], [4, 5, 5]]) == agree([[1, 2], [3, 3], [4, 5, 5]])
    agreement = agree([[1, 2, 3]])
    assert agreement.against_others_pearson == pytest.approx(-1)
    assert (agreement.items, agreement.ratings) == (1, 3)
