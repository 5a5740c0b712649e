"""Metrics of a language model, compared with hand-worked values."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError, NaturalnessError
from naturalness.metrics import Metric, resolve
from naturalness.metrics.slor import LIKELIHOOD_METRICS
from naturalness.models.language import shipped
from naturalness.models.language.likelihood import belonging, nce, perplexity, slor, slor_per_word
from naturalness.models.language.spec import checksum_of, open_language_model
from naturalness.text.parsing import parse
from tests.support.language_models import HARBOUR, KITCHEN, train
from tests.support.metrics import scores

METRICS = {metric.name: metric for metric in LIKELIHOOD_METRICS}
FORMULAS = {"slor": slor, "belonging": belonging, "nce": nce, "ppl": perplexity}


def test_three_units_by_hand() -> None:
    """The sums are -6 and -12 over 3 units: SLOR is 6 / 3, NCE -6 / 3, and perplexity e squared."""
    three = scores([-1, -2, -3], [-4, -3, -5])
    assert slor(three) == 2
    assert nce(three) == -2
    assert perplexity(three) == pytest.approx(7.38906, abs=1e-5)


def test_belonging_by_hand() -> None:
    """p of 1/2 with u of 1/6 and 1/2, and p of 1/10 with u of 4/10, give 3/4, 1/2 and 1/5."""
    logs, frequencies = np.log([0.5, 0.5, 0.1]), np.log([1 / 6, 0.5, 0.4])
    entries = scores(logs.tolist(), frequencies.tolist())
    assert belonging(entries) == pytest.approx(np.log([0.75, 0.5, 0.2]).mean())


def test_words_of_several_units_by_hand() -> None:
    """Two sentences of three words in all: -13 less -2 - 7 - 3 and two ends of -1 is 1, over 3 words."""
    entries = scores(
        [-1, -2, -1, -1, -1, -4, -3],
        [-2, -9, -9, -9, -1, -3, -1],
        ["rain", "un", "fail", "ing", "</s>", "falls", "</s>"],
        [0, 1, 1, 1, -1, 2, -1],
    )
    asked: list[tuple[str, ...]] = []

    def cost(units: tuple[str, ...]) -> float:
        asked.append(units)
        return -7.0

    assert slor_per_word(entries, cost) == pytest.approx(1 / 3)
    assert asked == [("un", "fail", "ing")]


def test_without_units_nothing_is_defined() -> None:
    """The score is NaN, not 0."""
    for formula in (slor, belonging, nce, perplexity):
        assert math.isnan(formula(scores([], [])))
    assert math.isnan(slor_per_word(scores([], []), lambda units: 0.0))


def test_without_frequencies_there_is_no_slor() -> None:
    """SLOR and belonging are NaN for a model without unigram frequencies; NCE is defined."""
    bare = scores([-1, -3], [math.nan, math.nan])
    assert math.isnan(slor(bare))
    assert math.isnan(belonging(bare))
    assert nce(bare) == -2


def test_an_improbable_text_has_infinite_perplexity() -> None:
    """The perplexity of an improbable text is infinite instead of an overflow error."""
    assert perplexity(scores([-1e4], [-1])) == math.inf


def test_the_cost_of_a_rare_word() -> None:
    """The cost of a rare word in the shipped model of word pieces follows the definition."""
    doc = parse(["A zibbledorf sat down."])[0]
    model = shipped.pieces()
    (entries,) = model.token_logprobs([doc])
    assert entries.tokens.tolist().count(1) > 1
    words = [[u for u, at in zip(entries.units, entries.tokens, strict=True) if at == i] for i in range(5)]
    total = entries.logprobs.sum() - entries.unigrams[-1] - sum(map(model.spelled, words))
    np.testing.assert_allclose(METRICS["wpslor-words"].score([doc]), total / 5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two language models."""
    root = tmp_path_factory.mktemp("own")
    train(root / "harbour")
    train(root / "kitchen", KITCHEN)
    return root


def test_any_language_model_is_a_metric(folder: Path) -> None:
    """Scores follow the formula with the named model; a text from its domain scores better."""
    docs = parse([HARBOUR[0], KITCHEN[0], ""])
    rows = open_language_model(str(folder / "harbour")).token_logprobs(docs)
    for kind, formula in FORMULAS.items():
        (metric,) = resolve([f"{kind}:lm:{folder / 'harbour'}"])
        np.testing.assert_array_equal(metric.score(docs), [formula(one) for one in rows])
        assert metric.higher_is_better == (kind != "ppl")
        assert np.isnan(metric.score(docs)[2])
        home, foreign = (-1) ** (kind == "ppl") * metric.score(docs)[:2]
        assert home > foreign
        assert isinstance(metric, Metric)


def test_a_metric_over_a_model_names_its_files(folder: Path, tmp_path: Path) -> None:
    """The signature has the checksum of the model's files, so another model at the same path is another metric."""
    (metric,) = resolve([f"slor:lm:{folder / 'harbour'}"])
    checksum = checksum_of(str(folder / "harbour"))
    assert metric.signature.startswith(f"slor:lm:{folder / 'harbour'}|lm:harbour-3:{checksum}|")
    train(tmp_path / "m", HARBOUR)
    (metric,) = resolve([f"slor:lm:{tmp_path / 'm'}"])
    before = metric.signature
    shutil.rmtree(tmp_path / "m")
    train(tmp_path / "m", KITCHEN)
    assert metric.signature != before


def test_a_model_without_frequencies_has_no_slor(folder: Path) -> None:
    """SLOR of a model without frequencies is an error before scoring; metrics that need none work."""
    spec = str(folder / "harbour" / "order-3.binary")
    for kind in ("slor", "belonging"):
        with pytest.raises(ModelError, match=f"has none; use nce:lm:{re.escape(spec)} or ppl"):
            _ = resolve([f"{kind}:lm:{spec}"])[0].signature
    (metric,) = resolve([f"ppl:lm:{spec}"])
    assert metric.score(parse([HARBOUR[0]]))[0] > 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("slor:lm:nowhere", "no language model 'nowhere'"),
        ("slor:lm:", "did you mean 'slor:lm:MODEL'"),
        ("slur:lm:words", "unknown metric 'slur:lm:words'"),
        ("nce:lm:hf:nobody/nothing", "nobody/nothing"),
    ],
)
def test_unusable_models(name: str, said: str) -> None:
    """A name without a usable model raises an error that says why."""
    with pytest.raises(NaturalnessError, match=said):
        _ = resolve([name])[0].signature
