"""What a model reads besides the package: copied into its folder, or found by path and checksum.

Language models, sentence encoders and spaCy pipelines that a path names are copied, so that the
folder is all there is. Not copied are models of more than `MOST_BYTES`, and parsers, whose files
are pickles. The manifest says where these lay, and `VARIABLE` where else they are looked for.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from naturalness.errors import ModelError
from naturalness.features.base import column_prefix
from naturalness.features.named import KINDS
from naturalness.files.folder import MODELS, copies_in
from naturalness.files.resources import file_checksum
from naturalness.files.storage import exists
from naturalness.text.parsing import DEFAULT_PIPELINE, load_pipeline

MOST_BYTES = 200_000_000
VARIABLE = "NATURALNESS_MODELS"
"""Folders in which models that were not copied are looked for by the last part of their path."""
NLP = "nlp:"
"""Stands before the name of a pipeline."""
PLACE = re.compile(r"((?:[a-z]{2,}:)?)(.+)", re.DOTALL)
"""A scheme, such as ``hf:``, and a path; one letter is a drive."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """Models that a path names: what a manifest calls them, and what is copied."""

    names: dict[str, str] = field(default_factory=dict)
    """Names of groups, and `NLP` with a pipeline, as typed -> with the last part of the path."""
    locations: dict[str, str] = field(default_factory=dict)
    """The latter -> where the model lies: within the folder, or an absolute path."""
    files: dict[str, Path | bytes] = field(default_factory=dict)
    """Path within the folder -> what is copied there."""

    def renamed(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """The entries of a manifest that says nothing of where models lay when it was written."""
        nlp = manifest["nlp"]
        return {
            **manifest,
            "groups": [self.names.get(name, name) for name in manifest["groups"]],
            "assets": {self.names.get(k, k): v for k, v in manifest["assets"].items()},
            "nlp": self.names.get(NLP + nlp, NLP + nlp).removeprefix(NLP),
            **({MODELS: self.locations} if self.locations else {}),
        }

    def elsewhere(self) -> list[str]:
        """What a user should know of models that are not copied, a line each."""
        return [
            f"{name} is not copied into the folder and is read from {location}; where that is not "
            f"there, from the folders that ${VARIABLE} names"
            for name, location in self.locations.items()
            if _is_elsewhere(location)
        ]


def enclose(groups: Sequence[str], nlp: str) -> Enclosed:
    """Find the models that groups of features and a pipeline name by a path."""
    enclosed = Enclosed()
    for start, spec, path in _by_path(groups, nlp):
        files = _files(start, spec, path)
        last = re.sub(r"[^\w.-]", "_", Path(spec).name or Path(path).resolve().name)
        scheme, inside = spec[: len(spec) - len(path)], f"{MODELS}/{start[:-1]}/{last}"
        name = f"{start}{last}"
        if files is None or sum(map(_size, files.values())) > MOST_BYTES:
            name = f"{start}{Path(path).resolve().name}"
            enclosed.locations[name] = f"{scheme}{Path(path).resolve()}"
        else:
            enclosed.locations[name] = f"{scheme}{inside}"
            for part, file in files.items():
                enclosed.files[(PurePosixPath(inside) / part).as_posix()] = file
        if start != NLP and column_prefix(name) != column_prefix(f"{start}{spec}"):
            raise ModelError(
                f"{start}{spec} does not name the folder of its model, after which its columns "
                f"are called; write {start}{scheme}{Path(path).resolve()}"
            )
        enclosed.names[f"{start}{spec}"] = name
    return enclosed


def _by_path(groups: Iterable[str], nlp: str) -> Iterator[tuple[str, str, str]]:
    """Kind, spec and path of each model that a path names."""
    for name in groups:
        start, kind = next(((s, k) for s, k in KINDS.items() if name.startswith(s)), ("", None))
        spec = name.removeprefix(start)
        if kind is not None and (path := kind.path(spec)) is not None:
            yield start, spec, path
    if nlp != DEFAULT_PIPELINE and Path(load_pipeline(nlp).path).resolve() == Path(nlp).resolve():
        yield NLP, nlp, nlp


def _files(start: str, spec: str, path: str) -> Mapping[str, Path | bytes] | None:
    """The files of a model, by their names in a copy; None where it is not to be copied."""
    if start == NLP:
        return {file.relative_to(path).as_posix(): file for file in sorted(Path(path).rglob("*")) if file.is_file()}
    kind = KINDS[start]
    return None if kind.files is None else kind.files(spec)


def _size(file: Path | bytes) -> int:
    return len(file) if isinstance(file, bytes) else file.stat().st_size


def write_enclosed(folder: Path, enclosed: Enclosed) -> dict[str, dict[str, Any]]:
    """Copy models into a folder; returns the size and checksum of each file."""
    entries = {}
    for name, file in sorted(enclosed.files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file, bytes):
            path.write_bytes(file)
        else:
            shutil.copyfile(file, path)
        entries[name] = {"bytes": path.stat().st_size, "sha256": file_checksum(path)}
    return entries


def located(folder: Path, manifest: Mapping[str, Any]) -> dict[str, str]:
    """What the manifest calls a model -> the name under which it is opened from here."""
    locations = manifest.get(MODELS, {})
    if not isinstance(locations, dict) or not all(isinstance(v, str) for v in locations.values()):
        raise ModelError(f"{folder}: entry {MODELS!r} of the manifest is damaged")
    typed = [*manifest["groups"], f"{NLP}{manifest['nlp']}"]
    return {name: _located(folder, str(name), locations.get(name)) for name in typed}


def _located(folder: Path, name: str, location: str | None) -> str:
    """The name of one model, with the path at which it lies."""
    start = name[: name.find(":") + 1]
    if location is None:  # of a folder that was written before models were copied
        path = KINDS[start].path(name.removeprefix(start)) if start in KINDS else None
        if path is None or exists(path) or (other := _find(path)) is None:
            return name
        return f"{name.removesuffix(path)}{other}"
    match = PLACE.fullmatch(location)
    scheme, path = match.groups() if match else ("", "")
    if not _is_elsewhere(location):
        parts = PurePosixPath(path).parts
        if len(parts) != 3 or parts[0] != MODELS or ".." in parts:
            raise ModelError(f"{folder}: the manifest says that {name} lies in {path!r:.100}")
        return f"{start}{scheme}{folder / path}"
    return f"{start}{scheme}{path if exists(path) else _find(path) or path}"


def _is_elsewhere(location: str) -> bool:
    match = PLACE.fullmatch(location)
    return match is not None and Path(match[2]).is_absolute()


def _find(path: str) -> Path | None:
    """A model of that name in the folders of `VARIABLE`."""
    folders = filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))
    candidates = (Path(folder) / Path(path).name for folder in folders)
    return next((candidate for candidate in candidates if exists(str(candidate))), None)


def check_locations(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a model that is neither where it lay at training nor where `VARIABLE` says."""
    for name in located(folder, manifest).values():
        start = name[: name.find(":") + 1]
        path = KINDS[start].path(name.removeprefix(start)) if start in KINDS else None
        if path is not None and not exists(path):
            raise ModelError(
                f"{folder} reads {name}, and there is nothing at {path!r}; put the model there, or "
                f"name the folder that holds {Path(path).name!r} in ${VARIABLE}"
            )


def check_copies(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Compare the copies of models with their checksums; refuse what the manifest does not list."""
    try:
        listed = {n: (e["bytes"], e["sha256"]) for n, e in manifest["files"].items() if n.startswith(f"{MODELS}/")}
    except (KeyError, TypeError, AttributeError):
        raise ModelError(f"{folder}: the manifest does not list its files; it is damaged") from None
    there = copies_in(folder)
    if there != set(listed):
        odd = ", ".join(sorted(there ^ set(listed))[:3])
        raise ModelError(
            f"{folder / MODELS} holds other files than the manifest says ({odd}); copy the whole folder again"
        )
    for name, (size, checksum) in listed.items():
        if (folder / name).stat().st_size != size or file_checksum(folder / name) != checksum:
            raise ModelError(f"{folder / name} has another checksum than the manifest; copy the folder again")
