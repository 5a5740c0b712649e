"""Baselines: hashes of the sentences that had flaws at a given time, file by file; only new flaws are reported."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from naturalness.checking.flaws import Flaw
from naturalness.errors import TableError, damage_as
from naturalness.files.storage import seen_from, write_whole

VERSION = 1
MAX_BYTES = 50_000_000
"""Maximum size of a baseline file, enough for a million flaws."""
KEYS = {"naturalness_baseline", "files"}


def fingerprint(text: str) -> str:
    """Return a hash that identifies a sentence regardless of its position."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The fingerprints of the flaws in each file, with their counts."""

    path: Path
    files: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Counts of flaws, keyed by file name (relative to the folder of the baseline), then by fingerprint."""

    def split(self, flaws: Sequence[Flaw], checked: Iterable[str]) -> tuple[list[Flaw], int, int]:
        """Return the new flaws, the number of old flaws, and the number of entries that no longer occur.

        If a sentence occurs more often than its entry says, its first occurrences count as old. Entries of a file that
        was not checked count as gone only if the file no longer exists.
        """
        left = {name: Counter(entries) for name, entries in self.files.items()}
        new = []
        for flaw in flaws:
            entries = left.get(self.name_of(flaw.sentence.source.name), Counter())
            mark = fingerprint(flaw.sentence.text)
            if entries[mark]:
                entries[mark] -= 1
            else:
                new.append(flaw)
        others = self._others(checked)
        gone = sum(entries.total() for name, entries in left.items() if name not in others)
        return new, len(flaws) - len(new), gone

    def renewed(self, flaws: Iterable[Flaw], checked: Iterable[str]) -> Baseline:
        """Return a baseline with these flaws for the checked files; other files that still exist keep their entries."""
        files = self._others(checked)
        for flaw in flaws:
            files.setdefault(self.name_of(flaw.sentence.source.name), Counter())[fingerprint(flaw.sentence.text)] += 1
        return Baseline(self.path, files)

    def write(self) -> int:
        """Write the file; return the number of flaws in it."""
        files = {name: dict(sorted(entries.items())) for name, entries in sorted(self.files.items())}
        document = {"naturalness_baseline": VERSION, "files": files}
        if not self.path.parent.is_dir():
            raise TableError(f"no folder {str(self.path.parent)!r} for the baseline; make it, or name another")
        write_whole(
            self.path, (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")
        )
        return sum(sum(entries.values()) for entries in files.values())

    def name_of(self, name: str) -> str:
        """Return the path of a file relative to the folder of the baseline, with ``/`` on every system."""
        return seen_from(self.path.parent.absolute(), Path(name).absolute()).as_posix()

    def _others(self, checked: Iterable[str]) -> dict[str, Counter[str]]:
        """Return the entries of the files that were not checked and still exist."""
        names = set(map(self.name_of, checked))
        return {
            name: Counter(entries)
            for name, entries in self.files.items()
            if name not in names and (self.path.parent / name).exists()
        }


def read_baseline(path: Path) -> Baseline:
    """Read a baseline; raise if the file is not a baseline."""
    if not path.is_file():
        raise TableError(f"no baseline {str(path)!r}; write one with --write-baseline, or check the path")
    if path.stat().st_size > MAX_BYTES:
        raise TableError(f"baseline {str(path)!r} has more than {MAX_BYTES:,} bytes; write a new one for fewer files")
    advice = "restore it, or write a new one with --write-baseline"
    with damage_as(TableError, f"baseline {str(path)!r}", advice, what="is damaged or no baseline"):
        document = json.loads(path.read_bytes())
        if not isinstance(document, dict) or set(document) != KEYS:
            raise ValueError(f"expected an object with {' and '.join(sorted(KEYS))}")
        if document["naturalness_baseline"] != VERSION:
            raise ValueError(f"version {document['naturalness_baseline']!r}, expected {VERSION}")
        files = dict(document["files"].items())
        for entries in files.values():
            for mark, copies in entries.items():
                if type(copies) is not int or copies < 1:
                    raise ValueError(f"{copies!r} copies of {mark!r}, expected a whole number from 1 on")
    return Baseline(path, files)
