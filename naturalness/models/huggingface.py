"""Local Hugging Face models, opened without running their code.

Nothing is downloaded: a model is a local folder, or has been downloaded to the cache by `hf download`. Weights are read
from safetensors files, which hold only numbers; code that comes with a model is not run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from naturalness.errors import ModelError
from naturalness.files.resources import file_checksum, require_package, short_checksum
from naturalness.files.storage import exists

PREFIX = "hf:"
NEEDED = ("torch", "transformers")
CONFIG, ADAPTER = "config.json", "adapter_config.json"
INDEX = "model.safetensors.index.json"
"""The file that says which file holds which weights, if there are several."""
OTHER_WEIGHTS = "transformers_weights"
"""The setting that names other files of weights, which may be pickles."""
READ = frozenset({".json", ".txt", ".model", ".safetensors"})
"""Suffixes of the files that a model is read from."""
MAX_PIECES = 1024
"""Maximum number of pieces per run of a network, whatever its configuration allows."""
MIN_PIECES = 8
"""Minimum number of pieces, not counting start and end, that a network must be able to read at once."""
OPENED = 2
"""Maximum number of models that each function made by `opened_by_name` keeps in memory."""
State = tuple[tuple[str, int, int], ...]
"""Name, modification time and size of each file of a model; they change when the model is replaced."""
Opened = TypeVar("Opened")


@dataclass(frozen=True, eq=False, slots=True)
class TextNetwork:
    """A network with its tokenizer. Each text is run separately, in 32-bit floats, without padding."""

    network: Any = field(repr=False)
    tokenizer: Any = field(repr=False)
    before: tuple[int, ...]
    """Special pieces that are added before every text."""
    after: tuple[int, ...]
    """Special pieces that are added after every text."""
    max_pieces: int
    """Maximum number of a text's pieces read at once, not counting ``before`` and ``after``."""

    @property
    def cutter(self) -> Any:
        """The tokenizer of the package tokenizers, which splits a text into pieces with their offsets."""
        return self.tokenizer.backend_tokenizer

    @property
    def rows(self) -> int:
        """Number of pieces in the vocabulary of the network."""
        return int(self.network.get_input_embeddings().weight.shape[0])

    def pieces(self, text: str) -> list[int]:
        """Return the pieces of a text, without the special pieces at its start and end."""
        rows: list[int] = self.cutter.encode(text, add_special_tokens=False).ids
        return rows

    def run(self, pieces: Sequence[int], **more: Any) -> Any:
        """Return the network's output for the pieces of a text."""
        return self.outputs([[*self.before, *pieces, *self.after]], **more)

    def outputs(self, texts: Sequence[Sequence[int]], **more: Any) -> Any:
        """Return the network's output for texts of equal length, given with their special pieces."""
        import torch

        from naturalness.models.networks import single_thread

        with single_thread(), torch.inference_mode():
            ids = torch.tensor(texts, device=self.network.device)
            return self.network(input_ids=ids, attention_mask=torch.ones_like(ids), **more)


Ends = tuple[tuple[int, ...], tuple[int, ...]]
"""The special pieces before and after a text."""


def open_reader(
    folder: Path, kind: str, *, idle: str = "no weights", ends: Callable[[Any], Ends] | None = None
) -> TextNetwork:
    """Open a network and its fast tokenizer; ``kind`` is the name of a class in the package transformers.

    Weights whose names begin with ``idle`` may be missing from the files, since their output is not used. ``ends``
    returns the special pieces around a text, given the tokenizer; by default they are those that it adds itself.
    """
    check_packages(folder)
    read_config(folder)
    _check_files(folder)
    try:
        with _quiet():
            network, tokenizer, missing = _opened(folder, kind)
    except Exception as error:  # files that do not fit together cause many kinds of errors
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ModelError(
            f"{folder} is not a model that transformers {version('transformers')} can open "
            f"({reason:.300}); its own code is never run"
        ) from None
    if lacks := [name for name in missing if not name.startswith(idle)]:
        raise ModelError(
            f"{folder} lacks weights of its network ({', '.join(lacks[:3])}; {len(lacks)} in all), "
            "which would be random; expected all of them"
        )
    _check_tokenizer(folder, network, tokenizer)
    before, after = (ends or _added)(tokenizer)
    room = _max_pieces(network, tokenizer) - len(before) - len(after)
    if room < MIN_PIECES:
        raise ModelError(f"{folder} reads {max(room, 0)} pieces besides start and end; expected {MIN_PIECES} or more")
    return TextNetwork(network, tokenizer, before, after, room)


