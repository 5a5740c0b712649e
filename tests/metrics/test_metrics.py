"""The contract of all metrics."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from naturalness.arrays import FloatArray
from naturalness.errors import UnknownName
from naturalness.metrics import METRICS, Metric, References, resolve
from naturalness.metrics.rouge import load_norms
from naturalness.metrics.slor import likelihood_metric
from naturalness.models.language import shipped
from naturalness.models.language.likelihood import slor
from naturalness.text.parsing import parse
from tests.support.commands import printed
from tests.support.metrics import ChosenPairs

ORDER = """
slor wpslor wpslor-words belonging wpbelonging belonging:neural nce wpnce slor:neural nce:neural ppl wpppl
damage damage-tokens voice gleu-structure gruen-fast rouge-l rouge-lm bleu chrf length
"""
NAMES = ORDER.split()
GOOD = "She put the letter on the table and went out."
BAD = "Letter the put she the on on table out went zzxqv and."
REFERENCES = ["She put the letter on the table and left.", "She left the letter there and went out."]
OTHERS = ["Rain fell on the quiet town."]
TEXTS = [
    GOOD,
    BAD,
    "",
    "12 !",
    "Why?",
    "مرحبا بالعالم",
    "word " * 60,
    "It rained.\n\nThen it stopped.",
    "“Quoted,” she said.",
    "Do n't go .",
    "   ",
    "e-mail me at 5pm",
]
METRIC = pytest.mark.parametrize("name", NAMES)
SCORED = pytest.mark.parametrize("name", [name for name in NAMES if name != "length"])


def scored(name: str, docs: Sequence[Doc], references: References | None = None) -> FloatArray:
    """Return the scores of a metric, given its name."""
    return METRICS[name].score(docs, references)


def test_names_and_their_order() -> None:
    """The metrics have these names, in this order."""
    assert list(METRICS) == NAMES


@METRIC
def test_a_metric_is_described_consistently(name: str) -> None:
    """Name, description and flags are consistent, and the metric can be pickled."""
    metric = METRICS[name]
    assert isinstance(metric, Metric)
    assert metric.name == name
    assert len(metric.description) > 20 and "\n" not in metric.description
    assert ("lower is better" in metric.description) != metric.higher_is_better
    assert pickle.loads(pickle.dumps(metric)).name == name


@METRIC
def test_a_signature_is_stable(name: str) -> None:
    """A signature starts with the name, includes the version, and is the same after scoring."""
    metric = METRICS[name]
    before = metric.signature
    scored(name, parse([GOOD, BAD]), [REFERENCES, REFERENCES[:1]])
    assert before == metric.signature
    assert before.startswith(f"{name}|") and "|v:" in before


def test_signatures_are_unique() -> None:
    """Signatures distinguish all metrics."""
    assert len({metric.signature for metric in METRICS.values()}) == len(METRICS)


@METRIC
def test_one_number_per_text(name: str) -> None:
    """A text has a finite score, or NaN if it is empty or blank, or too short for `voice`."""
    docs = parse(TEXTS)
    scores = scored(name, docs, [*[REFERENCES] * (len(docs) - 1), OTHERS])
    assert scores.shape == (len(docs),) and scores.dtype == np.float64
    assert np.isnan(scores[[2, 10]]).all()
    assert np.isfinite(scores[[0, 1, 6] if name == "voice" else [0, 1, 4, 6, 7, 8, 9, 11]]).all()
    assert not np.isinf(scores).any()
    assert scored(name, [], []).shape == (0,)


@SCORED
def test_good_is_better_than_bad(name: str) -> None:
    """A plain sentence scores better than its scrambled words."""
    metric = METRICS[name]
    good, bad, _ = scored(name, parse([GOOD, BAD, BAD]), [REFERENCES, REFERENCES, OTHERS])
    assert (good > bad) == metric.higher_is_better


def test_length_counts_words() -> None:
    """Punctuation is not a word; a text without words has length 0, an empty one NaN."""
    docs = parse(["Do n't go , Ann !", "?!", ""])
    np.testing.assert_array_equal(METRICS["length"].score(docs), [4, 0, np.nan])


@METRIC
@settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.sampled_from(TEXTS) | st.text(max_size=30), min_size=1, max_size=4), more=st.text(max_size=30))
def test_scores_do_not_depend_on_other_texts(name: str, texts: list[str], more: str) -> None:
    """A text of any characters has the same score alone and with others."""
    references = [[*REFERENCES, more]] * len(texts)
    together = scored(name, parse(texts), references)
    for text, number in zip(texts, together, strict=True):
        np.testing.assert_array_equal(scored(name, parse([text]), references[:1]), [number])


@METRIC
def test_references_are_needed_or_ignored(name: str) -> None:
    """Without references a reference metric is NaN; other metrics ignore them."""
    metric = METRICS[name]
    docs = parse([GOOD, BAD])
    bare, empty = scored(name, docs), scored(name, docs, [[], []])
    full = scored(name, docs, [REFERENCES, REFERENCES])
    if metric.needs_references:
        assert np.isnan(bare).all() and np.isnan(empty).all()
    else:
        np.testing.assert_array_equal(bare, full)
        np.testing.assert_array_equal(empty, full)


def test_the_frozen_norms_fit_the_shipped_model() -> None:
    """The norms were computed with the shipped model; if not, run `python -m training.norms RATED`."""
    assert load_norms().lm == shipped.pieces().signature


def test_metrics_are_resolved_by_name_or_passed_as_objects() -> None:
    """Names are looked up, objects are returned unchanged, unknown names get a hint, and None means all."""
    custom = likelihood_metric("mine", slor, ChosenPairs, "")
    assert resolve(["length", custom]) == [METRICS["length"], custom]
    assert resolve() == list(METRICS.values())
    with pytest.raises(UnknownName, match="did you mean 'wpslor'"):
        resolve(["wpslr"])
    for name in ("meteor", "gleu", "gleu-link"):
        with pytest.raises(UnknownName, match=r"pip install \./replication"):
            resolve([name])
    with pytest.raises(UnknownName, match="take 'gruen-fast'"):
        resolve(["gruen"])
    with pytest.raises(TypeError, match="single string"):
        resolve("slor")


def test_importing_metrics_is_quick() -> None:
    """Importing the metrics loads neither spaCy nor SciPy nor an optional package."""
    code = (
        "import sys, naturalness.metrics;"
        "heavy = {'spacy', 'sklearn', 'kenlm', 'sacrebleu', 'scipy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert printed(code).strip() == "[]"
