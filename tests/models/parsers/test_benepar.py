"""The parser of benepar: its scores in this package's chart, and refusal of unsafe files, whose code never runs.

Tests that open a model need the extra `benepar` and are skipped without it.
"""

from __future__ import annotations

import json
import math
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.features import column_names, resolve
from naturalness.models.parsers.base import ConstituencyParser, ParsedSentence
from naturalness.models.parsers.benepar import BeneparParser, _model_of_folder
from naturalness.models.parsers.spec import open_parser, parser_checksum
from naturalness.models.parsers.tree import read_brackets
from tests.support.language_models import doc_of
from tests.support.tiny_benepar import write_file, write_folder

LABELS = ("FRAG+ADJP", "NP", "S", "SBAR+S", "VP")
SENTENCES = (
    "Rain",
    "Run !",
    "The old cat slept soundly .",
    "She said it rained again , didn't you ?",
    "Ça vaut 10 € … 🐈",
)


@pytest.fixture(scope="module")
def benepar() -> Any:
    """Return the package, with torch; skip the test without it."""
    return pytest.importorskip("benepar", reason="needs the extra 'benepar'")


@pytest.fixture(scope="module")
def tiny(benepar: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a character-based model."""
    return write_file(tmp_path_factory.mktemp("benepar") / "tiny.pt")


@pytest.fixture(scope="module")
def parser(tiny: Path) -> ConstituencyParser:
    """Open the character-based model."""
    return open_parser(f"benepar:{tiny}")


def one(parser: ConstituencyParser, sentence: str, k: int = 50) -> ParsedSentence:
    return parser.nbest([doc_of(sentence)], k)[0][0]


def test_signature_and_features(tiny: Path, parser: BeneparParser) -> None:
    """The signature and the group record the checksum of the file; labels of a chain are joined by a plus."""
    checksum = parser_checksum(f"benepar:{tiny}")
    used = [f"{name}:{version(name)}" for name in ("benepar", "torch", "transformers")]
    assert (parser.name, parser.labels, parser.rooted) == ("tiny.pt", LABELS, True)
    assert parser.signature.split("|") == [f"tiny.pt:{checksum}", *used]
    (group,) = resolve([f"parser:benepar:{tiny}"])
    assert group.requires[0].version() == checksum
    values = dict(zip(column_names([group]), group.extract([doc_of("It rained .")])[0], strict=True))
    assert values["parser_tiny_pt__reranker_logprob"] == one(parser, "It rained .").logprobs[0]


@pytest.mark.parametrize("kind", ["rooted", "without a root", "folder"])
def test_the_best_tree_agrees_with_benepar(benepar: Any, tmp_path: Path, kind: str) -> None:
    """The best tree agrees with benepar's, with and without a required root label."""
    path = tmp_path / "model"
    path = write_folder(path) if kind == "folder" else write_file(path, 3, rooted=kind == "rooted")
    theirs, ours = benepar.Parser(str(path), language_code="en"), open_parser(f"benepar:{path}")
    found = []
    for sentence in SENTENCES:
        words = sentence.split()
        tags = ["UNK"] * len(words)
        typed = benepar.InputSentence(words=words, space_after=[True] * len(words), escaped_words=words, tags=tags)
        best = one(ours, sentence).best
        found.append(best.label)
        root = read_brackets(theirs.parse(typed).pformat(margin=1000)).root
        assert root == best or (root.label, root.children) == ("TOP", (best,))
    assert ("TOP" in found) == (kind == "without a root")


def test_probabilities_by_hand(parser: BeneparParser) -> None:
    """Two words have 5 roots and 6 choices each; a probability is exp of the sum of scores over that of all trees."""
    sentence = one(parser, "Cat slept", 1000)
    assert len(sentence.trees) == 5 * 6 * 6
    assert math.fsum(map(math.exp, sentence.logprobs)) == pytest.approx(1)
    scores = parser.span_scores(["Cat", "slept"], [True, True])
    free = [1 + np.exp(scores[i, i]).sum() for i in (0, 1)]
    log_z = math.log(free[0] * free[1] * np.exp(scores[0, 1]).sum())
    for tree in sentence.trees:
        total = sum(scores[a, b - 1, LABELS.index(label)] for a, b, label in tree.spans)
        assert tree.logprob == pytest.approx(total - log_z)


def test_scores_agree_with_benepar(benepar: Any, parser: BeneparParser) -> None:
    """The score of no label is 0 and is left out; quotes and brackets are written as benepar was trained on them."""
    sentence = benepar.InputSentence(words=['"', "(", "cats", "--", "'"], space_after=[True] * 5)
    scores = parser.model.parse([sentence], return_scores=True)[0]
    assert scores.shape == (5, 5, 6) and not scores[:, :, 0].any()
    assert parser.span_scores(["“", "-LRB-", "cats", "—", "‘"], [True] * 5).tolist() == scores[:, :, 1:].tolist()


def test_trees_do_not_depend_on_other_texts(parser: BeneparParser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sentence is scored alone, on one thread, since sums depend on the number of threads."""
    import torch

    together = parser.nbest([doc_of(*SENTENCES), doc_of(*SENTENCES[::-1])], 5)
    alone = [one(parser, sentence, 5).logprobs for sentence in SENTENCES]
    assert [[sentence.logprobs for sentence in doc] for doc in together] == [alone, alone[::-1]]
    threads: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", threads.append)
    one(parser, "So")
    assert threads == [1, torch.get_num_threads()]


def test_sentences_that_are_not_parsed(parser: BeneparParser) -> None:
    """A sentence that is too long for this package or for the model has no trees; other sentences have trees."""
    sentences = parser.nbest([doc_of(*("so" + " so" * n for n in (200, 62, 61)))])[0]
    assert "201 tokens; the parser takes at most 200" in sentences[0].problem
    assert "benepar cannot read (Sentence of length 63 exceeds" in sentences[1].problem
    assert not sentences[2].problem and len(sentences[2].trees) == 50


class Trap:
    """Write a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return open, (str(self.path), "w")


def test_no_code_of_a_pickle_runs(benepar: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle with code is refused, as a file and in a folder; so is a torch that could run it."""
    import torch

    trap, file = Trap(tmp_path / "sprung"), tmp_path / "benepar_model.bin"
    torch.save({"config": trap, "state_dict": {}}, file)
    (tmp_path / "config.json").write_text('{"benepar": {}, "model_type": "bert"}')
    for path in (file, tmp_path):
        with pytest.raises(ModelError, match=r"benepar_model\.bin .*could run code, so it is not opened"):
            open_parser(f"benepar:{path}")
    monkeypatch.setattr(torch, "__version__", "2.5.1+cpu")
    with pytest.raises(ModelError, match=r"torch 2\.5\.1.*pip install 'torch>=2\.6'"):
        open_parser(f"benepar:{file}")
    assert not trap.path.exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hparams": {"use_pretrained": True, "pretrained_model": "a/b"}}, "a checkpoint over 'a/b'.*--model-path"),
        ({"label_vocab": {"": 0, "NP": 1, "S": 2, "VP": 3, "P+": 4, "X": 5}}, r"label 'P\+'.*a model for English"),
    ],
)
def test_unsuitable_settings_are_refused(tiny: Path, tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    """A model with unsuitable settings is refused, and the error names its file."""
    import torch

    data = torch.load(tiny, weights_only=True)
    torch.save({**data, "config": {**data["config"], **changes}}, tmp_path / "odd.pt")
    with pytest.raises(ModelError, match=rf"(?s)odd\.pt.*{message}"):
        open_parser(f"benepar:{tmp_path / 'odd.pt'}")


def test_weights_of_older_versions_of_transformers(benepar: Any, tmp_path: Path) -> None:
    """Position arrays in older weights are ignored; other additional arrays are refused."""
    import torch

    name, weights = f"benepar:{write_folder(tmp_path / 'bert')}", tmp_path / "bert" / "benepar_model.bin"
    docs, state = [doc_of("She said it rained .", "a \u200b")], torch.load(weights, weights_only=True)
    expected = open_parser(name).nbest(docs)
    assert "pieces do not fit together" in expected[0][1].problem
    torch.save({**state, "pretrained_model.embeddings.position_ids": torch.arange(24)}, weights)
    assert open_parser(name).nbest(docs) == expected
    torch.save({**state, "else": torch.arange(4)}, weights)
    with pytest.raises(ModelError, match=r"(?s)bert is not a readable benepar model .*else"):
        open_parser(name)


@pytest.mark.parametrize(
    ("file", "entry", "message"),
    [
        ("config.json", {"text_config": {"auto_map": {"AutoConfig": "code.Config"}}}, "requires code .*auto_map"),
        ("tokenizer_config.json", {"a": [[], {"b": {"auto_map": 1}}]}, "requires code .*auto_map"),
        ("config.json", {"sub": [{"_attn_implementation": "a/b"}]}, "requires code .*_attn_implementation"),
        ("config.json", {"benepar": {}, "model_type": "vision-encoder-decoder"}, "expected one of albert, .*t5"),
    ],
)
def test_settings_that_ask_for_code(tmp_path: Path, file: str, entry: object, message: str) -> None:
    """Settings that ask for code, at any depth, and unsupported types of networks are refused."""
    (tmp_path / file).write_text(json.dumps(entry))
    with pytest.raises(ModelError, match=rf"{file} .*{message}"):
        _model_of_folder(tmp_path)
