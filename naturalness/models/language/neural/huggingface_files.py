"""Files of Hugging Face models: found on this machine, opened without running what they hold.

Nothing is ever fetched: a model is a local folder, or lies in the cache that `hf download` fills.
Weights are read as safetensors, which hold numbers and nothing else; code that a model brings along
is not run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from naturalness.errors import ModelError
from naturalness.resources import file_checksum, require_package

PREFIX = "hf:"
NEEDED = ("torch", "transformers")
CONFIG, ADAPTER = "config.json", "adapter_config.json"
READ = frozenset({".json", ".txt", ".model", ".safetensors"})
"""Endings of the files that a model is read from."""
PICKLED = ("*.bin", "*.pt", "*.pth")
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


def folder_of(name: str) -> Path:
    """The folder of a model: a path, or the name of one that was downloaded."""
    path = Path(name)
    try:
        found = path.is_dir()
    except (OSError, ValueError):
        found = False  # too long for a name, or with a NUL
    if not found:
        path = _downloaded(name)
    if not (path / CONFIG).is_file():
        raise ModelError(f"{path} holds no Hugging Face model: it has no {CONFIG}")
    return path


def _downloaded(name: str) -> Path:
    """The folder of a model in the cache of the hub's client."""
    for package in NEEDED:
        require_package(package, user=f"model '{PREFIX}{name:.100}'", extra="neural")
    from huggingface_hub import try_to_load_from_cache

    try:
        found = try_to_load_from_cache(name, CONFIG)
    except (ValueError, OSError):  # no name that the hub could have
        found = None
    if not isinstance(found, str):
        raise ModelError(
            f"no Hugging Face model {name!r:.200} on this machine; expected the path of a folder, "
            f"or a name after: hf download {name:.200}"
        )
    return Path(found).parent


def files_of(folder: Path) -> list[Path]:
    """The files that the model is read from."""
    return sorted(path for path in folder.iterdir() if path.suffix in READ and path.is_file())


def checksum_of(folder: Path) -> str:
    """A short checksum over those files."""
    rows = (f"{path.name}:{file_checksum(path)};" for path in files_of(folder))
    return hashlib.sha256("".join(rows).encode()).hexdigest()[:12]


def versions() -> str:
    """Of the packages that numbers depend on."""
    return "|".join(f"{package}:{version(package)}" for package in NEEDED)


def load(folder: Path) -> Loaded:
    """Open a model; refuse one whose numbers could not be what they are taken for."""
    for package in NEEDED:
        require_package(package, user=f"model {str(folder)!r}", extra="neural")
    causal = _is_causal(folder)
    _check_files(folder)
    try:
        with _quiet():
            network, tokenizer, lacks = _opened(folder, causal=causal)
    except Exception as error:  # files that do not fit together fail in any way
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ModelError(
            f"{folder} is no model that transformers {version('transformers')} can open "
            f"({reason:.300}); code of its own is never run"
        ) from None
    if lacks:
        raise ModelError(
            f"{folder} lacks weights of its network ({', '.join(lacks[:3])}; {len(lacks)} in all), "
            "which would be random; expected all of them"
        )
    return _ready(folder, network, tokenizer, causal=causal)


def _is_causal(folder: Path) -> bool:
    """Told from the architecture that the configuration names."""
    try:
        told = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        names = [str(name) for name in told.get("architectures") or ()]
        elsewhere = next(_kernels(told), "")
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ModelError(f"{folder / CONFIG} cannot be read ({error!s:.200})") from None
    if elsewhere:
        raise ModelError(
            f"{folder / CONFIG} asks for code to be fetched and run ({elsewhere:.100}): not opened"
        )
    if any(name.endswith((*CAUSAL, *MASKED)) for name in names):
        return not any(name.endswith(MASKED) for name in names)
    raise ModelError(
        f"{folder / CONFIG} names {', '.join(names)[:200] or 'no architecture'}; expected a causal "
        f"model (…{', …'.join(CAUSAL)}) or a masked one (…{MASKED[0]})"
    )


def _kernels(value: object) -> Iterator[str]:
    """Parts of the network, at any depth, that transformers would take from elsewhere."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if "implementation" in key and "/" in str(inner):
                yield f"{key}: {inner}"
            yield from _kernels(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _kernels(inner)


def _check_files(folder: Path) -> None:
    if (folder / ADAPTER).is_file():
        raise ModelError(
            f"{folder} holds an adapter ({ADAPTER}); merge it into its model first and save that"
        )
    if any(folder.glob("*.safetensors")):
        return
    pickled = sorted(path.name for pattern in PICKLED for path in folder.glob(pattern))
    if pickled:
        raise ModelError(
            f"{folder} holds weights as a pickle alone ({pickled[0]}), which could run code: not "
            "opened; have transformers save the model again (save_pretrained), as safetensors"
        )
    raise ModelError(f"{folder} holds no weights; expected a file of safetensors")


def _opened(folder: Path, *, causal: bool) -> tuple[Any, Any, list[str]]:
    """Network, tokenizer, names of weights that are missing."""
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

    place = str(folder.resolve())
    safe = {"trust_remote_code": False, "local_files_only": True}
    kind = AutoModelForCausalLM if causal else AutoModelForMaskedLM
    network, found = kind.from_pretrained(
        place, dtype=torch.float32, use_safetensors=True, output_loading_info=True, **safe
    )
    tokenizer = AutoTokenizer.from_pretrained(place, use_fast=True, **safe)
    network.config.use_cache = False
    network.eval().to("cuda" if torch.cuda.is_available() else "cpu")
    return network, tokenizer, sorted(map(str, found["missing_keys"]))


@contextmanager
def _quiet() -> Iterator[None]:
    """Neither bars nor advice of transformers while a model is read."""
    from transformers.utils import logging

    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()


def _ready(folder: Path, network: Any, tokenizer: Any, *, causal: bool) -> Loaded:
    """What is asked of the two, checked."""
    if not getattr(tokenizer, "is_fast", False):
        raise ModelError(
            f"{folder} has no tokenizer.json, which tells where in a text a piece stands; save its "
            "tokenizer again as a fast one"
        )
    cutter = tokenizer.backend_tokenizer
    cutter.no_truncation()
    cutter.no_padding()
    cutter.encode_special_tokens = True  # a typed `</s>` is text
    rows = int(network.get_input_embeddings().weight.shape[0])
    if cutter.get_vocab_size() > rows:
        raise ModelError(
            f"{folder}: its tokenizer knows {cutter.get_vocab_size()} pieces, its network {rows}"
        )
    before, after = (_ends if causal else _template)(folder, tokenizer)
    loaded = Loaded(
        network, cutter, before, after, None if causal else tokenizer.mask_token_id,
        tokenizer.unk_token_id, min(_places(network, tokenizer), max(FEWEST, NUMBERS // rows)),
        rows,
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


def _template(folder: Path, tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What the tokenizer puts round a text."""
    if tokenizer.mask_token_id is None:
        raise ModelError(f"{folder}: its tokenizer names no mask_token, by which words are hidden")
    found = tokenizer.backend_tokenizer.encode("a")
    inner = [i for i, special in enumerate(found.special_tokens_mask) if not special]
    first, last = (inner[0], inner[-1] + 1) if inner else (0, 0)
    return tuple(found.ids[:first]), tuple(found.ids[last:])


def _places(network: Any, tokenizer: Any) -> int:
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
