"""Scores of human-written sentences in a model's folder."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from naturalness.errors import UnknownName
from naturalness.judging.people import LEVELS, People, people_bytes, read_people
from naturalness.pipelines.scorer import open_model

EVEN = np.linspace(0, 1, 1001)
"""A share of x scores below x."""


def people() -> People:
    """Return two plain registers, the second with lower scores, and learners with the lowest."""
    return read_people(people_bytes({"news": EVEN, "chat": EVEN / 2, "learners": EVEN / 10}))


def test_shares_and_their_inverse() -> None:
    """Shares are interpolated between levels and clipped beyond both ends; NaN stays NaN."""
    news = people().register("news")
    assert news.sentences == 1001
    assert [news.below(x) for x in (0.0, 0.125, 0.5, 1.0)] == pytest.approx([0, 0.125, 0.5, 1])
    assert news.score_at(0.02) == pytest.approx(0.02)
    assert np.isnan(news.below(float("nan")))
    chat = people().register("chat")
    assert (chat.below(0.9), chat.below(0.25)) == pytest.approx((1.0, 0.5))


def test_a_threshold_holds_in_every_register() -> None:
    """The lowest threshold of all registers applies, less 1.645 standard errors.

    Learners and lower-case text count only if named. For 1,001 sentences, five of which count as one,
    the standard error of a tenth is .0212.
    """
    assert people().threshold(0.1) == pytest.approx(0.5 * 0.0651, abs=1e-4)
    for name in ("plain", "news", "learners"):
        register = people().plain if name == "plain" else people().register(name)
        threshold = people().threshold(0.1, name)
        below = [
            score for score in EVEN * register.scores[-1] if people().standing(score, name).naturalness < threshold
        ]
        share = 0.1 - 1.645 * (0.1 * 0.9 * 5 / register.sentences) ** 0.5
        assert len(below) == pytest.approx(share * 1001, abs=1)
    assert read_people(people_bytes({"learners": EVEN})).threshold(0.1) == pytest.approx(0.0651, abs=1e-4)
    few = read_people(people_bytes({"yours": EVEN[::50]}))
    assert few.threshold(0.01) == 0.0


def test_standing_in_a_register() -> None:
    """With medians of .5 and .25, and .375 for plain text, news loses .9 of the .511 in log-odds."""
    assert people().plain.score_at(0.5) == pytest.approx(0.375)
    news = people().standing(0.5, "news")
    assert (news.register, news.overall, news.percentile) == ("news", 0.5, 50.0)
    assert news.naturalness == pytest.approx(0.387047, abs=1e-5)
    assert people().standing(0.25, "chat").naturalness == pytest.approx(0.361328, abs=1e-5)
    plain = people().standing(0.6, "plain")
    assert plain.naturalness == plain.overall == 0.6
    assert np.isnan(people().standing(float("nan"), "news").percentile)


@pytest.mark.parametrize("register", ["plain", "news", "chat", "learners"])
def test_a_score_in_a_register_rises_with_the_score(register: str) -> None:
    """The standing rises with the score and stays between 0 and 1."""
    within = [people().standing(score, register).naturalness for score in EVEN]
    assert all(low <= high for low, high in itertools.pairwise(within))
    assert within[0] >= 0 and within[-1] <= 1


def test_names_of_registers() -> None:
    """A named register applies to all texts; with `auto`, each has its own, and an unknown guess counts as plain."""
    texts = ["Storm Closes Three Airports in the North", "The committee met."]
    assert people().names(texts, "news") == ["news", "news"]
    assert people().names(texts, "auto") == ["plain", "plain"]
    titles = read_people(people_bytes({"news": EVEN, "titles": EVEN / 2}))
    assert titles.names(texts, "auto") == ["titles", "plain"]
    assert titles.threshold(0.1, "auto") == pytest.approx(0.0651, abs=1e-4)
    with pytest.raises(UnknownName, match="did you mean 'news'"):
        people().names(texts, "new")


@pytest.mark.parametrize(
    "change",
    [
        {"levels": [0, 1]},
        {"registers": {}},
        {"registers": {"news": {"sentences": 5, "scores": [0.5] * 3}}},
        {"registers": {"news": {"sentences": 0, "scores": [0.5] * len(LEVELS)}}},
    ],
)
def test_forged_files_are_refused(change: dict[str, object]) -> None:
    """Other levels, no registers, no sentences and too few scores are refused."""
    plain = json.loads(people_bytes({"news": EVEN})) | change
    with pytest.raises(ValueError, match=r"levels|scores|sentences"):
        read_people(json.dumps(plain).encode())


@pytest.mark.parametrize("name", ["default", "fast"])
def test_shipped_models_know_people(name: str) -> None:
    """Shipped models have eleven registers, lower-case text and learners; better registers have fewer low scores."""
    known = open_model(name).people
    assert known is not None
    assert len(known.registers) == 16
    assert 0 < known.threshold(0.01) < known.threshold(0.02) < known.threshold(0.05) < 0.5
