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
    """Missing values, and units with one value, do not change alpha."""
    units = list(zip(*CODERS, strict=True))
    assert krippendorff(units, level) == pytest.approx(alpha, abs=0.0005)
    assert krippendorff([u[::-1] for u in units], level) == pytest.approx(alpha, abs=0.0005)


def test_krippendorff_at_its_ends() -> None:
    """Full agreement is 1; equal or single ratings are undefined."""
    assert krippendorff([[1, 1], [2, 2, 2]], "ordinal") == 1
    assert math.isnan(krippendorff([[3, 3], [3, 3]], "interval"))
    assert math.isnan(krippendorff([[3], [2]], "nominal"))


def test_fleiss() -> None:
    """Fleiss' kappa is .210; items with other numbers of ratings use their own pairs."""
    subjects = [[v for v, many in enumerate(row) for _ in range(many)] for row in PSYCHIATRISTS]
    assert fleiss(subjects) == pytest.approx(0.210, abs=0.0005)
    # Two of three pairs and one of one agree: (1/3 + 1) / 2; chance (3/5)^2 + (2/5)^2.
    mixed = fleiss([[1, 1, 2], [2, 2]])
    chance = (2 / 5) ** 2 + (3 / 5) ** 2
    assert mixed == pytest.approx((2 / 3 - chance) / (1 - chance))


def test_intraclass_correlation() -> None:
    """ICC(1,1) = .17 and ICC(1,4) = .44, as printed."""
    icc, reliability, ceiling = reliabilities(JUDGES)
    assert icc == pytest.approx(0.17, abs=0.005)
    assert reliability == pytest.approx(0.44, abs=0.005)
    assert ceiling == pytest.approx(math.sqrt(reliability))


def test_ceiling_is_what_a_perfect_metric_reaches() -> None:
    """Simulated ratings with a known quality, individual errors and unequal numbers of raters."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=4000)
    items = [list(q + 1.5 * rng.normal(size=rng.integers(2, 5))) for q in quality]
    reached = np.corrcoef(quality, [np.mean(item) for item in items])[0, 1]
    agreement = agree(items)
    assert agreement.ceiling == pytest.approx(reached, abs=0.02)
    assert reliabilities(items)[0] == pytest.approx(1 / (1 + 1.5**2), abs=0.02)


def test_chance_has_no_ceiling() -> None:
    """Without more variance between items than within, there is no ceiling."""
    assert reliabilities([[1, 5], [2, 4], [3, 3]])[1:] == (0, 0)
    # Means are the same, the variance within is 1: the ICC is -1 / (3 - 1), the least there is.
    assert reliabilities([[1, 2, 3], [3, 1, 2]]) == (-0.5, 0, 0)
    assert math.isnan(reliabilities([[2, 2], [2, 2]])[2])
    assert math.isnan(agree([[1], [2]]).ceiling)


def test_quadratic_kappa() -> None:
    """Quadratic kappa equals that of scikit-learn."""
    rng = np.random.default_rng(0)
    x = rng.integers(1, 7, 60)
    y = np.clip(x + rng.integers(-2, 3, 60), 1, 6)
    wanted = cohen_kappa_score(x, y, weights="quadratic")
    assert quadratic_kappa(x.astype(float), y.astype(float)) == pytest.approx(wanted)


def test_known_raters_are_compared_in_pairs() -> None:
    """Kappa is the mean over pairs with enough common items; without names, the order of raters does not matter."""
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
    """NaN changes nothing; 1 against 2.5, 2 against 2 and 3 against 1.5 correlate at -1."""
    assert agree([[1, 2, NAN], [NAN, 3, 3], [4, 5, 5]]) == agree([[1, 2], [3, 3], [4, 5, 5]])
    agreement = agree([[1, 2, 3]])
    assert agreement.one_against_others_pearson == pytest.approx(-1)
    assert (agreement.items, agreement.ratings) == (1, 3)
