"""benepar's scores in our chart, over tiny models that are built here.

All but one of these tests need the extra `benepar` and are skipped without it.
"""

from __future__ import annotations

import math
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.models.parsers.base import ConstituencyParser
from naturalness.models.parsers.benepar import BeneparParser
from naturalness.models.parsers.spec import open_parser, parser_checksum
from naturalness.models.sentences import spaces_of
from tests.support.tiny_benepar import SENTENCES, doc_of, equal_to_benepar, one, write_file

LABELS = ("FRAG+ADJP", "NP", "S", "SBAR+S", "VP")


@pytest.fixture(scope="module")
def parser(tiny: Path) -> BeneparParser:
    """The same, opened."""
    model = open_parser(f"benepar:{tiny}")
    assert isinstance(model, BeneparParser) and isinstance(model, ConstituencyParser)
    return model


def test_name_labels_and_signature(tiny: Path, parser: BeneparParser) -> None:
    """Chains are joined as ours are; the checksum is that of the file."""
    assert (parser.name, parser.labels, parser.rooted) == ("tiny.pt", LABELS, True)
    file, *used = parser.signature.split("|")
    assert file == f"tiny.pt:{parser_checksum(f'benepar:{tiny}')}"
    assert used == [f"{name}:{version(name)}" for name in ("benepar", "torch", "transformers")]
    assert open_parser(f"benepar:{tiny}") is parser


@pytest.mark.parametrize("rooted", [True, False])
def test_the_best_tree_is_its_own(benepar: Any, tmp_path: Path, rooted: bool) -> None:
    """Whether or not the whole sentence must have a label."""
    trees = [
        equal_to_benepar(benepar, write_file(tmp_path / f"{seed}.pt", rooted=rooted, seed=seed), s)
        for seed in (1, 2, 3)
        for s in SENTENCES
    ]
    assert any(tree.startswith("(TOP ") for tree in trees) != rooted
    assert len(set(trees)) >= 12 and any("(FRAG (ADJP " in tree for tree in trees)


def test_probabilities_by_hand(parser: BeneparParser) -> None:
    """Two words have 5 roots and 6 choices each: exp of the sum of scores over that of all."""
    words = ["Cat", "slept"]
    sentence = one(parser, words, k=1000)
    assert len(sentence.trees) == 5 * 6 * 6
    assert math.fsum(map(math.exp, sentence.logprobs)) == pytest.approx(1)
    scores = parser.span_scores(words, [True, False])
    free = [1 + np.exp(scores[i, i]).sum() for i in (0, 1)]
    log_z = math.log(free[0] * free[1] * np.exp(scores[0, 1]).sum())
    for tree in sentence.trees:
        total = sum(scores[a, b - 1, LABELS.index(label)] for a, b, label in tree.spans)
        assert tree.logprob == pytest.approx(total - log_z)


def test_scores_are_benepars(benepar: Any, parser: BeneparParser) -> None:
    """Without that of no label, which is 0; quotes and brackets as it was trained on."""
    words = ["“", "-LRB-", "cats", "—", "‘"]
    sentence = benepar.InputSentence(words=['"', "(", "cats", "--", "'"], space_after=[True] * 5)
    scores = parser.model.parse([sentence], return_scores=True)[0]
    assert scores.shape == (5, 5, 6) and not scores[:, :, 0].any()
    assert parser.span_scores(words, [True] * 5).tolist() == scores[:, :, 1:].tolist()


def test_a_doc_gets_the_same_trees_in_any_company(parser: BeneparParser) -> None:
    """In every order."""
    docs = [doc_of(*SENTENCES), *map(doc_of, SENTENCES), doc_of(*SENTENCES[::-1])]
    together = parser.nbest(docs, 5)
    assert [parser.nbest([doc], 5)[0] for doc in docs] == together
    alone = [sentence.logprobs for sentences in together[1:-1] for sentence in sentences]
    assert [sentence.logprobs for sentence in together[0]] == alone
    assert [sentence.logprobs for sentence in together[-1]] == alone[::-1]
    assert [sentence.start for sentence in together[0]] == [0, 1, 3, 11, 25]


def test_torch_scores_on_one_thread(parser: BeneparParser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums depend on their number, which is left as it was, errors or not."""
    import torch

    seen: list[int] = []

    def parse(*arguments: object, **options: object) -> None:
        seen.append(torch.get_num_threads())
        raise RuntimeError("no memory")

    monkeypatch.setattr(parser.model, "parse", parse)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with pytest.raises(RuntimeError, match="no memory"):
            parser.nbest([doc_of(SENTENCES[1])])
        assert (seen, torch.get_num_threads()) == ([1], 2)
    finally:
        torch.set_num_threads(before)


def test_spaces_by_hand() -> None:
    """From the Doc; white space that is a token of its own is a space too."""
    spaces = [False, True, False, False, False, False]
    assert spaces_of(doc_of(["did", "n't", "it", "\n", "rain", "?"], spaces=spaces)) == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert spaces_of(doc_of([])) == []
    assert spaces_of(doc_of(["a", "\n"], spaces=[False, False])) == [True]


def test_long_sentences_have_a_reason(parser: BeneparParser) -> None:
    """Ours of 200 tokens, or the model's own; other sentences have trees."""
    sentences = parser.nbest([doc_of(["so"] * 201, ["so"] * 63, ["so"] * 62)])[0]
    assert "201 tokens; the parser takes at most 200" in sentences[0].problem
    assert "benepar cannot read (Sentence of length 63 exceeds" in sentences[1].problem
    assert not sentences[2].problem and len(sentences[2].trees) == 50
