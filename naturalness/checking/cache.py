"""A cache of judged sentences: hashes and scores of those without flaws, but no texts.

A hash covers the sentence, the model, its assets and rules, and all options that affect the verdict, so an entry is
never out of date. But whoever writes the file can hide flaws: it is as trustworthy as the settings beside it.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from pathlib import Path

from naturalness import __version__
from naturalness.checking.verdicts import Judge, Unit, Verdict
from naturalness.errors import TableError
from naturalness.features.rules import rule_checker
from naturalness.files.resources import load_manifest
from naturalness.files.storage import write_whole
from naturalness.judging.folder import assets_of, model_checksum
from naturalness.models.mender import ASSET as MENDER
from naturalness.text.parsing import pipeline_checksum

NAME = ".naturalness-cache"
"""The cache beside a settings file with ``cache = true``."""
HEADER = b"naturalness check: cache 1\n"
ANY_HEADER = re.compile(rb"naturalness check: cache \d+\n")
"""The header of a cache of any version."""
RECORD = struct.Struct("<16sd?")
"""Hash, naturalness, and whether the text is a fragment."""
MAX_BYTES = 200_000 * RECORD.size
"""The largest size of the entries; the oldest are dropped."""

Entries = dict[bytes, tuple[float, bool]]


class Cache:
    """The verdicts of sentences that passed, stored in a file; ``signature`` names all that they depend on."""

    def __init__(self, path: Path, signature: str) -> None:
        self.path = path
        self.signature = signature
        self._entries = _read(path)
        self._new: Entries = {}

    def get(self, unit: Unit) -> Verdict | None:
        """Return the verdict of a unit that passed; None if it is not known."""
        entry = self._entries.get(self._key(unit))
        return Verdict(entry[0], is_fragment=entry[1]) if entry else None

    def put(self, unit: Unit, verdict: Verdict) -> None:
        """Remember a verdict, unless it has an explanation, a reason to report, or fixes."""
        if verdict.explanation is None and not (verdict.reason or verdict.fixes):
            self._new[self._key(unit)] = verdict.naturalness, verdict.is_fragment

    def write(self) -> None:
        """Add the new entries to the file, and keep those that another process has added meanwhile."""
        if self._new:
            records = [RECORD.pack(key, *entry) for key, entry in {**_read(self.path), **self._new}.items()]
            write_whole(self.path, HEADER + b"".join(records)[-MAX_BYTES:])

    def _key(self, unit: Unit) -> bytes:
        content = json.dumps([self.signature, unit.text, unit.accepted, unit.needs_clause])
        return hashlib.sha256(content.encode()).digest()[:16]


def _read(path: Path) -> Entries:
    """Return the entries of a cache, none if it is empty, damaged or of another version; raise if it is no cache."""
    if not path.parent.is_dir():
        raise TableError(f"no folder {str(path.parent)!r} for the cache; make it, or name another")
    if not path.exists():
        return {}
    data = None
    if path.is_file():  # a pipe would have to be waited for
        with path.open("rb") as file:
            data = file.read(len(HEADER) + MAX_BYTES + 1)
    if data is None or (data and not ANY_HEADER.match(data)):
        raise TableError(f"{str(path)!r} is no cache of check; name another file, or delete it")
    records = data[len(HEADER) :]
    if not data.startswith(HEADER) or len(records) % RECORD.size:
        return {}
    entries = {key: (value, is_fragment) for key, value, is_fragment in RECORD.iter_unpack(records)}
    return entries if all(is_fragment or 0 <= value <= 1 for value, is_fragment in entries.values()) else {}


def signature_of(judge: Judge) -> str:
    """Return a text that names all that a verdict depends on besides the unit."""
    model, rules = judge.model, rule_checker().signature if judge.rules else ""
    checksum = model_checksum(model.folder) if model.folder else model.name
    assets = {
        **assets_of(model.groups),
        "pipeline": pipeline_checksum(model.nlp),
        MENDER: load_manifest()[MENDER].checksum,
    }
    options = judge.min_score, judge.register, judge.sure
    return json.dumps([__version__, checksum, assets, rules, *options], sort_keys=True)
