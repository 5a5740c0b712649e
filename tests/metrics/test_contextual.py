"""BERTScore and MoverScore: matching by hand, names, and a tiny model with random weights.

Tests that open a model need the extra `neural` and are skipped without it.
"""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from naturalness.errors import UnknownName
from naturalness.files.resources import has_package
from naturalness.metrics import CONTEXTUAL, Metric, resolve
from naturalness.metrics.contextual import bertscore, context_cloud, greedy_f1, moverscore, rarity
from naturalness.metrics.references import Read
from naturalness.models.encoders.pieces import Encoded
from naturalness.text.parsing import parse
from tests.support.tiny_huggingface import write_masked

needs_torch = pytest.mark.skipif(
    not (has_package("torch") and has_package("transformers")), reason="needs the extra 'neural'"
)
KINDS = pytest.mark.parametrize("kind", ["bertscore", "moverscore"])
VECTORS = {"cat": (1.0, 0.0), "dog": (0.6, 0.8), "ran": (0.0, 1.0)}
TEXT, OTHER = "The cat saw it.", "The dogs do."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a BERT with two layers."""
    return f"hf:{write_masked(tmp_path_factory.mktemp('hf') / 'both')}"


def placed(text: str) -> Encoded:
    """Return a cloud with one piece per word and vectors in the plane."""
    words = tuple(text.split())
    vectors = np.array([VECTORS[word] for word in words]).reshape(len(words), 2)
    return Encoded(vectors, tuple(range(len(words))), words)


def of(text: str) -> Read:
    """Split a text at spaces."""
    return Read(text, tuple(text.split()))


def test_greedy_matching_by_hand() -> None:
    """The best of each row 0.9 and 0.5, of each column 0.9, 0.4 and 0.5; not one to one."""
    similar = np.array([[0.9, 0.4, 0.3], [0.2, 0.1, 0.5]])
    precision, recall = 1.4 / 2, 1.8 / 3
    assert greedy_f1(similar) == pytest.approx(2 * precision * recall / (precision + recall))
    both = np.array([[0.8], [0.6]])  # the one piece is the best of both
    assert greedy_f1(both) == pytest.approx(2 * 0.7 * 0.8 / (0.7 + 0.8))
    assert greedy_f1(np.array([[-0.2, 0.0]])) == 0


def test_bertscore_by_hand() -> None:
    """Similarities: cat-dog 0.6, dog-ran 0.8, cat-ran 0; lengths do not matter."""
    measure = bertscore([], placed)
    precision, recall = (0.6 + 1) / 2, (0.8 + 1) / 2
    wanted = 2 * precision * recall / (precision + recall)
    # cat ran | dog ran: cat -> dog 0.6, ran -> ran; dog -> ran 0.8, ran -> ran.
    assert measure(of("cat ran"), [of("dog ran")]) == pytest.approx(wanted)
    assert measure(of("cat ran"), [of("dog ran"), of("ran cat")]) == pytest.approx(1)
    long = bertscore([], lambda text: placed(text)._replace(vectors=3 * placed(text).vectors))
    assert long(of("cat ran"), [of("dog ran")]) == pytest.approx(wanted)
    assert math.isnan(measure(of(""), [of("cat")])) and math.isnan(measure(of("cat"), [of("")]))


def test_rare_words_weigh_more() -> None:
    """Three rows: "ran" is in all and weighs nothing, "cat" is in two, an unknown word in none."""
    rows = [[of("cat ran")], [of("cat ran"), of("dog cat")], [of("ran")], []]
    weigh = rarity(rows)
    weights = [weigh(word) for word in ("ran", "cat", "dog", "hen")]
    assert weights == pytest.approx([0, math.log(4 / 3), math.log(2), math.log(4)])


def test_moverscore_by_hand() -> None:
    """dog weighs ln 2, cat ln (4

    3): the surplus of dog in "cat dog" stays, the rest moves.
    """
    rows = [[of("cat ran")], [of("cat ran"), of("dog cat")], [of("ran")]]
    measure = moverscore(rows, placed)
    way = math.hypot(1 - 0.6, 0.8)
    share = math.log(4 / 3) / (math.log(4 / 3) + math.log(2))
    pytest.importorskip("ot")
    assert measure(of("cat dog"), [of("dog")]) == pytest.approx(1 / (1 + way * share))
    assert measure(of("cat ran"), [of("dog"), of("cat")]) == pytest.approx(1)
    assert math.isnan(measure(of("ran"), [of("cat")])) and math.isnan(measure(of("cat"), [of("ran")]))


def test_a_word_is_the_mean_of_its_pieces() -> None:
    """Vectors have length 1; pieces outside words are dropped."""
    vectors = np.array([[2.0, 0.0], [0.0, 2.0], [5.0, 5.0], [0.0, -3.0]])
    cloud = context_cloud(Encoded(vectors, (0, 0, -1, 1), ("ab", "c")), lambda word: len(word))
    assert cloud is not None
    np.testing.assert_allclose(cloud.points, [[0.5**0.5, 0.5**0.5], [0, -1]])
    np.testing.assert_allclose(cloud.weights, [2 / 3, 1 / 3])
    assert context_cloud(Encoded(vectors, (0, 0, -1, 1), ("ab", "c")), lambda word: 0.0) is None


@KINDS
def test_names(kind: str) -> None:
    """The name includes the model; without one the error says how; nothing is opened."""
    (metric,) = resolve([f"{kind}:hf:someone/model@3"])
    assert metric.name == f"{kind}:hf:someone/model@3" and metric.needs_references
    assert metric.set_dependent == (kind == "moverscore")
    assert pickle.loads(pickle.dumps(metric)).name == metric.name
    assert f"{kind}:hf:MODEL" in CONTEXTUAL
    for wrong in (kind, f"{kind}:hf", f"{kind}:MODEL"):
        with pytest.raises(UnknownName, match=f"did you mean '{kind}:hf:MODEL'"):
            resolve([wrong])


@needs_torch
@KINDS
def test_a_text_like_its_reference(kind: str, model: str) -> None:
    """An identical text scores 1, another less; the best reference counts; NaN without text or references."""
    (metric,) = resolve([f"{kind}:{model}"])
    assert isinstance(metric, Metric)
    docs = parse([TEXT, TEXT, TEXT, "", TEXT, "...!"])
    same, unlike, best, *none, wordless = metric.score(docs, [[TEXT], [OTHER], [OTHER, TEXT], [TEXT], [], [OTHER]])
    assert same == pytest.approx(1, abs=1e-6) and best == pytest.approx(1, abs=1e-6)
    assert 0 < unlike < 0.99
    assert np.isnan(none).all()
    assert math.isnan(wordless) == (kind == "moverscore")
    assert metric.score([], []).shape == (0,)
    assert np.isnan(metric.score(docs)).all()


@needs_torch
def test_numbers_are_those_of_torch(model: str) -> None:
    """Scores equal those from transformers' hidden states between start and end."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    path = model.removeprefix("hf:")
    network, tokenizer = AutoModel.from_pretrained(path), AutoTokenizer.from_pretrained(path)

    def states(text: str, layer: int) -> torch.Tensor:
        with torch.no_grad():
            inputs = tokenizer(text, return_tensors="pt")
            vectors = network.eval()(**inputs, output_hidden_states=True).hidden_states[layer]
        return torch.nn.functional.normalize(vectors[0, 1:-1].double(), dim=-1)

    docs = parse([TEXT])
    for layer, name in ((2, model), (1, f"{model}@1"), (0, f"{model}@0")):
        similar = states(TEXT, layer) @ states(OTHER, layer).T
        precision, recall = similar.max(1).values.mean(), similar.max(0).values.mean()
        (metric,) = resolve([f"bertscore:{name}"])
        wanted = float(2 * precision * recall / (precision + recall))
        assert metric.score(docs, [[OTHER]])[0] == pytest.approx(wanted, abs=1e-5)
        assert metric.signature.startswith(f"bertscore|layer:{layer}|refs:best|")
        assert "|hf:both:" in metric.signature and "|v:" in metric.signature
