"""Tiny benepar models with random weights, for tests that need the extra `benepar`.

Like trained models, they have labels, chains of labels and a score for every span.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.tiny_huggingface import write_masked

TREES = (
    "(TOP (S (NP (DT The) (NN cat)) (VP (VBD slept)) (. .)))",
    "(TOP (S (NP (PRP She)) (VP (VBD said) (SBAR (S (NP (PRP it)) (VP (VBD rained))))) (. .)))",
    "(TOP (FRAG (ADJP (RB very) (JJ old))))",
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
    "pretrained_model": "nowhere/at-all",
}


def network(seed: int = 1, folder: str | None = None, *, rooted: bool = True) -> Any:
    """Return a network with random weights, over characters or over the transformer in ``folder``."""
    import nltk
    import torch
    from benepar.char_lstm import RetokenizerForCharLSTM
    from benepar.decode_chart import ChartDecoder
    from benepar.nkutil import HParams
    from benepar.parse_chart import ChartParser

    trees = [nltk.Tree.fromstring(tree) for tree in TREES]
    kind = {"use_chars_lstm": folder is None, "use_pretrained": folder is not None}
    settings = HParams(**SIZES, **kind, force_root_constituent=rooted)
    letters = RetokenizerForCharLSTM.build_vocab([tree.leaves() for tree in trees])
    torch.manual_seed(seed)
    parser = ChartParser({"UNK": 0}, ChartDecoder.build_vocab(trees), letters, settings, folder)
    parser.f_label[-1].bias.data -= 0.7  # so that many spans have no label
    return parser


def write_file(path: Path, seed: int = 1, *, rooted: bool = True) -> Path:
    """Write a network over characters."""
    import torch

    parser = network(seed, rooted=rooted)
    torch.save({"config": parser.config, "state_dict": parser.state_dict()}, path)
    return path


def write_folder(path: Path) -> Path:
    """Write a network over a tiny BERT."""
    import torch
    from transformers import BertConfig, BertTokenizerFast

    write_masked(path)
    BertTokenizerFast.from_pretrained(path).save_pretrained(path)
    parser = network(folder=str(path))
    config = BertConfig.from_pretrained(path)
    config.benepar = parser.config
    config.save_pretrained(path)
    torch.save(parser.state_dict(), path / "benepar_model.bin")
    return path
