"""Copy the other models that a model reads into its folder, or find them by name and checksum.

Language models and sentence encoders that are named by path are copied, so that the folder is complete. Models of more
than `MOST_BYTES` and parsers, whose files are pickles, are not copied. They are found by name in the folders that
`VARIABLE` lists: a model may come from a stranger, so its manifest names no path outside its folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from naturalness.errors import ModelError
from naturalness.features.base import column_prefix
from naturalness.files.folder import MODELS, check_regular, copies_in, copy_regular
from naturalness.files.resources import file_checksum
from naturalness.files.storage import exists

if TYPE_CHECKING:
    from naturalness.features.named import GroupKind

MOST_BYTES = 200_000_000
VARIABLE = "NATURALNESS_MODELS"
"""Environment variable that lists the folders in which models that were not copied are looked up by name."""
PLAIN = re.compile(r"(?!\.{1,2}$)[^/\\:\0]+")
"""A pattern for the last part of a path: no separator, no drive, not ``..``."""
PLACE = re.compile(r"((?:[a-z]{2,}:)?)(.+)", re.DOTALL)
"""A pattern for an optional scheme, such as ``hf:``, and a path; a single letter before the colon is a drive."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """Models that groups name by path: their names in a manifest, and the files to copy."""

    names: dict[str, str] = field(default_factory=dict)
    """The names of groups as typed, mapped to names that keep only the last part of the path."""
    locations: dict[str, str] = field(default_factory=dict)
    """The shortened names, mapped to the model's path within the folder or, if the model is not copied, to its name."""
    files: dict[str, Path | bytes] = field(default_factory=dict)
    """Paths within the folder, mapped to the files or bytes to copy there."""

    def renamed(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Return a manifest without the paths that models had on the machine where it was written."""
        return {
            **manifest,
            "groups": [self.names.get(name, name) for name in manifest["groups"]],
            "assets": {self.names.get(k, k): v for k, v in manifest["assets"].items()},
            **({MODELS: self.locations} if self.locations else {}),
        }

    def elsewhere(self) -> list[str]:
        """Return a line for each model that is not copied, telling the user what to do."""
        return [
            f"{name} is not copied into the folder; before you use the model, name the folder that holds "
            f"{_name(location)!r} in ${VARIABLE}"
            for name, location in self.locations.items()
            if not _is_copied(location)
        ]


def enclose(groups: Sequence[str]) -> Enclosed:
    """Return the models that groups of features name by path."""
    enclosed = Enclosed()
    for group in groups:
        start = group[: group.find(":") + 1]
        spec = group.removeprefix(start)
        if (path := _path(start, spec)) is None:
            continue
        kind = _kind(start)
        files = None if kind is None or kind.files is None else kind.files(spec)
        last = re.sub(r"[^\w.-]", "_", Path(spec).name or Path(path).resolve().name)
        scheme, inside = spec[: len(spec) - len(path)], f"{MODELS}/{start[:-1]}/{last}"
        name = f"{start}{last}"
        for file in (files or {}).values():
            if isinstance(file, Path):
                check_regular(file)
        if files is None or sum(map(_size, files.values())) > MOST_BYTES:
            name = f"{start}{Path(path).resolve().name}"
            enclosed.locations[name] = f"{scheme}{Path(path).resolve().name}"
        else:
            enclosed.locations[name] = f"{scheme}{inside}"
            for part, file in files.items():
                enclosed.files[(PurePosixPath(inside) / part).as_posix()] = file
        if last == ".." or column_prefix(name) != column_prefix(f"{start}{spec}"):
            raise ModelError(
                f"{start}{spec} does not name the folder of its model, after which its columns "
                f"are named; write {start}{scheme}{Path(path).resolve()}"
            )
        enclosed.names[f"{start}{spec}"] = name
    return enclosed


def _size(file: Path | bytes) -> int:
    return len(file) if isinstance(file, bytes) else file.lstat().st_size


def write_enclosed(folder: Path, enclosed: Enclosed) -> dict[str, dict[str, Any]]:
    """Copy models into a folder and return the size and checksum of each file."""
    entries = {}
    for name, file in sorted(enclosed.files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file, bytes):
            path.write_bytes(file)
        else:
            copy_regular(file, path)
        entries[name] = {"bytes": path.stat().st_size, "sha256": file_checksum(path)}
    return entries


def model_paths(folder: Path, manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the names that a manifest uses for models, mapped to names with the models' paths on this machine.

    Groups that need no path are left out. Copies of models are compared with their checksums.
    """
    locations = manifest.get(MODELS, {})
    if not isinstance(locations, dict) or any(not isinstance(location, str) for location in locations.values()):
        raise ModelError(f"{folder}: entry {MODELS!r} of the manifest is damaged")
    if locations or (folder / MODELS).exists():
        _check_copies(folder, manifest)
    names = [name for name in manifest["groups"] if ":" in name or name in locations]
    here = {name: _name_with_path(folder, name, locations.get(name)) for name in names}
    return {name: path for name, path in here.items() if path != name}


def _name_with_path(folder: Path, name: str, location: str | None) -> str:
    """Return a group's name with the path of the model it reads: in ``folder`` or in a folder that `VARIABLE` lists.

    If the model is in neither, the path is where a copy in ``folder`` would be.
    """
    start = name[: name.find(":") + 1]
    spec = name.removeprefix(start)
    if location is None:
        if _path(start, spec) is None:
            return name
        location = spec
    match = PLACE.fullmatch(location)
    scheme, path = match.groups() if match else ("", "")
    if not _is_copied(location):
        last = _name(location)
        return f"{start}{scheme}{_find(last) or folder / MODELS / start[:-1] / last}"
    parts = path.split("/")
    # Parsers are never copied: their files are pickles, which can run code, so a copy must not be opened.
    kind = _kind(start)
    copied = kind is not None and kind.files is not None
    if not copied or parts[:-1] != [MODELS, start[:-1]] or not PLAIN.fullmatch(parts[-1]):
        raise ModelError(f"{folder}: the manifest places {name} in {path!r:.100}")
    return f"{start}{scheme}{folder / path}"


def _path(start: str, spec: str) -> str | None:
    """Return the path in the name of a group that reads a user's model; None for any other group."""
    kind = _kind(start)
    return None if kind is None else kind.path(spec)


def _kind(start: str) -> GroupKind | None:
    """Return the kind of group with this prefix; None if there is none."""
    if not start:
        return None
    # Imported here, because the groups of most models have no prefix and these modules are slow to import.
    from naturalness.features.named import KINDS

    return KINDS.get(start)


def _is_copied(location: str) -> bool:
    match = PLACE.fullmatch(location)
    return match is not None and match[2].startswith(f"{MODELS}/")


def _name(location: str) -> str:
    """Return the last part of a POSIX or Windows path; manifests of earlier releases contain whole paths."""
    name = re.split(r"[\\/:]", location.rstrip("\\/"))[-1]
    return name if PLAIN.fullmatch(name) else "model"


def _find(name: str) -> Path | None:
    """Return the path of a model with this name in the folders that `VARIABLE` lists; None if there is none."""
    folders = filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))
    candidates = (Path(folder).absolute() / name for folder in folders)
    return next((candidate for candidate in candidates if exists(str(candidate))), None)


def check_locations(folder: Path, names: Mapping[str, str]) -> None:
    """Raise if a model reads another model that is neither in its folder nor in a folder that `VARIABLE` lists.

    ``names`` is the mapping that `model_paths` returns.
    """
    for name, here in names.items():
        start, _, spec = here.partition(":")
        path = _path(f"{start}:", spec)
        if path is not None and not exists(path):
            raise ModelError(
                f"{folder} reads {name}, which is not in the folder; name the folder that holds "
                f"{Path(path).name!r} in ${VARIABLE}"
            )


def _check_copies(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Compare the copies of models with their checksums; refuse files that the manifest does not list."""
    listed = {
        name: (entry["bytes"], entry["sha256"])
        for name, entry in manifest["files"].items()
        if name.startswith(f"{MODELS}/")
    }
    if odd := sorted(copies_in(folder) ^ listed.keys()):
        raise ModelError(
            f"{folder / MODELS} holds other files than the manifest says ({', '.join(odd[:3])}); "
            "copy the whole folder again"
        )
    for name, expected in listed.items():
        path = folder / name
        if (path.stat().st_size, file_checksum(path)) != expected:
            raise ModelError(f"{path} differs from the manifest in its checksum; copy the folder again")
