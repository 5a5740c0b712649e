"""Check files of running text: judge their sentences, and repair them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from naturalness.checking.changes import Changes
from naturalness.checking.checker import CheckedFiles, FileChecker, summary
from naturalness.checking.fixes import SURE_TO_FIX, Fix, apply_fixes, difference, sure_fixes, write_fixed
from naturalness.checking.flaws import Flaw
from naturalness.checking.settings import CheckSettings, find_settings, read_settings
from naturalness.checking.sources import STANDARD_INPUT, Source, files_in, make_source, read_source
from naturalness.checking.verdicts import CheckJob
from naturalness.data.formats import STANDARD
from naturalness.english.registers import AUTO
from naturalness.errors import NaturalnessError, NaturalnessWarning, TableError, UnknownName
from naturalness.explaining.codes import check_code
from naturalness.judging.fields import FALSE_ALARMS
from naturalness.judging.model import DEFAULT_MODEL
from naturalness.labelling.pool import WorkerPool
from naturalness.pipelines import scorer
from naturalness.progress import Progress, silent

NO_SETTINGS = "none"
OPTIONS = ("model", "register", "false_alarms", "min_score", "off", "words", "rules", "voice")
"""The settings that take precedence over those of a file."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check of files found and changed."""

    checked: CheckedFiles
    settings: CheckSettings
    """The settings that applied."""
    n_excluded: int
    """Number of files that the settings leave out."""
    unread: tuple[str, ...]
    """Files of a folder that cannot be read."""
    fixes: tuple[Fix, ...] = ()
    """Changes that were made to files."""
    difference: str = ""
    """The changes that would be made, as a unified diff, if they were asked for."""

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """The flaws, in the order of the files."""
        return self.checked.flaws

    @property
    def summary(self) -> str:
        """The counts in one line."""
        excluded = f"; {self.n_excluded:,} excluded" if self.n_excluded else ""
        return f"{summary(self.checked, self._promise())}{excluded}"

    def _promise(self) -> str:
        """Return how rarely human-written sentences score below the minimum, unless the minimum was set as a score."""
        share, register = self.settings.false_alarms, self.settings.register
        if share is None:
            return ""
        where = "the same register" if register == AUTO else f"register {register}" if register else "any register"
        return f" (at most {100 * share:.3g} % of human-written sentences are, in {where})"


def check(
    paths: str | Path | Sequence[str | Path],
    *,
    config: str | Path | None = None,
    changed: str | None = None,
    edits: int = 0,
    fix: bool = False,
    diff: bool = False,
    sure: float = SURE_TO_FIX,
    jobs: int = 1,
    standard_name: str = STANDARD_INPUT,
    progress: Progress = silent,
    **options: Any,
) -> CheckResult:
    """Check the sentences of files and of folders; with ``fix``, also repair them.

    Parameters
    ----------
    paths : files, folders, or ``"-"`` for standard input.
    config : a file of settings, or ``"none"``; by default the nearest in this folder or above it.
    changed : a git revision; only sentences with lines that differ from it are judged.
    edits : the number of edits to propose for each failing sentence.
    fix : whether to make the changes that an editor would accept with a probability of at least ``sure``.
    diff : whether to return these changes as a unified diff instead.
    sure : the smallest probability of changes.
    jobs : the number of processes.
    standard_name : the name of standard input; its suffix selects the markup, and the settings may exclude it.
    progress : a function that is called with a stage, the number of files done and their total.
    **options : settings that take precedence over those of the file: model, register, false_alarms, min_score, off,
        words, rules and voice.
    """
    names = [str(path) for path in ([paths] if isinstance(paths, str | Path) else paths)]
    settings = _settings(config, options)
    _check_request(names, changed=changed, fix=fix)
    files, n_excluded = files_in(names, settings.excluded, standard_name=standard_name)
    unread = _unreadable(files, names)
    files = [path for path in files if path not in unread]
    model = (scorer.load_model if jobs == 1 else scorer.open_model)(settings.model or DEFAULT_MODEL)
    if settings.min_score is None and settings.false_alarms is None and model.people is not None:
        settings = replace(settings, false_alarms=FALSE_ALARMS)

    fixes: list[Fix] = []
    would_be = ""
    with _checker(model, settings, changed, edits, sure if fix or diff else None, jobs, progress) as checker:

        def check_all(sources: Iterable[Source]) -> CheckedFiles:
            return checker.check(sources, len(files))

        checked = check_all(read_source(path, standard_name=standard_name) for path in files)
        for name in sorted({s.source.name for s, _ in checked.fixable if not s.source.is_fixable}):
            fixed = "only Markdown, .txt and files with neither extension nor #! are fixed"
            said = f"not fixed: {name} may be source code; {fixed}"
            warnings.warn(said, NaturalnessWarning, stacklevel=2)
        if diff:
            would_be = "".join(difference(source, text) for source, text, _ in _fixed_files(checker, checked))
        elif fix and (mended := dict(_write(_fixed_files(checker, checked), fixes))):
            checked = check_all(mended.get(path) or read_source(path) for path in files)
    return CheckResult(checked, settings, n_excluded, tuple(unread), tuple(fixes), would_be)


