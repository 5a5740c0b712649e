"""Tiny benepar models with random weights, for tests that need the extra `benepar`.

Like a trained model they have labels, chains of labels and a score for every span.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import spacy
from spacy.tokens import Doc

from naturalness.models.parsers.base import ConstituencyParser, ParsedSentence
from naturalness.models.parsers.spec import open_parser
from naturalness.models.parsers.tree import brackets
from naturalness.models.sentences import spaces_of

VOCAB = spacy.blank("en").vocab
TREES = (
    "(TOP (S (NP (DT The) (NN cat)) (VP (VBD slept)) (. .)))",
    "(TOP (S (VP (VB Run)) (. !)))",
    "(TOP (S (NP (PRP She)) (VP (VBD said) (SBAR (S (NP (PRP it)) (VP (VBD rained))))) (. .)))",
    "(TOP (FRAG (ADJP (RB very) (JJ old))))",
)
SENTENCES = (
    ["Rain"],
    ["Run", "!"],
    ["The", "old", "cat", "slept", "(", "soundly", ")", "."],
    ["“", "She", "said", "it", "rained", "again", "—", "didn't", "you", "[", "too", "]", "?", "”"],
    ["Ça", "vaut", "10", "€", "…", "🐈"],
)
SIZES = {
    "attention_dropout": 0.2,
    "d_ff": 32,
    "d_kv": 8,
    "d_label_hidden": 16,
    "d_model": 32,
    "encoder_max_len": 64,
    "morpho_emb_dropout": 0.2,
    "num_heads": 2,
    "num_layers": 1,
    "relu_dropout": 0.1,
    "residual_dropout": 0.2,
    "predict_tags": False,
    "use_encoder": True,
    "char_lstm_input_dropout": 0.2,
    "d_char_emb": 8,
    "use_chars_lstm": True,
    "use_pretrained": False,
    "pretrained_model": "nowhere/at-all",
}


def network(*, rooted: bool, seed: int, **changed: Any) -> Any:
    """Return a network with random weights; ``changed`` holds settings and the location of its tokenizer."""
    import nltk
    import torch
    from benepar.char_lstm import RetokenizerForCharLSTM
    from benepar.decode_chart import ChartDecoder
    from benepar.nkutil import HParams
    from benepar.parse_chart import ChartParser

    trees = [nltk.Tree.fromstring(tree) for tree in TREES]
    folder = changed.pop("folder", None)
    settings = HParams(**{**SIZES, "force_root_constituent": rooted, **changed})
    letters = RetokenizerForCharLSTM.build_vocab([tree.leaves() for tree in trees])
    torch.manual_seed(seed)
    labels = ChartDecoder.build_vocab(trees)
    parser = ChartParser({"UNK": 0}, labels, letters, settings, folder and str(folder))
    parser.f_label[-1].bias.data -= 0.7  # so that many spans go without a label
    return parser


def write_file(path: Path, *, rooted: bool = True, seed: int = 1) -> Path:
    """Write a network over characters."""
    import torch

    parser = network(rooted=rooted, seed=seed)
    torch.save({"config": parser.config, "state_dict": parser.state_dict()}, path)
    return path


def write_folder(path: Path) -> Path:
    """Write a network over a tiny BERT with one-letter pieces."""
    import torch
    from transformers import BertConfig, BertTokenizerFast

    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *letters,
        *".!()'\"-",
        *(f"##{letter}" for letter in letters),
        "the",
        "cat",
        "##ed",
    ]
    path.mkdir()
    (path / "vocab.txt").write_text("\n".join(pieces))
    tokenizer = BertTokenizerFast(str(path / "vocab.txt"), model_max_length=64)
    tokenizer.save_pretrained(path)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    config.save_pretrained(path)
    parser = network(rooted=True, seed=1, folder=path, use_chars_lstm=False, use_pretrained=True)
    config.benepar = parser.config
    config.save_pretrained(path)
    torch.save(parser.state_dict(), path / "benepar_model.bin")
    return path


def doc_of(*sentences: list[str], spaces: list[bool] | None = None) -> Doc:
    words = [word for sentence in sentences for word in sentence]
    starts = [i == 0 for sentence in sentences for i in range(len(sentence))]
    return Doc(VOCAB, words=words, spaces=spaces, sent_starts=starts)


def one(parser: ConstituencyParser, words: list[str], k: int = 50) -> ParsedSentence:
    (sentence,) = parser.nbest([doc_of(words)], k)[0]
    assert sentence.problem == ""
    return sentence


def equal_to_benepar(benepar: Any, path: Path, words: list[str]) -> str:
    """Return our best tree in brackets, after comparing it with benepar's."""
    tags = ["UNK"] * len(words)
    spaces = spaces_of(doc_of(words))
    sentence = benepar.InputSentence(words=parsed_as(words), space_after=spaces, escaped_words=words)
    sentence.tags = tags
    theirs = benepar.Parser(str(path), language_code="en").parse(sentence).pformat(margin=1 << 30)
    tree = one(open_parser(f"benepar:{path}"), words).best
    ours = brackets(tree, words, tags)
    for mark, escape in (("[", "-LSB-"), ("]", "-RSB-"), ("(", "-LRB-"), (")", "-RRB-")):
        theirs = theirs.replace(f"(UNK {mark})", f"(UNK {escape})")
    assert theirs == (ours if tree.label == "TOP" else f"(TOP {ours})")
    return ours


def parsed_as(words: list[str]) -> list[str]:
    """Write trees into Docs as benepar's spaCy plug-in does."""
    from benepar.integrations.spacy_plugin import SentenceWrapper

    return [SentenceWrapper.TEXT_NORMALIZATION_MAPPING.get(word, word) for word in words]
