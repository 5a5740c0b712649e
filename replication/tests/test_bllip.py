"""The BLLIP adapter over a stand-in for `bllipparser`, whose models cannot be shipped.

The stand-in has the calls of the package that the adapter makes; where the package is installed,
a test compares the two.
"""

from __future__ import annotations

import math
import re
import sys
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import pytest
import spacy
from spacy.tokens import Doc

from naturalness.errors import ModelError
from naturalness.models.parsers.base import ConstituencyParser
from naturalness.models.parsers.tree import Span
from naturalness_replication import bllip
from naturalness_replication.bllip import NEEDED, BllipParser, bllip_features, open_bllip

VOCAB = spacy.blank("en").vocab
WORDS = ["The", "cat", "(", "old", ")", "slept"]
SUBJECT = "(NP (DT The) (NN cat) (PRN (-LRB- -LRB-) ({0} old) (-RRB- -RRB-)))"
VERBAL = f"(S1 (S {SUBJECT} (VP (VBD slept))))"
NOMINAL = f"(S1 (NP {SUBJECT} (NN slept)))"
NP, PRN = Span(0, 5, "NP"), Span(2, 5, "PRN")
AS_VERB = (Span(0, 6, "S"), NP, PRN, Span(5, 6, "VP"))
AS_NOUN = (Span(0, 6, "NP"), NP, PRN)


class Parse(NamedTuple):
    """A stand-in for the package's `ScoredParse`."""

    ptb_parse: str
    reranker_score: float
    parser_score: float = -100.0


class RerankingParser:
    """A stand-in for the package's class, with the same parses for every sentence."""

    parses: ClassVar[list[Parse]] = []
    opened: ClassVar[list[tuple[str, Any]]] = []
    asked: ClassVar[list[list[str]]] = []

    @classmethod
    def from_unified_model_dir(this_class, model_dir, parsing_options=None, reranker_options=None, parser_only=False):
        if this_class.opened:
            raise RuntimeError("Parser is already loaded and can only be loaded once.")
        this_class.opened.append((model_dir, parsing_options))
        return this_class()

    def parse(self, sentence, rerank="auto", sentence_id=None):
        self.asked.append(sentence)
        if "long" in sentence:
            raise ValueError("Sentence is too long")
        return self.parses


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a model, with empty files."""
    for name in NEEDED:
        path = (tmp_path / "WSJ" / name).with_suffix(Path(name).suffix or ".gz")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path / "WSJ"


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch, folder: Path) -> BllipParser:
    """Return the adapter over the stand-in, with three parses, two of which differ only in a tag."""
    module = ModuleType("bllipparser")
    module.__spec__ = spec_from_loader("bllipparser", None)
    module.RerankingParser = RerankingParser  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bllipparser", module)
    monkeypatch.setattr(bllip, "version", {"bllipparser": "2021.1"}.__getitem__)
    monkeypatch.setattr(RerankingParser, "opened", [])
    monkeypatch.setattr(RerankingParser, "asked", [])
    third, quarter = math.log(0.3), math.log(0.4)
    monkeypatch.setattr(
        RerankingParser,
        "parses",
        [
            Parse(NOMINAL.format("JJ"), quarter - 20),
            Parse(VERBAL.format("JJ"), third - 20),
            Parse(VERBAL.format("NN"), third - 20),
        ],
    )
    open_bllip.cache_clear()
    return open_bllip(str(folder))


def doc_of(*sentences: list[str]) -> Doc:
    words = [word for sentence in sentences for word in sentence]
    starts = [i == 0 for sentence in sentences for i in range(len(sentence))]
    return Doc(VOCAB, words=words, sent_starts=starts)


def test_the_adapter_is_a_parser(parser: BllipParser, folder: Path) -> None:
    """The model is opened once, with 50 trees per sentence; messages name its folder."""
    assert isinstance(parser, ConstituencyParser)
    assert re.fullmatch(r"WSJ:[0-9a-f]{12}\|bllipparser:2021\.1", parser.signature) and parser.name == "WSJ"
    assert open_bllip(str(folder)) is parser
    assert RerankingParser.opened == [(str(folder), {"nbest": 50})]


def test_probabilities_by_hand(parser: BllipParser) -> None:
    """Trees that differ only in tags count as one tree, here the best; the label above the root is left out."""
    (sentence,) = parser.nbest([doc_of(WORDS)])[0]
    assert (sentence.start, sentence.stop, sentence.problem) == (0, 6, "")
    assert [tree.spans for tree in sentence.trees] == [AS_VERB, AS_NOUN]
    assert sentence.logprobs == pytest.approx([math.log(0.6), math.log(0.4)])
    assert [tree.logprob for tree in sentence.trees] == list(sentence.logprobs)
    assert RerankingParser.asked == [WORDS]


def test_sentences_that_are_not_parsed(parser: BllipParser) -> None:
    """A sentence that cannot be parsed has a reason, and the others have trees; positions refer to the Doc."""
    sentences = parser.nbest([doc_of(WORDS, ["long"], ["so"] * 201, WORDS, ["one", "more"])])[0]
    reasons = ["", "cannot read .*too long", "201 tokens.*at most 200", "", "6 words; expected 2"]
    for sentence, reason in zip(sentences, reasons, strict=True):
        assert bool(sentence.trees) == bool(sentence.logprobs) == (not reason)
        assert re.search(reason, sentence.problem)
    assert [sentence.start for sentence in sentences] == [0, 6, 7, 208, 214]
    assert max(map(len, RerankingParser.asked)) < 200


def test_a_second_model_is_refused(parser: BllipParser, folder: Path) -> None:
    """The package can open only one model per process."""
    with pytest.raises(ModelError, match=r"can only be loaded once.*one model per process"):
        open_bllip(str(folder.rename(folder.with_name("other"))))


def test_an_incomplete_folder_is_refused(folder: Path) -> None:
    """Without these files, the package would end the process."""
    (folder / NEEDED[0]).unlink()
    with pytest.raises(ModelError, match=r"lacks parser/terms\.txt; .*ModelFetcher"):
        open_bllip(str(folder))


def test_features_of_its_trees(parser: BllipParser, folder: Path) -> None:
    """The group has the columns of constituency, computed from BLLIP's trees, and records the model's checksum."""
    group = bllip_features(str(folder))
    (need, *_) = group.requires
    assert need.version() in parser.signature
    values = dict(zip([feature.name for feature in group.features], group.extract([doc_of(WORDS)])[0], strict=True))
    assert values["reranker_logprob"] == pytest.approx(math.log(0.6))
