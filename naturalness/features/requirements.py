"""What groups of features cannot do without: what is missing, what a model remembers, what is English."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from naturalness.errors import LARGE_MISSING, MissingPackage, NaturalnessError, installing
from naturalness.files.resources import LARGE_ASSETS, has_package, load_manifest
from naturalness.text.parsing import ENGLISH, PIPELINE, is_english

if TYPE_CHECKING:
    from naturalness.features.base import FeatureGroup


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that a group of features cannot do without; `asset`, `package` and others make them."""

    name: str
    """As the manifest of a saved model has it; of a model that a user names with its scheme, ``lm:PATH``."""
    problem: Callable[[], str] = field(compare=False)
    """Return why it cannot be used and what to do; empty where it can."""
    version: Callable[[], str] = field(compare=False)
    """Return its checksum or version; empty where it is not here."""
    english: bool = True
    """Whether it was made of English text, so that its group knows English alone."""
    remembered: bool = True
    """Whether a saved model remembers its version."""
    changes: Callable[[str], str] | None = field(default=None, compare=False)
    """Return what has changed since a version, in words: a saved model that learned from that version warns and
    scores. Without it, a model refuses any version but that of its training."""
    steady: bool = True
    """Whether it says the same of a text every time: a program may be busy or dead."""


def asset(name: str) -> Requirement:
    """Require a model or a table that the package ships."""
    # In place of the shipped pipeline another can parse.
    return Requirement(name, partial(_asset_problem, name), partial(_asset_checksum, name), name != PIPELINE)


def _asset_problem(name: str) -> str:
    if _asset_checksum(name):
        return ""
    return f"asset {name!r} is not here; {LARGE_MISSING if name in LARGE_ASSETS else 'reinstall naturalness'}"


def _asset_checksum(name: str) -> str:
    shipped = load_manifest().get(name)
    return shipped.checksum if shipped else ""


def package(name: str, extra: str = "") -> Requirement:
    """Require a Python package; ``extra`` is the extra of ours that installs it, if there is one."""
    problem, version = partial(_package_problem, name, extra), partial(package_version, name)
    return Requirement(name, problem, version, english=False, remembered=False)


def _package_problem(name: str, extra: str) -> str:
    if has_package(name):
        return ""
    return f"package {name!r} is not installed; run: {installing(extra) if extra else f'pip install {name}'}"


def package_version(name: str) -> str:
    """Return the version of an installed package; empty where it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def rules(name: str, version: str, changes: Callable[[str], str]) -> Requirement:
    """Require rules that are code of the package: always here, and a model may have learned from older ones."""
    return Requirement(name, str, lambda: version, changes=changes)


def named_model(scheme: str, spec: str, checksum: Callable[[str], str], *, english: bool) -> Requirement:
    """Require a model that a user names, ``lm:FOLDER``; its own error says what is missing or damaged."""
    return Requirement(f"{scheme}{spec}", partial(_model_problem, checksum, spec), partial(checksum, spec), english)


def _model_problem(checksum: Callable[[str], str], spec: str) -> str:
    checksum(spec)
    return ""


# LanguageTool and Link Grammar are asked for English. Imported when used: most runs need neither.
def _languagetool_problem() -> str:
    try:
        from naturalness.models.checkers import languagetool
    except MissingPackage as error:
        return str(error)
    return languagetool.available()


def _languagetool_version() -> str:
    from naturalness.models.checkers import languagetool

    return languagetool.version()


def _link_problem() -> str:
    from naturalness.models.parsers.link.parser import available

    return available()


def _link_version() -> str:
    from naturalness.models.parsers.link.parser import version

    return version()


LANGUAGETOOL = Requirement("languagetool", _languagetool_problem, _languagetool_version, steady=False)
LINK_GRAMMAR = Requirement("link-grammar", _link_problem, _link_version, steady=False)
PROGRAMS = (LANGUAGETOOL, LINK_GRAMMAR)
"""What is installed apart; versions are those of the program and of its data."""


def knows_english_alone(group: FeatureGroup) -> bool:
    """Return whether a group reads anything that was made of English text."""
    return any(need.english for need in group.requires)


def check_requirements(
    groups: Sequence[FeatureGroup], *, language: str = ENGLISH, known: Mapping[str, FeatureGroup]
) -> None:
    """Raise one error that names everything the groups need and that is not here.

    ``language`` is that of the pipeline. The numbers of most groups would be defined and mean nothing for
    another than English (to English n-grams every French word is unknown), so these groups are refused;
    the message lists those of the ``known`` ones that fit.
    """
    if not is_english(language) and (english := [group.name for group in groups if knows_english_alone(group)]):
        fit = [name for name, group in known.items() if not knows_english_alone(group)]
        raise NaturalnessError(
            f"the pipeline reads {language!r}, and the groups {', '.join(english)} know English alone; name those "
            f"that fit (--features {','.join(fit)}), and language models of your own as lm:FOLDER"
        )
    problems = [(group.name, need.problem()) for group in groups for need in group.requires]
    if missing := [f"group {name!r}: {problem}" for name, problem in problems if problem]:
        raise NaturalnessError("; ".join(missing))


def requirements_of(groups: Sequence[FeatureGroup]) -> dict[str, Requirement]:
    """Return what groups require and a saved model remembers, by name."""
    return {need.name: need for group in groups for need in group.requires if need.remembered}


def versions_of(groups: Sequence[FeatureGroup]) -> dict[str, str]:
    """Return the versions that a saved model remembers of what groups require: assets first, by name."""
    needs = requirements_of(groups)
    shipped = load_manifest()
    versions = {name: needs[name].version() for name in sorted(needs, key=lambda name: (name not in shipped, name))}
    return {name: version for name, version in versions.items() if version}
