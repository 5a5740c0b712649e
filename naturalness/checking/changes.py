"""Changed lines: what git reports as different from a revision.

The configuration of the repository may come from a stranger, so nothing that it names is run: no hook, no monitor, no
diff program and no filter. Nothing is fetched.
"""

from __future__ import annotations

import os
import re
import subprocess
from functools import cached_property
from pathlib import Path

from naturalness.checking.sources import FileSentence
from naturalness.errors import NaturalnessError, excerpt

GIT = ("git", "--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=", "-c", f"core.hooksPath={os.devnull}")
DIFF = (
    "diff --no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=all --text --unified=0 "
    f"--inter-hunk-context=0 -O{os.devnull}"
).split()
EMPTY = "NATURALNESS_EMPTY"
ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
    EMPTY: "",
}
"""Variables with which git writes nothing, fetches nothing, and reports errors in English."""
FILTER = re.compile(r"filter\..*\.(?:clean|smudge|process|required)", re.DOTALL)
HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
"""The header of a hunk: its first line in the new file and, unless it is 1, the number of its lines."""

Interval = tuple[float, float]
"""The first and last of some lines. A place between two lines, where others were removed, is a half: ``(2.5, 2.5)``."""


class Changes:
    """The difference between a revision and the working tree of the repository around the working directory."""

    def __init__(self, revision: str) -> None:
        self._folder, self._options = Path(), list(GIT)
        self._intervals: dict[str, list[Interval] | None] = {}
        (top,) = self._lines("rev-parse", "--show-toplevel", end="\n", advice="`changed` needs a repository")
        self._folder = Path(top)
        settings = self._lines("config", "--null", "--name-only", "--list")
        self._options += [f"--config-env={name}={EMPTY}" for name in settings if FILTER.fullmatch(name)]
        (self._commit,) = self._lines(
            *("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}"),
            end="\n",
            advice=f"`changed` expects a commit, branch or tag, found {excerpt(revision)}; name files before it",
        )

    def touch(self, sentence: FileSentence) -> bool:
        """Return whether a line of a sentence has changed."""
        name = sentence.source.name
        if name not in self._intervals:
            self._intervals[name] = self.in_file(name)
        intervals, region = self._intervals[name], sentence.region()
        return intervals is None or any(start <= region.end_line and region.line <= end for start, end in intervals)

    def in_file(self, name: str) -> list[Interval] | None:
        """Return the changed lines of a file in order; None for all lines, since git does not track the file."""
        path = Path(name).resolve()
        if path not in self._tracked:
            return None
        hunks = HUNK.findall(self._git(*DIFF, self._commit, "--", str(path))) if path in self._different else ()
        return [_interval(int(start), int(number or 1)) for start, number in hunks]

    @cached_property
    def _tracked(self) -> frozenset[Path]:
        return frozenset(map(self._folder.joinpath, self._lines("ls-files", "-z")))

    @cached_property
    def _different(self) -> frozenset[Path]:
        names = self._lines(*DIFF, "--name-only", "-z", self._commit, "--")
        return frozenset(map(self._folder.joinpath, names))

    def _lines(self, *arguments: str, end: str = "\0", advice: str = "") -> list[str]:
        output = os.fsdecode(self._git(*arguments, advice=advice))
        return output.removesuffix(end).split(end) if output else []

    def _git(self, *arguments: str, advice: str = "check the repository") -> bytes:
        """Return the output of git; raise with its message if it fails."""
        command, environment = [*self._options, *arguments], {**os.environ, **ENVIRONMENT}
        try:
            done = subprocess.run(
                command, cwd=self._folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
        except FileNotFoundError:
            raise NaturalnessError("`changed` needs git, which is not installed; install it, or leave it out") from None
        if done.returncode:
            message = os.fsdecode(done.stderr).partition("\n")[0]
            raise NaturalnessError(f"git: {excerpt(message, 200)}; {advice}")
        return done.stdout


def _interval(start: int, number: int) -> Interval:
    return (start, start + number - 1) if number else (start + 0.5, start + 0.5)
