"""A cache of judged sentences: hashes and scores of those without flaws, but no texts.

A hash covers the sentence, the model, its assets and rules, and all options that affect the verdict, so an entry is
never out of date. But whoever writes the file can hide flaws: it is as trustworthy as the settings beside it.
"""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

from naturalness.checking.verdicts import Judge, Unit, Verdict
from naturalness.errors import TableError
from naturalness.files.recent import Recent
from naturalness.files.storage import write_whole

NAME = ".naturalness-cache"
"""The cache beside a settings file with ``cache = true``."""
HEADER = b"naturalness check: cache 1\n"
RECORD = struct.Struct("<16sd?")
"""Hash, naturalness, and whether the text is a fragment."""
MAX_ENTRIES = 200_000
"""The largest number of entries (5 MB); the ones that were used least recently are dropped."""


class Cache:
    """The verdicts of sentences that passed, stored in a file."""

    def __init__(self, path: Path, signature: str) -> None:
        self.path = path
        self._signature = signature
        self._entries = _read(path)
        self._new: dict[bytes, tuple[float, bool]] = {}

    def get(self, unit: Unit) -> Verdict | None:
        """Return the verdict of a unit that passed; None if it is not known."""
        entry = self._entries.get(self._key(unit))
        return Verdict(entry[0], is_fragment=entry[1]) if entry else None

    def put(self, unit: Unit, verdict: Verdict) -> None:
        """Remember a verdict, unless it has an explanation or a reason to report."""
        if verdict.explanation is None and not verdict.reason:
            self._new[self._key(unit)] = verdict.naturalness, verdict.is_fragment

    def write(self) -> None:
        """Add the new entries to the file, and keep those that another process has added meanwhile."""
        if not self._new:
            return
        entries = _read(self.path)
        for key, entry in self._new.items():
            entries.put(key, entry)
        if not self.path.parent.is_dir():
            raise TableError(f"no folder {str(self.path.parent)!r} for the cache; make it, or name another")
        write_whole(self.path, HEADER + b"".join(RECORD.pack(key, *entry) for key, entry in entries.items()))

    def _key(self, unit: Unit) -> bytes:
        said = json.dumps([self._signature, unit.text, unit.accepted, unit.needs_clause])
        return hashlib.sha256(said.encode()).digest()[:16]


def _read(path: Path) -> Recent[tuple[float, bool]]:
    """Return the entries of a cache, none if it is damaged; raise if the file is something else."""
    entries: Recent[tuple[float, bool]] = Recent(MAX_ENTRIES)
    try:
        with path.open("rb") as file:
            data = file.read(len(HEADER) + RECORD.size * MAX_ENTRIES + 1)
    except FileNotFoundError:
        return entries
    except OSError as error:  # a folder, or no permission
        raise TableError(f"cache {str(path)!r} cannot be read ({error.strerror}); name another file") from None
    if not data.startswith(HEADER):
        raise TableError(f"{str(path)!r} is no cache of check; name another file, or delete it")
    records = data[len(HEADER) :]
    if len(records) % RECORD.size == 0:
        read = [(key, (value, fragment)) for key, value, fragment in RECORD.iter_unpack(records)]
        if all(0 <= value <= 1 for _, (value, _) in read):
            for key, entry in read:
                entries.put(key, entry)
    return entries


def signature_of(judge: Judge) -> str:
    """Return a text that names everything that a verdict depends on besides the unit."""
    from naturalness import __version__
    from naturalness.features.rules import rule_checker
    from naturalness.judging.folder import assets_of, model_checksum
    from naturalness.text.parsing import pipeline_checksum

    model = judge.model
    return json.dumps(
        [
            __version__,
            model_checksum(model.folder) if model.folder else model.name,
            assets_of(model.groups),
            pipeline_checksum(model.nlp),
            rule_checker().signature if judge.rules else "",
            judge.min_score,
            judge.register,
        ],
        sort_keys=True,
    )
