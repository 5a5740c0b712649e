"""Hugging Face models ready to foretell: causal and masked ones, checked to be what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from naturalness.errors import ModelError
from naturalness.models.huggingface import CONFIG, FEWEST, around, open_network, places_of, read_config

CAUSAL, MASKED = ("ForCausalLM", "LMHeadModel"), ("ForMaskedLM",)
"""How the names of architectures end."""
NUMBERS = 1 << 26
"""Numbers that a network may give at once, a quarter of a gigabyte: pieces times vocabulary."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A network and its tokenizer, ready to use."""

    network: Any = field(repr=False)
    tokenizer: Any = field(repr=False)
    """Of the library tokenizers: a text to its pieces and their places."""
    before: tuple[int, ...]
    """Pieces that stand before every sentence; what comes first is foretold from them."""
    after: tuple[int, ...]
    """Pieces that end every sentence."""
    hidden: int | None
    """The piece that hides another; None for a network that reads from the left."""
    unknown: int | None
    """The piece of what cannot be spelled, if there is one."""
    places: int
    """Pieces that it reads at once, those before and after included."""
    vocabulary: int
    """Numbers that it gives for each piece."""


def load(folder: Path) -> Loaded:
    """Open a model; refuse one whose numbers could not be what they are taken for."""
    causal = _is_causal(folder)
    kind = "AutoModelForCausalLM" if causal else "AutoModelForMaskedLM"
    return _ready(folder, *open_network(folder, kind), causal=causal)


def _is_causal(folder: Path) -> bool:
    """Told from the architecture that the configuration names."""
    names = read_config(folder)["architectures"]
    if any(name.endswith((*CAUSAL, *MASKED)) for name in names):
        return not any(name.endswith(MASKED) for name in names)
    raise ModelError(
        f"{folder / CONFIG} names {', '.join(names)[:200] or 'no architecture'}; expected a causal "
        f"model (…{', …'.join(CAUSAL)}) or a masked one (…{MASKED[0]})"
    )


def _ready(folder: Path, network: Any, tokenizer: Any, *, causal: bool) -> Loaded:
    """What is asked of the two, checked."""
    rows = int(network.get_input_embeddings().weight.shape[0])
    if not causal and tokenizer.mask_token_id is None:
        raise ModelError(f"{folder}: its tokenizer names no mask_token, by which words are hidden")
    before, after = _ends(folder, tokenizer) if causal else around(tokenizer)
    loaded = Loaded(
        network,
        tokenizer.backend_tokenizer,
        before,
        after,
        None if causal else tokenizer.mask_token_id,
        tokenizer.unk_token_id,
        min(places_of(network, tokenizer), max(FEWEST, NUMBERS // rows)),
        rows,
    )
    if loaded.places < FEWEST:
        raise ModelError(f"{folder} reads {loaded.places} pieces at once; expected {FEWEST}")
    if causal and _looks_ahead(loaded):
        raise ModelError(
            f"{folder} sees the words that it is to foretell: it is no causal model, whatever its {CONFIG} names"
        )
    return loaded


def _ends(folder: Path, tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Start and end of a text; where there is no start, the end of the one before stands for it."""
    start, end = tokenizer.bos_token_id, tokenizer.eos_token_id
    first = end if start is None else start
    if first is None:
        raise ModelError(
            f"{folder}: its tokenizer names no start and no end of a text, so that a first word "
            "would have no probability; name one in tokenizer_config.json (bos_token, eos_token)"
        )
    return (first,), () if end is None else (end,)


def _looks_ahead(loaded: Loaded) -> bool:
    """Whether the numbers of a place change with what stands behind it."""
    import torch

    texts: Sequence[Sequence[int]] = [[*loaded.before, 0, last] for last in (0, 1)]
    with torch.inference_mode():
        one, other = (
            loaded.network(input_ids=torch.tensor([ids], device=loaded.network.device)).logits for ids in texts
        )
    return not torch.allclose(one[0, :2], other[0, :2], rtol=1e-4, atol=1e-5)
