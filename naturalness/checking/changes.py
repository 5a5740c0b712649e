"""Changed lines: what git reports as different from a revision.

The configuration of the repository may come from a stranger, so nothing that it names is run: no hook, no monitor, no
diff program and no filter. Nothing is fetched.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from naturalness.checking.sources import Sentence
from naturalness.errors import NaturalnessError, excerpt

GIT = ("git", "--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=", "-c", f"core.hooksPath={os.devnull}")
DIFF = (
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=all"),
    *("--text", "--unified=0", "--inter-hunk-context=0", f"-O{os.devnull}"),
)
QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "LC_ALL": "C"}
"""Environment in which git writes nothing, fetches nothing, and reports errors in English."""
FILTER = re.compile(r"filter\..*\.(?:clean|smudge|process|required)", re.DOTALL)
HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
"""The header of a hunk: its first line in the new file and, unless it is 1, the number of its lines."""

Interval = tuple[float, float]
"""The first and last of some lines. A place between two lines, where others were removed, is a half: ``(2.5, 2.5)``."""


@dataclass
class Changes:
    """The difference between a revision and the working tree of the repository around a folder."""

    revision: str
    folder: Path
    _environment: Mapping[str, str] = field(default_factory=lambda: {**os.environ, **QUIET}, init=False, repr=False)
    _intervals: dict[str, list[Interval] | None] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self.folder = Path(
            self._line("rev-parse", "--show-toplevel", advice="--changed compares with a git repository")
        )
        names = self._names("config", "--null", "--name-only", "--list")
        self._environment = {**self._environment, **_empty(name for name in names if FILTER.fullmatch(name))}
        self.revision = self._line(
            *("rev-parse", "--verify", "--end-of-options", f"{self.revision}^{{commit}}"),
            advice=f"--changed expects a commit, branch or tag, found {excerpt(self.revision)}; name files before it",
        )

    def touch(self, sentence: Sentence) -> bool:
        """Return whether a line of a sentence has changed."""
        name = sentence.source.name
        if name not in self._intervals:
            self._intervals[name] = self.in_file(name)
        lines = self._intervals[name]
        region = sentence.region() if lines else None
        return lines is None or any(
            first <= region.end_line and region.line <= last for first, last in lines if region is not None
        )

    def in_file(self, name: str) -> list[Interval] | None:
        """Return the changed lines of a file in order; None for all lines, since git does not track the file."""
        path = Path(name).resolve()
        if path not in self._tracked:
            return None
        if path not in self._different:
            return []
        hunks = HUNK.findall(self._git(*DIFF, self.revision, "--", str(path)))
        return [_interval(int(start), int(number or 1)) for start, number in hunks]

    @cached_property
    def _tracked(self) -> frozenset[Path]:
        return frozenset(self.folder / name for name in self._names("ls-files", "-z"))

    @cached_property
    def _different(self) -> frozenset[Path]:
        names = self._names(*DIFF, "--name-only", "-z", self.revision, "--")
        return frozenset(self.folder / name for name in names)

    def _names(self, *arguments: str) -> list[str]:
        return os.fsdecode(self._git(*arguments)).split("\0")[:-1]

    def _line(self, *arguments: str, advice: str) -> str:
        return os.fsdecode(self._git(*arguments, advice=advice)).removesuffix("\n")

    def _git(self, *arguments: str, advice: str = "check the repository") -> bytes:
        """Return the output of git; raise with its message if it fails."""
        try:
            done = subprocess.run(
                [*GIT, *arguments],
                cwd=self.folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except FileNotFoundError:
            raise NaturalnessError("--changed needs git, which is not installed; install it, or leave it out") from None
        if done.returncode:
            said = os.fsdecode(done.stderr).strip().splitlines() or [f"exit code {done.returncode}"]
            raise NaturalnessError(f"git: {excerpt(said[0], 200)}; {advice}")
        return done.stdout


def _interval(start: int, number: int) -> Interval:
    return (start, start + number - 1) if number else (start + 0.5, start + 0.5)


def _empty(names: Iterable[str]) -> dict[str, str]:
    """Return an environment in which settings of git are empty."""
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    settings: dict[str, str] = {}
    count = first
    for count, name in enumerate(names, first + 1):
        settings |= {f"GIT_CONFIG_KEY_{count - 1}": name, f"GIT_CONFIG_VALUE_{count - 1}": ""}
    return settings | {"GIT_CONFIG_COUNT": str(count)}
