"""Clouds of vectors, and metrics based on transport between them."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.errors import MissingPackage
from naturalness.metrics import METRICS, movers
from naturalness.metrics.movers import Cloud, cloud_of, moving_cost, word_cloud
from naturalness.reports.metrics.scoring import check_metrics
from naturalness.text.parsing import parse

POINTS = st.lists(st.tuples(st.floats(-2, 2), st.floats(-2, 2)), min_size=1, max_size=5)


def of(points: list[tuple[float, float]], amounts: list[float] | None = None) -> Cloud:
    """Return a cloud in the plane."""
    return cloud_of([np.array(p) for p in points], amounts or [1.0] * len(points))


def test_work_by_hand() -> None:
    """Half of the mass moves by 1, half by 3; then three quarters stay and a quarter moves by 2."""
    assert moving_cost(of([(0, 0), (4, 0)]), of([(1, 0), (7, 0)])) == pytest.approx(2)
    assert moving_cost(of([(0, 0)]), of([(0, 0), (0, 2)], [3, 1])) == pytest.approx(0.5)


@given(one=POINTS, other=POINTS)
def test_moving_is_as_long_there_as_back(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> None:
    """The distance is symmetric, at least that of the means, and 0 from a cloud to itself."""
    a, b = of(one), of(other)
    there = moving_cost(a, b)
    assert there == pytest.approx(moving_cost(b, a), abs=1e-7)
    apart = float(np.linalg.norm(a.weights @ a.points - b.weights @ b.points))
    assert there >= apart - 1e-7
    assert moving_cost(a, a) == pytest.approx(0, abs=1e-6)


def test_clouds_are_of_content_words() -> None:
    """Content words as often as they occur; all words if there are none; an empty cloud without words."""
    cloud = word_cloud(["The", "dog", "saw", "the", "other", "dog", "."])
    assert cloud is not None and cloud.weights.tolist() == pytest.approx([2 / 3, 1 / 3])
    assert np.linalg.norm(cloud.points, axis=1) == pytest.approx([1, 1])
    plain = word_cloud(["It", "was", "he", "!"])
    assert plain is not None and len(plain.points) == 3
    assert word_cloud(["!", "..."]) is None


@pytest.mark.parametrize("name", ["wmd", "smd", "s+wmd", "vecsim"])
def test_a_metric_orders_texts_by_what_they_say(name: str) -> None:
    """The same text scores 1, a paraphrase is next; the best reference counts."""
    texts = [
        "The doctor cured the sick child.",
        "A physician healed the ill girl.",
        "Midfielders rarely score from corner kicks.",
        "...",
    ]
    references = [[texts[0]]] * 4
    same, like, unlike, none = METRICS[name].score(parse(texts), references)
    assert same == pytest.approx(1, abs=1e-6)
    assert 1 > like > unlike
    assert math.isnan(none)
    (best,) = METRICS[name].score(parse(texts[:1]), [[texts[2], texts[0]]])
    assert best == pytest.approx(1, abs=1e-6)
    (wordless,) = METRICS[name].score(parse(texts[:1]), [["?!"]])
    assert math.isnan(wordless)


def test_a_comparison_asks_for_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the command; without POT whole tables would take twenty times as long.

    Identical clouds need no package.
    """
    monkeypatch.setitem(sys.modules, "ot", None)
    docs, references = parse(["Rain fell."]), [["It rained."]]
    with pytest.raises(MissingPackage, match=r"needs package 'ot'; .* 'naturalness\[metrics\]'"):
        check_metrics([METRICS["wmd"]], references)
    check_metrics([METRICS["vecsim"]], references)
    assert METRICS["vecsim"].score(docs, references)[0] < 1


def test_work_is_the_same_without_pot(monkeypatch: pytest.MonkeyPatch) -> None:
    """SciPy's solver finds the same minimum; a point split onto two costs the sum of its parts."""
    rng = np.random.default_rng(0)
    for n, m in ((1, 1), (1, 4), (5, 3), (12, 17)):
        amounts, room = (rng.dirichlet(np.ones(k)) for k in (n, m))
        ways = rng.uniform(0, 2, (n, m))
        monkeypatch.setattr(movers, "PACKAGE", "ot")
        wanted = movers.least_work(amounts, room, ways)
        monkeypatch.setattr(movers, "PACKAGE", "no_such_package")
        assert movers.least_work(amounts, room, ways) == pytest.approx(wanted, abs=1e-9)
    halves, ways = np.array([0.25, 0.75]), np.array([[1.0, 2.0]])
    assert movers.least_work(np.ones(1), halves, ways) == pytest.approx(1.75)
