"""Settings of `check` in a file: the section ``[check]`` of naturalness.toml.

Settings in a repository are read without being requested, and their author need not be the user. They therefore cannot
run anything, or name a model outside their folder; a model's folder contains only arrays, weights and tables
(`judging.folder`). A file that the user names with ``--config`` may point elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.errors import NaturalnessError, TableError, UnknownName, excerpt, suggestion
from naturalness.explaining.codes import check_code
from naturalness.files.folder import regular_bytes
from naturalness.files.toml import MAX_BYTES, read_toml
from naturalness.judging.fields import FALSE_ALARMS
from naturalness.judging.model import DEFAULT_MODEL, SHIPPED

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel

FILE, SECTION = "naturalness.toml", "check"
OLD_SECTION = b"[tool.naturalness.check]"
"""The heading under which versions up to 0.3 read settings from pyproject.toml."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """The settings in a file; None for settings that are not in the file."""

    path: Path | None = None
    """The settings file."""
    model: str | None = None
    register: str | None = None
    false_alarms: float | None = None
    min_score: float | None = None
    off: tuple[str, ...] | None = None
    words: tuple[str, ...] | None = None
    rules: bool | None = None
    excluded: tuple[tuple[Path, str], ...] = ()
    """Patterns of files to leave out, each preceded by the folder that it is relative to."""
    voice: bool | None = None

    def min_score_of(self, model: NaturalnessModel) -> float:
        """Return the minimum score, by default that of `FALSE_ALARMS`; raise if the model has no such register."""
        model.check_register(self.register)
        if self.min_score is not None:
            return self.min_score
        if self.false_alarms is None and model.people is None:
            return model.threshold
        return model.known_people.threshold(self.false_alarms or FALSE_ALARMS, self.register or None)


def find_settings(folder: Path) -> CheckSettings:
    """Return the settings from a folder or, if there are none, from the nearest parent folder that has some."""
    for each in (folder.absolute(), *folder.absolute().parents):
        if (path := each / FILE).is_file():
            return read_settings(path, named=False)
        if _has_old_section(path := each / "pyproject.toml"):
            raise TableError(f"{path}: {OLD_SECTION.decode()} is no longer read; move it to [{SECTION}] of {FILE}")
    return CheckSettings()


def _has_old_section(path: Path) -> bool:
    """Return whether a file, which need not be readable or TOML, names the section that is no longer read."""
    try:
        return OLD_SECTION in regular_bytes(path, MAX_BYTES)
    except (NaturalnessError, OSError):
        return False


def read_settings(path: Path, *, named: bool = True) -> CheckSettings:
    """Read the settings of a file; raise for unknown settings and for values of the wrong type.

    ``named`` says whether the user named the file; it affects the messages and which paths are allowed.
    """
    if not path.is_file():
        raise TableError(f"no file {str(path)!r}; check the path of the settings")
    table = read_toml(path, "check with --config none")
    if other := next((name for name in table if name != SECTION), ""):
        raise TableError(f"{path}: unknown section [{other}]; {suggestion(other, [SECTION])}")
    section = table.get(SECTION)
    if not isinstance(section, dict):
        raise TableError(
            f"{path} has no section [{SECTION}]; add it, or {'leave out --config' if named else 'rename the file'}"
        )
    values: dict[str, Any] = {}
    for key, value in section.items():
        if key not in SETTINGS:
            raise TableError(f"{path}: unknown setting {excerpt(key)}; {suggestion(key, SETTINGS)}")
        if not EXPECTED[SETTINGS[key]](value):
            raise TableError(f"{path}: {key} = {excerpt(value)}; expected {SETTINGS[key]}")
        values[key.replace("-", "_")] = tuple(value) if isinstance(value, list) else value
    try:
        for code in values.get("off", ()):
            check_code(code)
    except UnknownName as error:
        raise TableError(f"{path}: off: {error}") from None
    if values.get("register") == "none":
        values["register"] = ""
    if {"min_score", "false_alarms"} <= set(values):
        raise TableError(f"{path} sets both min-score and false-alarms; expected one of them")
    if values.get("model", DEFAULT_MODEL) not in SHIPPED:  # a path
        values["model"] = _beside(path, values["model"], anywhere=named)
    values["excluded"] = tuple((path.parent, pattern) for pattern in values.pop("exclude", ()))
    return CheckSettings(path, **values)


def _beside(path: Path, value: str, *, anywhere: bool) -> str:
    """Return a path relative to the settings file; unless ``anywhere``, raise if it leads outside the folder."""
    target = path.parent / value
    try:
        inside = target.resolve().is_relative_to(path.parent.resolve())
    except (OSError, ValueError, RuntimeError) as error:  # a NUL character, or a cycle of links
        raise TableError(f"{path}: model = {excerpt(value)} is not a path ({error})") from None
    if not anywhere and not inside:
        raise TableError(
            f"{path}: model = {excerpt(value)} lies outside the folder of the settings; to use it anyway, name "
            "it with --model, or the settings with --config"
        )
    return str(target)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


EXPECTED: Mapping[str, Callable[[Any], bool]] = {
    "a text": _is_text,
    "a list of texts": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "a number between 0 and 1": lambda value: isinstance(value, float) and 0 < value < 1,
    "true or false": lambda value: isinstance(value, bool),
}
"""Tests of values, keyed by what is expected."""
SETTINGS: Mapping[str, str] = {
    **dict.fromkeys(("model", "register"), "a text"),
    **dict.fromkeys(("false-alarms", "min-score"), "a number between 0 and 1"),
    **dict.fromkeys(("off", "words", "exclude"), "a list of texts"),
    **dict.fromkeys(("rules", "voice"), "true or false"),
}
"""What is expected of each setting, a key of `EXPECTED`."""
