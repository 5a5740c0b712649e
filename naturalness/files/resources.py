"""Shipped assets and optional packages: where they are, whether they are intact, and how to install them."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache, wraps
from pathlib import Path
from threading import RLock
from typing import Any, ParamSpec, TypeVar

from naturalness.errors import REINSTALLING, AssetError, MissingPackage, UnknownName, first_line

P = ParamSpec("P")
T = TypeVar("T")
MANIFEST_VERSION = 1
ASSETS_VARIABLE = "NATURALNESS_ASSETS"


@dataclass(frozen=True)
class AssetFile:
    """One file of an asset; ``path`` is relative to the folder of the manifest."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Asset:
    """A trained model or table that the package ships."""

    name: str
    kind: str
    description: str
    licence: str
    sources: tuple[Mapping[str, str], ...] = field(hash=False)
    command: str
    date: str
    files: tuple[AssetFile, ...]
    folder: Path
    """The folder that contains the asset's manifest."""
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)
    built: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Seed, commit, machine and input checksums of the build."""

    @property
    def size(self) -> int:
        """Return the total size of all files in bytes."""
        return sum(file.bytes for file in self.files)

    @property
    def checksum(self) -> str:
        """Return a short checksum over all files, to be recorded with results."""
        return short_checksum(f"{file.path}:{file.sha256};" for file in self.files)


OWN_ASSETS = Path(__file__).parents[1] / "models" / "assets" / "en"


def assets_folder() -> Path:
    """Return the folder of the package's own assets, or the one that NATURALNESS_ASSETS names."""
    chosen = os.environ.get(ASSETS_VARIABLE)
    return Path(chosen) if chosen else OWN_ASSETS


def opened_once(opener: Callable[P, T]) -> Callable[P, T]:
    """Make a function open its asset only once per process and assets folder; other threads wait until it is open."""
    lock = RLock()

    @cache
    def opened(folder: str, *args: P.args, **kwargs: P.kwargs) -> T:
        return opener(*args, **kwargs)

    @wraps(opener)
    def once(*args: P.args, **kwargs: P.kwargs) -> T:
        with lock:
            return opened(str(assets_folder()), *args, **kwargs)  # type: ignore[arg-type]

    return once


def load_manifest(folder: Path | None = None) -> Mapping[str, Asset]:
    """Return the assets of a folder, by default `assets_folder`, keyed by name."""
    path = (folder or assets_folder()) / "manifest.json"
    try:
        written = path.stat()
    except FileNotFoundError:
        raise AssetError(f"no manifest at {path}; run: {REINSTALLING}") from None
    return _read_manifest(path, written.st_mtime_ns, written.st_size)


@lru_cache(maxsize=4)
def _read_manifest(path: Path, written: int, size: int) -> Mapping[str, Asset]:
    """Read a manifest; since features need it often, the result is cached until the file changes."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise AssetError(f"the manifest {path} is damaged ({error}); run: {REINSTALLING}") from None
    version = data.get("manifest_version") if isinstance(data, dict) else None
    if version != MANIFEST_VERSION:
        raise AssetError(
            f"{path} has manifest version {version!r}, expected {MANIFEST_VERSION}; "
            "install assets and package of the same release"
        )
    assets = {}
    try:
        for entry in data["assets"]:
            entry["files"] = tuple(AssetFile(**file) for file in entry["files"])
            assets[entry["name"]] = Asset(**{**entry, "sources": tuple(entry["sources"]), "folder": path.parent})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AssetError(f"{path}: an entry is incomplete ({error}); run: {REINSTALLING}") from None
    return assets


def short_checksum(parts: Iterable[str]) -> str:
    """Return a short checksum of a text, which may be given in parts."""
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:12]


def file_checksum(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def problems(asset: Asset) -> list[str]:
    """Return a list of what is wrong with an asset's files; empty if all are present and unchanged."""
    root = asset.folder
    faults = []
    for file in asset.files:
        path = root / file.path
        if not path.resolve().is_relative_to(root.resolve()):
            faults.append(f"{file.path} lies outside the folder of assets")
        elif not path.is_file():
            faults.append(f"{file.path} is missing")
        elif path.stat().st_size != file.bytes:
            faults.append(f"{file.path} has {path.stat().st_size} bytes, expected {file.bytes}")
        elif file_checksum(path) != file.sha256:
            faults.append(f"{file.path} differs from the manifest in its checksum")
    return faults


def locate(name: str) -> Path:
    """Return the path of an asset, verified once per process: its file, or the folder that holds its files."""
    assets = load_manifest()
    if name not in assets:
        raise UnknownName("asset", name, assets)
    return verified(assets[name])


@cache
def verified(asset: Asset) -> Path:
    """Return the path of an asset, verified once per process: its file, or the folder that holds its files."""
    if wrong := problems(asset):
        raise AssetError(f"asset {asset.name!r} is damaged: {'; '.join(wrong)}; run: {REINSTALLING}")
    if len(asset.files) == 1:
        return asset.folder / asset.files[0].path
    return asset.folder / os.path.commonpath([file.path for file in asset.files])


def has_package(module: str) -> bool:
    """Return whether a module can be imported, without importing it."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


@contextmanager
def importing(module: str, *, user: str, extra: str) -> Iterator[None]:
    """Raise `MissingPackage` if importing an optional package in this block fails."""
    try:
        yield
    except Exception as error:  # a broken installation can cause any
        problem = first_line(error) or type(error).__name__
        raise MissingPackage(user, module, extra, problem if has_package(module) else "") from error


def require_package(module: str, *, user: str, extra: str) -> None:
    """Raise `MissingPackage` unless the module can be imported."""
    with importing(module, user=user, extra=extra):
        importlib.import_module(module)
