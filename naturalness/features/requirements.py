"""Requirements of feature groups: whether they are met, which versions a model records, and which need English."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Sequence
from functools import partial

from naturalness.errors import LARGE_MISSING, MissingPackage, installing
from naturalness.features.base import FeatureGroup, Requirement
from naturalness.files.resources import LARGE_ASSETS, has_package, load_manifest
from naturalness.text.parsing import PIPELINE


def asset(name: str) -> Requirement:
    """Require a model or a table that the package ships."""
    # The pipeline is not specific to English, because another pipeline can replace it.
    return Requirement(name, partial(_asset_problem, name), partial(_asset_checksum, name), name != PIPELINE)


def _asset_problem(name: str) -> str:
    if _asset_checksum(name):
        return ""
    return f"asset {name!r} is not here; {LARGE_MISSING if name in LARGE_ASSETS else 'reinstall naturalness'}"


def _asset_checksum(name: str) -> str:
    shipped = load_manifest().get(name)
    return shipped.checksum if shipped else ""


def package(name: str, extra: str = "") -> Requirement:
    """Require a Python package; ``extra`` is the extra of this package that installs it, if there is one."""
    problem, version = partial(_package_problem, name, extra), partial(package_version, name)
    return Requirement(name, problem, version, english=False, remembered=False)


def _package_problem(name: str, extra: str) -> str:
    if has_package(name):
        return ""
    return f"package {name!r} is not installed; run: {installing(extra) if extra else f'pip install {name}'}"


def package_version(name: str) -> str:
    """Return the version of a package; empty if it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def named_model(scheme: str, spec: str, checksum: Callable[[str], str], *, english: bool) -> Requirement:
    """Require a model that a user names, as in ``lm:FOLDER``; ``checksum`` raises an error if it is unusable."""
    return Requirement(f"{scheme}{spec}", partial(_model_problem, checksum, spec), partial(checksum, spec), english)


def _model_problem(checksum: Callable[[str], str], spec: str) -> str:
    checksum(spec)
    return ""


def _program(name: str, module: str) -> Requirement:
    """Require a program that is installed separately; its version includes the version of its data."""
    return Requirement(name, partial(_problem_of, module), partial(_version_of, module), steady=False)


# Imported on request, because most runs need no program.
def _problem_of(module: str) -> str:
    try:
        answer: str = importlib.import_module(module).available()
    except MissingPackage as error:
        return str(error)
    return answer


def _version_of(module: str) -> str:
    answer: str = importlib.import_module(module).version()
    return answer


LANGUAGETOOL = _program("languagetool", "naturalness.models.checkers.languagetool")
LINK_GRAMMAR = _program("link-grammar", "naturalness.models.parsers.link")
PROGRAMS = (LANGUAGETOOL, LINK_GRAMMAR)
"""The requirements that are separately installed programs."""


def knows_english_alone(group: FeatureGroup) -> bool:
    """Return whether a group requires anything that is specific to English."""
    return any(need.english for need in group.requires)


def requirements_of(groups: Sequence[FeatureGroup]) -> dict[str, Requirement]:
    """Return the requirements whose versions a saved model records, by name."""
    return {need.name: need for group in groups for need in group.requires if need.remembered}


def versions_of(groups: Sequence[FeatureGroup]) -> dict[str, str]:
    """Return the versions of requirements that a saved model records, by name, assets first."""
    needs, shipped, versions = requirements_of(groups), load_manifest(), {}
    for name in [*sorted(needs.keys() & shipped), *sorted(needs.keys() - shipped)]:
        if version := needs[name].version():
            versions[name] = version
    return versions