def opened_by_name(make: Callable[[Path, str], Opened]) -> Callable[[str], Opened]:
    """Decorate a function that opens a model from a folder and a signature.

    The new function takes a model's name, and keeps the last `OPENED` models in memory.
    """

    @lru_cache(maxsize=OPENED)
    def opened(folder: Path, name: str, state: State) -> Opened:
        check_packages(folder)
        return make(folder, f"{PREFIX}{name}:{checksum_of(folder)}|{versions()}")

    @wraps(make)
    def open_name(name: str) -> Opened:
        folder = folder_of(name).resolve()
        return opened(folder, Path(name).resolve().name, state_of(folder))

    return open_name


def folder_of(name: str) -> Path:
    """Return the folder of a model, given a path or the name of a downloaded model."""
    path = Path(name) if exists(name) and Path(name).is_dir() else _downloaded(name)
    if not (path / CONFIG).is_file():
        raise ModelError(f"{path} holds no Hugging Face model: it has no {CONFIG}")
    return path


def path_after(scheme: str, spec: str) -> str | None:
    """Return the path in a spec, whether or not it has the prefix ``scheme``; None if it names a downloaded model."""
    name = spec.removeprefix(scheme)
    return name if name == spec or exists(name) else None


def _downloaded(name: str) -> Path:
    """Return a downloaded model's folder in the cache of `hf download`."""
    check_packages(f"{PREFIX}{name:.100}")
    from huggingface_hub import try_to_load_from_cache

    try:
        cached = try_to_load_from_cache(name, CONFIG)
    except (ValueError, OSError):  # a name that the hub does not allow
        cached = None
    if not isinstance(cached, str):
        raise ModelError(
            f"no Hugging Face model {name!r:.200} on this machine; expected the path of a folder, "
            f"or a name after: hf download {name:.200}"
        )
    return Path(cached).parent


def files_of(folder: Path) -> list[Path]:
    """Return the files that the model is read from."""
    return sorted(path for path in folder.iterdir() if path.suffix in READ and path.is_file())


def copied_from(path: Path) -> Path:
    """Return the file to copy; for a link in the hub's cache (from `snapshots` to `blobs`), the file it points to."""
    snapshots = path.parent.parent
    if path.is_symlink() and snapshots.name == "snapshots":
        target = path.resolve()
        if target.parent == (snapshots.parent / "blobs").resolve():
            return target
    return path


def checksum_of(folder: Path) -> str:
    """Return a short checksum of the files that the model is read from."""
    return checksum_by(folder, state_of(folder))


@lru_cache(maxsize=16 * OPENED)
def checksum_by(folder: Path, state: State) -> str:
    """Return a short checksum of the names and contents of the files listed in ``state``."""
    return short_checksum(f"{name}:{file_checksum(folder / name)};" for name, _, _ in state)


def versions() -> str:
    """Return the versions of the packages on which scores depend."""
    return "|".join(f"{package}:{version(package)}" for package in NEEDED)


def state_of(folder: Path, files: Iterable[Path] | None = None) -> State:
    """Return the `State` of files in a folder, by default the files that the model is read from."""
    states = ((path.relative_to(folder).as_posix(), path.stat()) for path in files or files_of(folder))
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in states)


def check_packages(name: object) -> None:
    """Raise `MissingPackage` if a package needed to open a model is not installed."""
    for package in NEEDED:
        require_package(package, user=f"model {str(name)!r}", extra="neural")


def read_config(folder: Path) -> dict[str, Any]:
    """Return a model's configuration; raise `ModelError` if it asks for code or for other weights."""
    try:
        config: dict[str, Any] = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        config["architectures"] = [str(name) for name in config.get("architectures") or ()]
        elsewhere = next(code_asked_for(config, (OTHER_WEIGHTS,)), "")
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ModelError(f"{folder / CONFIG} cannot be read ({error!s:.200})") from None
    if elsewhere:
        raise ModelError(
            f"{folder / CONFIG} requires other weights, or code to be downloaded and run ({elsewhere:.100}), "
            "so it is not opened"
        )
    return config


