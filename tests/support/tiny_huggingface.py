"""Small transformers models with random weights and tokenizers of our own."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

PLACES = 24
START, END = "<s>", "</s>"
MERGES = [("Ġ", "c"), ("Ġc", "a"), ("Ġca", "t"), ("t", "h"), ("th", "e"), ("Ġ", "s"), ("a", "w")]
LETTERS = [*string.ascii_lowercase, *string.ascii_uppercase, *string.punctuation]
WORDS = ["the", "cat", "dog", "saw", "do", "##s"]


def write_causal(folder: Path, *, start: str | None = START, end: str | None = END) -> Path:
    """Write a GPT-2 with two layers over byte pieces."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    pieces = [START, END, *pre_tokenizers.ByteLevel.alphabet(), *("".join(two) for two in MERGES)]
    pieces = list(dict.fromkeys([*pieces[:2], *sorted(pieces[2:])]))
    cutter = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, MERGES))
    cutter.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    named = {"bos_token": start, "eos_token": end}
    PreTrainedTokenizerFast(
        tokenizer_object=cutter, **{name: token for name, token in named.items() if token}
    ).save_pretrained(folder)
    config = GPT2Config(
        vocab_size=len(pieces),
        n_positions=PLACES,
        n_embd=16,
        n_layer=2,
        n_head=2,
        initializer_range=0.5,
        bos_token_id=0,
        eos_token_id=1,
    )
    save(GPT2LMHeadModel, config, folder)
    return folder


def write_masked(folder: Path, *, roberta: bool = False) -> Path:
    """Write a BERT with two layers over uncased word pieces, or a RoBERTa over the same."""
    import transformers

    settings = word_pieces(folder)
    if roberta:
        save(transformers.RobertaForMaskedLM, transformers.RobertaConfig(**settings), folder)
    else:
        save(transformers.BertForMaskedLM, transformers.BertConfig(**settings), folder)
    return folder


def word_pieces(folder: Path) -> dict[str, Any]:
    """Write a tokenizer; return the settings of a network for it."""
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = list(dict.fromkeys([*special, *LETTERS, *WORDS]))
    rows = {piece: i for i, piece in enumerate(vocabulary)}
    cutter = Tokenizer(models.WordPiece(rows, unk_token="[UNK]"))
    cutter.normalizer = normalizers.BertNormalizer(lowercase=True)
    cutter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    cutter.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(folder)
    return {
        "vocab_size": len(vocabulary),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": PLACES,
        "initializer_range": 0.5,
        "pad_token_id": 0,
    }


def save(kind: Any, config: Any, folder: Path) -> None:
    """Write a network with random weights, the same each time."""
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = kind(config)
    network.save_pretrained(folder)
