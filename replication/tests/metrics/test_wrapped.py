"""Metrics of other packages, by hand and against direct calls."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import nltk.corpus
import numpy as np
import pytest
import sacrebleu
from nltk.translate.meteor_score import meteor_score
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU

from naturalness.text.parsing import parse, source_of
from naturalness_replication.metrics import METRICS, metrics_named, wrapped

TEXTS = ["The old boat left the harbour before dawn.", "A boat leave harbours at the dawn old.", "It 's raining ."]
REFERENCES = [
    ["The old boat left the harbour before dawn."],
    ["An old boat leaves the harbour at dawn.", "The old boat left at dawn, they say."],
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


def test_scores_by_hand() -> None:
    """TER counts a moved word as one edit; METEOR is F, less .5 (chunks / matches) cubed, and matches stems.

    "boats" matches "boat": 4 words in one chunk, 1 - .5 / 64. 2 of 3 words in two chunks: F 2/3, penalty .5.
    """
    assert score("ter", "early the boat left", "the boat left early") == pytest.approx(25)
    assert score("meteor", "the boats left early", "the boat left early") == pytest.approx(1 - 1 / 128)
    assert score("meteor", "boat was early", "boat came early") == pytest.approx(1 / 3)


def test_scores_equal_direct_calls() -> None:
    """Scores equal those of the packages for the same text, also with several references."""
    docs = parse(TEXTS)
    rouge = RougeScorer(["rouge1", "rouge2", "rouge3", "rouge4"])
    direct: dict[str, list[float]] = {metric.name: [] for metric in wrapped.WRAPPED_METRICS}
    for text, references in zip([source_of(doc).text for doc in docs], REFERENCES, strict=True):
        for n in (1, 2, 3):
            bleu = BLEU(max_ngram_order=n, effective_order=True)
            direct[f"bleu-{n}"].append(bleu.sentence_score(text, references).score)
        direct["ter"].append(sacrebleu.sentence_ter(text, references).score)
        best = rouge.score_multi(references, text)
        for n in (1, 2, 3, 4):
            direct[f"rouge-{n}"].append(best[f"rouge{n}"].fmeasure)
        tokens = [[t.text for t in doc] for doc in parse([text, *references])]
        direct["meteor"].append(meteor_score(tokens[1:], tokens[0], wordnet=wordnet()))
    for name, expected in direct.items():
        np.testing.assert_allclose(METRICS[name].score(docs, REFERENCES), expected, err_msg=name)


def test_wordnet_is_used_if_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With WordNet, synonyms match, and the signature says so."""
    without = score("meteor", "a port", "a harbour")
    assert "modules:exact,stem|" in METRICS["meteor"].signature
    monkeypatch.setattr(nltk.corpus, "wordnet", wordnet("harbour"))
    wrapped._open_meteor.cache_clear()
    assert score("meteor", "a port", "a harbour") == pytest.approx(1 - 1 / 16)
    assert without < 0.5
    assert "modules:exact,stem,wordnet|" in METRICS["meteor"].signature


def test_metrics_of_both_packages_are_named() -> None:
    """Names are looked up in both packages, and all signatures differ."""
    metrics = metrics_named(["rouge-l", *METRICS])
    assert [metric.name for metric in metrics] == ["rouge-l", *METRICS]
    assert len({metric.signature for metric in metrics}) == len(metrics)
