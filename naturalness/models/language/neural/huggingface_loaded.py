"""Hugging Face models ready to foretell: causal and masked ones, checked to be what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from naturalness.errors import ModelError
from naturalness.models.language.neural.huggingface_files import (
    CONFIG,
    architectures,
    need_packages,
    open_network,
)

CAUSAL, MASKED = ("ForCausalLM", "LMHeadModel"), ("ForMaskedLM",)
"""How the names of architectures end."""
MOST = 1024
"""Pieces that are read at once, however many a model could."""
NUMBERS = 1 << 26
"""Numbers that a network may give at once, a quarter of a gigabyte: pieces times vocabulary."""
FEWEST = 8
"""Pieces that a network must be able to read at once."""


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
    need_packages(str(folder))
    causal = _is_causal(folder)
    kind = "AutoModelForCausalLM" if causal else "AutoModelForMaskedLM"
    return _ready(folder, *open_network(folder, kind), causal=causal)


def _is_causal(folder: Path) -> bool:
    """Told from the architecture that the configuration names."""
    names = architectures(folder)
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
    before, after = _ends(folder, tokenizer) if causal else template(tokenizer)
    loaded = Loaded(
        network, tokenizer.backend_tokenizer, before, after,
        None if causal else tokenizer.mask_token_id, tokenizer.unk_token_id,
        min(places(network, tokenizer), max(FEWEST, NUMBERS // rows)), rows,
    )  # fmt: skip
    if loaded.places < FEWEST:
        raise ModelError(f"{folder} reads {loaded.places} pieces at once; expected {FEWEST}")
    if causal and _looks_ahead(loaded):
        raise ModelError(
            f"{folder} sees the words that it is to foretell: it is no causal model, whatever its "
            f"{CONFIG} names"
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


def template(tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What the tokenizer puts round a text."""
    found = tokenizer.backend_tokenizer.encode("a")
    inner = [i for i, special in enumerate(found.special_tokens_mask) if not special]
    first, last = (inner[0], inner[-1] + 1) if inner else (0, 0)
    return tuple(found.ids[:first]), tuple(found.ids[last:])


def places(network: Any, tokenizer: Any) -> int:
    """Pieces that fit, by what configuration, tokenizer and tables of positions say."""
    limits = [MOST, int(tokenizer.model_max_length)]
    told = getattr(network.config.get_text_config(), "max_position_embeddings", None)
    limits += [told] if isinstance(told, int) and told > 0 else []
    for name, layer in network.named_modules():
        if name.endswith("position_embeddings") and hasattr(layer, "num_embeddings"):
            # RoBERTa and its kin count from behind the row of the padding.
            skipped = 0 if layer.padding_idx is None else layer.padding_idx + 1
            limits.append(layer.num_embeddings - skipped)
    return min(limits)


def _looks_ahead(loaded: Loaded) -> bool:
    """Whether the numbers of a place change with what stands behind it."""
    import torch

    texts: Sequence[Sequence[int]] = [[*loaded.before, 0, last] for last in (0, 1)]
    with torch.inference_mode():
        one, other = (
            loaded.network(input_ids=torch.tensor([ids], device=loaded.network.device)).logits
            for ids in texts
        )
    return not torch.allclose(one[0, :2], other[0, :2], rtol=1e-4, atol=1e-5)