def code_asked_for(value: object, keys: Collection[str] = ()) -> Iterator[str]:
    """Yield settings, at any depth, that would make transformers download kernels or whose key is in ``keys``."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in keys or ("implementation" in key and "/" in str(inner)):
                yield f"{key}: {inner}"
            yield from code_asked_for(inner, keys)
    elif isinstance(value, list):
        for inner in value:
            yield from code_asked_for(inner, keys)


def _check_files(folder: Path) -> None:
    if (folder / ADAPTER).is_file():
        raise ModelError(f"{folder} holds an adapter ({ADAPTER}); merge it into its model and save the result")
    weights = [path.name for path in files_of(folder) if path.suffix == ".safetensors"]
    if not weights:
        raise ModelError(
            f"{folder} holds no weights as safetensors, and a pickle, which could run code, is not opened; have "
            "transformers save the model again (save_pretrained)"
        )
    if not (folder / INDEX).exists():
        return
    try:
        placed = json.loads((folder / INDEX).read_text(encoding="utf-8"))["weight_map"].values()
    except (OSError, ValueError, AttributeError, TypeError, KeyError, RecursionError) as error:
        raise ModelError(f"{folder / INDEX} cannot be read ({error!s:.200})") from None
    if elsewhere := [name for name in placed if name not in weights]:
        raise ModelError(
            f"{folder / INDEX} places weights in {elsewhere[0]!r:.100}; expected safetensors files of the same folder"
        )


def _opened(folder: Path, kind: str) -> tuple[Any, Any, list[str]]:
    """Return the network, its tokenizer and the names of missing weights."""
    import torch
    import transformers

    path = str(folder.resolve())
    safe = {"trust_remote_code": False, "local_files_only": True}
    network, report = getattr(transformers, kind).from_pretrained(
        path, dtype=torch.float32, use_safetensors=True, output_loading_info=True, **safe
    )
    tokenizer = transformers.AutoTokenizer.from_pretrained(path, use_fast=True, **safe)
    network.config.use_cache = False
    network.eval().to("cuda" if torch.cuda.is_available() else "cpu")
    return network, tokenizer, sorted(map(str, report["missing_keys"]))


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the progress bars and warnings of transformers."""
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


def _check_tokenizer(folder: Path, network: Any, tokenizer: Any) -> None:
    """Raise `ModelError` for a slow or mismatched tokenizer; turn off its truncation and padding."""
    if not getattr(tokenizer, "is_fast", False):
        raise ModelError(
            f"{folder} has no tokenizer.json, which gives the offsets of pieces; save its tokenizer again as a fast one"
        )
    cutter = tokenizer.backend_tokenizer
    cutter.no_truncation()
    cutter.no_padding()
    cutter.encode_special_tokens = True  # if a text contains `</s>`, it is split like other characters
    rows = int(network.get_input_embeddings().weight.shape[0])
    if cutter.get_vocab_size() > rows:
        raise ModelError(f"{folder}: its tokenizer knows {cutter.get_vocab_size()} pieces, its network {rows}")


def _added(tokenizer: Any) -> Ends:
    """Return the special pieces that the tokenizer adds before a text, and those that it adds after it."""
    encoding = tokenizer.backend_tokenizer.encode("a")
    inner = [i for i, special in enumerate(encoding.special_tokens_mask) if not special]
    first, last = (inner[0], inner[-1] + 1) if inner else (0, 0)
    return tuple(encoding.ids[:first]), tuple(encoding.ids[last:])


def _max_pieces(network: Any, tokenizer: Any) -> int:
    """Return the maximum number of pieces per run, including special pieces.

    It is the smallest of `MAX_PIECES` and the limits of the tokenizer, the configuration and the position embeddings.
    """
    limits = [MAX_PIECES, int(tokenizer.model_max_length)]
    positions = getattr(network.config.get_text_config(), "max_position_embeddings", None)
    limits += [positions] if isinstance(positions, int) and positions > 0 else []
    for name, layer in network.named_modules():
        if name.endswith("position_embeddings") and hasattr(layer, "num_embeddings"):
            # RoBERTa and related models number positions from the row after the padding row.
            skipped = 0 if layer.padding_idx is None else layer.padding_idx + 1
            limits.append(layer.num_embeddings - skipped)
    return min(limits)
