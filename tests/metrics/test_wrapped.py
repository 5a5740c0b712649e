"""Metrics of other packages: by hand, against direct calls, and without their requirements."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import nltk.corpus
import numpy as np
import pytest
import sacrebleu
from nltk.translate.meteor_score import meteor_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU

from naturalness.errors import MissingPackage
from naturalness.metrics import wrapped
from naturalness.metrics.wrapped import WRAPPED_METRICS
from naturalness.text.parsing import parse, source_of

METRICS = {metric.name: metric for metric in WRAPPED_METRICS}
TEXTS = [
    "The old boat left the harbour before dawn.",
    "A boat leave harbours at the dawn old.",
    "Nobody saw it go!",
    "It 's raining .",
]
REFERENCES = [
    ["The old boat left the harbour before dawn."],
    ["An old boat leaves the harbour at dawn.", "The old boat left at dawn, they say."],
    ["No one saw it go.", "Nobody saw it leave!", "It went unseen."],
    ["It's raining hard."],
]


def wordnet(*lemmas: str, missing: bool = False) -> Any:
    """Return a WordNet in which "port" has these synonyms; nltk raises an error if its data are missing."""

    def ensure_loaded() -> None:
        if missing:
            raise LookupError("Resource wordnet not found.")

    synset = SimpleNamespace(lemmas=lambda: [SimpleNamespace(name=lambda name=name: name) for name in lemmas])
    return SimpleNamespace(ensure_loaded=ensure_loaded, synsets=lambda word: [synset] if word == "port" else [])


def score(name: str, text: str, *references: str) -> float:
    """Score one text."""
    return float(METRICS[name].score(parse([text]), [references])[0])


@pytest.fixture(autouse=True)
def _no_wordnet(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Hide WordNet, so that scores are the same on every machine."""
    monkeypatch.setattr(nltk.corpus, "wordnet", wordnet(missing=True))
    wrapped._open_meteor.cache_clear()
    yield
    wrapped._open_meteor.cache_clear()


def test_a_moved_word_is_one_edit() -> None:
    """TER shifts: 1 edit of 4 words."""
    assert score("ter", "early the boat left", "the boat left early") == pytest.approx(25)


def test_meteor_by_hand() -> None:
    """F with precision weighted .1 and recall .9, less .5 (chunks / matches) cubed.

    All 4 words in one chunk: 1 - .5 / 64. "boats" matches "boat" by its stem: the same. 2 of 3
    words in two chunks: F 2/3, penalty .5.
    """
    assert score("meteor", "the boat left early", "the boat left early") == pytest.approx(1 - 1 / 128)
    assert score("meteor", "the boats left early", "the boat left early") == pytest.approx(1 - 1 / 128)
    assert score("meteor", "boat was early", "boat came early") == pytest.approx(1 / 3)


def test_scores_as_the_packages_give_them() -> None:
    """Scores equal direct calls on the same text, also with several references."""
    docs = parse(TEXTS)
    plain = [source_of(doc).text for doc in docs]
    assert plain[3] == "It's raining."
    rouge = RougeScorer(["rouge1", "rouge2", "rouge3", "rouge4"])
    direct: dict[str, list[float]] = {name: [] for name in METRICS}
    for text, references in zip(plain, REFERENCES, strict=True):
        direct["bleu"].append(sacrebleu.sentence_bleu(text, references).score)
        for n in (1, 2, 3):
            bleu = BLEU(max_ngram_order=n, effective_order=True)
            direct[f"bleu-{n}"].append(bleu.sentence_score(text, references).score)
        direct["chrf"].append(sacrebleu.sentence_chrf(text, references).score)
        direct["ter"].append(sacrebleu.sentence_ter(text, references).score)
        best = rouge.score_multi(references, text)
        for n in (1, 2, 3, 4):
            direct[f"rouge-{n}"].append(best[f"rouge{n}"].fmeasure)
        tokens = [[t.text for t in doc] for doc in parse([text, *references])]
        direct["meteor"].append(meteor_score(tokens[1:], tokens[0], wordnet=wordnet()))
    for name, expected in direct.items():
        np.testing.assert_allclose(METRICS[name].score(docs, REFERENCES), expected, err_msg=name)


def test_spaces_of_tokenised_references_do_not_count() -> None:
    """References are normalised like texts."""
    for name in ("bleu", "chrf", "rouge-1"):
        alike = score(name, "Isn't it raining?", "Is n't it raining ?")
        assert alike == pytest.approx(1 if name == "rouge-1" else 100)
    assert score("ter", "Isn't it raining?", "Is n't it raining ?") == 0


def test_signatures_carry_the_settings_of_the_package() -> None:
    """SacreBLEU's signature does not depend on earlier scores."""
    before = METRICS["bleu"].signature
    assert f"sacrebleu(n:4|nrefs:var|case:mixed|eff:yes|tok:13a|smooth:exp|version:{sacrebleu.__version__})" in before
    assert "|sacrebleu(n:2|" in METRICS["bleu-2"].signature
    score("bleu", "Rain falls.", "Rain.", "It rains.")
    assert METRICS["bleu"].signature == before
    assert "modules:exact,stem|" in METRICS["meteor"].signature


def test_wordnet_is_used_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """With WordNet synonyms match, and the signature says so."""
    without = score("meteor", "a port", "a harbour")
    monkeypatch.setattr(nltk.corpus, "wordnet", wordnet("harbour"))
    wrapped._open_meteor.cache_clear()
    assert score("meteor", "a port", "a harbour") == pytest.approx(1 - 1 / 16)
    assert without < 0.5
    assert "modules:exact,stem,wordnet|" in METRICS["meteor"].signature


@pytest.mark.parametrize("name", METRICS)
def test_a_missing_package_is_one_clear_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the metric, the package and the command that installs it."""
    metric = METRICS[name]
    monkeypatch.setitem(sys.modules, metric.package, None)
    message = rf"'{name}' needs package '{metric.package}'; .* 'naturalness\[metrics\]'"
    with pytest.raises(MissingPackage, match=message):
        metric.score(parse(TEXTS[:1]), REFERENCES[:1])
    with pytest.raises(MissingPackage, match=message):
        _ = metric.signature