def _settings(config: str | Path | None, options: Mapping[str, Any]) -> CheckSettings:
    """Return the settings of a file, in which options that are not None replace those of the same name."""
    if config is None:
        settings = find_settings(Path())
    else:
        settings = CheckSettings() if str(config) == NO_SETTINGS else read_settings(Path(config))
    named = {name: value for name, value in options.items() if value is not None}
    if unknown := named.keys() - set(OPTIONS):
        raise UnknownName("setting", min(unknown), OPTIONS)
    if {"min_score", "false_alarms"} & named.keys():
        settings = replace(settings, min_score=None, false_alarms=None)
    if "register" in named:
        settings = replace(settings, path=None)
    for code in named.get("off", ()):
        check_code(code)
    return replace(settings, **named)


def _check_request(names: Sequence[str], *, changed: str | None, fix: bool) -> None:
    """Raise for inputs and options that do not go together."""
    if not names:
        raise TableError("no files; name files or folders to check, such as README.md, or - for standard input")
    if STANDARD in names and changed:
        raise TableError("`changed` cannot tell which lines of standard input have changed; name files")
    if STANDARD in names and fix:
        raise TableError("`fix` cannot write standard input; name files, or use `diff`")


def _unreadable(files: Sequence[str], named: Sequence[str]) -> list[str]:
    """Return the unreadable files found in folders, with a warning for each; raise an error if a named file is."""
    unread = []
    for path in filter(STANDARD.__ne__, files):
        try:
            read_source(path)  # before anything is judged
        except TableError as error:
            if path in named:
                raise
            warnings.warn(f"not checked: {error}", NaturalnessWarning, stacklevel=3)
            unread.append(path)
    return unread


@contextmanager
def _checker(
    model: scorer.NaturalnessModel,
    settings: CheckSettings,
    changed: str | None,
    edits: int,
    sure: float | None,
    jobs: int,
    progress: Progress,
) -> Iterator[FileChecker]:
    """Yield the checker, with worker processes if there are to be several."""
    try:
        minimum = settings.min_score_of(model)
    except UnknownName as error:
        raise TableError(f"{settings.path or '`register`'}: {error}") from None
    judged: dict[str, Any] = {"min_score": minimum, "edits": edits, "register": settings.register, "sure": sure}
    named = {name: value for name in ("off", "words", "voice") if (value := getattr(settings, name))}
    if changed:
        named["selected"] = Changes(changed).touch
    checker = FileChecker(model, rules=settings.rules, progress=progress, **judged, **named)
    if jobs == 1:
        yield checker
        return
    job = CheckJob(settings.model or DEFAULT_MODEL, {**judged, "rules": checker.judge.rules})
    with WorkerPool(job, jobs) as pool:
        yield replace(checker, pool=pool)


def _fixed_files(checker: FileChecker, checked: CheckedFiles) -> Iterator[tuple[Source, str, list[Fix]]]:
    """Yield each file that can be fixed, with its fixed text and the fixes."""
    possible = sure_fixes(checked, checker.off, checker.words)
    for _, group in groupby(possible, key=lambda fix: id(fix.source)):
        changes = list(group)
        yield changes[0].source, apply_fixes(changes[0].source, changes), changes


def _write(files: Iterable[tuple[Source, str, list[Fix]]], done: list[Fix]) -> Iterator[tuple[str, Source]]:
    """Write fixed files; yield each with its name, and add its fixes to ``done``.

    If a file cannot be written, warn and go on with the others.
    """
    for source, text, changes in files:
        try:
            write_fixed(source, text)
        except (NaturalnessError, OSError) as error:
            warnings.warn(f"not fixed: {error}", NaturalnessWarning, stacklevel=3)
            continue
        done += changes
        yield source.name, make_source(source.name, text)
