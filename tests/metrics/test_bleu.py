"""BLEU and chrF: the same scores as direct calls of sacreBLEU."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import sacrebleu

from naturalness.errors import MissingPackage
from naturalness.metrics.bleu import BLEU, CHRF, _opened
from naturalness.text.parsing import parse, source_of

TEXTS = ["The old boat left the harbour before dawn.", "A boat leave harbours at the dawn old.", "It 's raining ."]
REFERENCES = [
    ["The old boat left the harbour before dawn."],
    ["An old boat leaves the harbour at dawn.", "The old boat left at dawn, they say."],
    ["It's raining hard."],
]


def test_scores_are_those_of_sacrebleu() -> None:
    """Scores equal direct calls on the normalised text; references are normalised too."""
    docs = parse(TEXTS)
    plain = [source_of(doc).text for doc in docs]
    assert plain[2] == "It's raining."
    for metric, score in ((BLEU, sacrebleu.sentence_bleu), (CHRF, sacrebleu.sentence_chrf)):
        wanted = [score(text, references).score for text, references in zip(plain, REFERENCES, strict=True)]
        np.testing.assert_allclose(metric.score(docs, REFERENCES), wanted)
        alike = metric.score(parse(["Isn't it raining?"]), [["Is n't it raining ?"]])
        assert alike == pytest.approx(100)


def test_the_signature_does_not_depend_on_earlier_scores() -> None:
    """The signature has the settings of sacreBLEU, independent of earlier scores."""
    before = BLEU.signature
    assert f"sacrebleu(n:4|nrefs:var|case:mixed|eff:yes|tok:13a|smooth:exp|version:{sacrebleu.__version__})" in before
    BLEU.score(parse(["Rain falls."]), [["Rain.", "It rains."]])
    assert BLEU.signature == before


def test_a_missing_package_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the metric, the package and the command that installs it."""
    _opened.cache_clear()
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    message = r"'chrf' needs package 'sacrebleu'; .* 'naturalness\[metrics\]'"
    with pytest.raises(MissingPackage, match=message):
        CHRF.score(parse(TEXTS[:1]), REFERENCES[:1])
    with pytest.raises(MissingPackage, match=message):
        _ = CHRF.signature
