"""Judges for GRUEN that use tiny Hugging Face models with random weights."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.metrics.gruen.judges import GruenText
from naturalness.metrics.gruen.metric import GruenMetric
from naturalness.text.parsing import parse
from naturalness_replication.gruen import ForeignLikelihood, judges_of, open_acceptability, open_likelihood, open_order
from tests.support.damage import MISSING, Damage, entries
from tests.support.language_models import doc_of
from tests.support.tiny_huggingface import PLACES, save, word_pieces, write_masked

torch = pytest.importorskip("torch", reason="needs torch: pip install 'naturalness[neural]'")
pytest.importorskip("transformers", reason="needs transformers: naturalness[neural]")

TWO = "The cat saw the dog. The dogs do."


def text(words: str) -> GruenText:
    """Return a parsed text."""
    return GruenText(parse([words])[0])


def write_classifier(folder: Path, labels: int = 2, **named: str) -> Path:
    """Write a BERT that returns that many numbers per text; with ``named``, classes named _0, _1."""
    import transformers

    settings = word_pieces(folder)
    names = {"id2label": {int(k[1:]): v for k, v in named.items()}} if named else {}
    config = transformers.BertConfig(**settings, num_labels=labels, **names)
    save(transformers.BertForSequenceClassification, config, folder)
    return folder


def write_order(folder: Path) -> Path:
    """Write an ALBERT with a head for the order of two segments."""
    import transformers

    config = transformers.AlbertConfig(**word_pieces(folder), embedding_size=16)
    save(transformers.AlbertForPreTraining, config, folder)
    return folder


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> ForeignLikelihood:
    """Open a small BERT."""
    return open_likelihood(str(write_masked(tmp_path_factory.mktemp("hf") / "both")))


def test_likelihoods_equal_those_of_torch(masked: ForeignLikelihood) -> None:
    """A piece is predicted with the later pieces of its word masked too; a sentence has the geometric mean."""
    reader = masked.reader
    pieces = ["the", "dog", "##s", "saw", "[UNK]", "."]
    plain = [reader.cutter.token_to_id(piece) for piece in ["[CLS]", *pieces, "[SEP]"]]
    logs = []
    for start, stop in ((1, 2), (2, 4), (3, 4), (4, 5), (5, 6), (6, 7)):
        ids = [*plain[:start], *[masked.hidden] * (stop - start), *plain[stop:]]
        with torch.inference_mode():
            logits = reader.network(torch.tensor([ids])).logits[0].double()
        logs.append(torch.log_softmax(logits, -1)[start, plain[start]].item())
    words = [[1], [2, 3], [4], [5], [6]]
    np.testing.assert_allclose(masked.foretell([[plain[i] for i in word] for word in words]), logs, atol=1e-5)
    (alone,) = masked.of([doc_of("The dogs saw 7 .")])
    assert alone == pytest.approx([math.exp(np.mean(logs))], abs=1e-5)
    (both,) = masked.of([doc_of("The dogs saw 7 .", "the cat ! [MASK]")])
    assert len(both) == 2 and both[0] == alone[0]


def test_long_sentences_are_read_in_parts(tmp_path: Path) -> None:
    """Parts do not split words, unless a word is too long itself. RoBERTa has one position less than configured."""
    judge = open_likelihood(str(write_masked(tmp_path, roberta=True)))
    most = PLACES - 3
    assert judge.reader.max_pieces == most
    word = judge.reader.pieces("dogs")
    logs = judge.foretell([*[word] * most, judge.reader.pieces("s" * (2 * most + 1))])
    assert len(logs) == 4 * most + 1 and np.isfinite(logs).all()
    np.testing.assert_array_equal(logs[: most // 2 * 2], judge.foretell([word] * (most // 2)))
    assert not len(judge.of([doc_of("the cat", "dogs " * 512 + ".")])[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (entries("tokenizer_config.json", mask_token=MISSING), "has no mask_token"),
        (entries("config.json", architectures=["BertLMHeadModel"]), "names no masked model"),
    ],
)
def test_models_that_cannot_be_masked_are_refused(tmp_path: Path, change: Damage, message: str) -> None:
    """A model needs a masked architecture and a mask token."""
    change(write_masked(tmp_path))
    with pytest.raises(ModelError, match=message):
        open_likelihood(str(tmp_path))


def test_acceptability_is_the_share_of_its_class(tmp_path: Path) -> None:
    """Acceptability is the probability of the second of two classes, as in CoLA, for each sentence separately."""
    judge = open_acceptability(str(write_classifier(tmp_path)))
    first, second = judge.probabilities(text(TWO))
    ids = [2, *judge.reader.pieces("The dogs do."), 3]
    with torch.inference_mode():
        logits = judge.reader.network(input_ids=torch.tensor([ids])).logits[0].double()
    assert second == pytest.approx(torch.softmax(logits, -1)[1].item(), abs=1e-6)
    assert 0 < first < 1 and first != second
    assert judge.probabilities(text("The dogs do."))[0] == second


def test_classes_by_name_and_single_numbers(tmp_path: Path) -> None:
    """A class named acceptable is found by its name; a single output is a logit; three unnamed classes are refused."""
    named = write_classifier(tmp_path / "named", _0="acceptable", _1="unacceptable")
    assert open_acceptability(str(named)).label == 0
    single = open_acceptability(str(write_classifier(tmp_path / "single", 1)))
    assert 0 < single.probabilities(text(TWO))[0] < 1
    with pytest.raises(ModelError, match="names 3 classes, none of them acceptable"):
        open_acceptability(str(write_classifier(tmp_path / "three", 3)))


def test_order_loss_by_hand(tmp_path: Path) -> None:
    """The loss of two sentences is the mean of -ln p(in order) and, for the swapped text, -ln p(swapped)."""
    judge = open_order(str(write_order(tmp_path)))
    one, other = (judge.reader.pieces(part) for part in ("The cat saw the dog.", "The dogs do."))
    losses = []
    for first, second, right in ((one, other, 0), (other, one, 1)):
        ids = [2, *first, 3, *second, 3]
        types = [0] * (len(first) + 2) + [1] * (len(second) + 1)
        with torch.inference_mode():
            logits = judge.reader.network(
                input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types])
            ).sop_logits[0]
        losses.append(-torch.log_softmax(logits.double(), -1)[right].item())
    assert judge.loss(text(TWO)) == pytest.approx(sum(losses) / 2, abs=1e-5)
    assert math.isnan(judge.loss(text("The dogs do.")))


def test_gruen_over_all_three(tmp_path: Path) -> None:
    """Each spec replaces its judge; a text without words has no score."""
    judges = judges_of(
        masked=True,
        masked_lm=f"hf:{write_masked(tmp_path / 'm')}",
        acceptability=f"hf:{write_classifier(tmp_path / 'a')}",
        order=f"hf:{write_order(tmp_path / 'o')}",
    )
    metric = GruenMetric("gruen", judges)
    scores = metric.score(parse([TWO, ""]))
    parts, empty = metric.parts(parse([TWO, ""]))
    assert len(parts.likelihoods) == len(parts.acceptabilities) == 2 and parts.disorder > 0
    assert 0 <= scores[0] <= 1 and math.isnan(scores[1]) and not empty.likelihoods
    assert metric.signature.count("hf:") == 3
