"""Requirements of feature groups: whether they are met, their versions, and whether they are specific to English."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Sequence
from functools import partial

from naturalness.errors import MissingPackage, installing
from naturalness.features.base import FeatureGroup, Requirement
from naturalness.files.resources import has_package, load_manifest
from naturalness.text.parsing import PIPELINE


def asset(name: str) -> Requirement:
    """Return a requirement for a model or table that this package ships."""
    # The pipeline is not specific to English, because another pipeline can replace it.
    return Requirement(name, partial(_asset_problem, name), partial(_asset_checksum, name), name != PIPELINE)


def _asset_problem(name: str) -> str:
    return "" if _asset_checksum(name) else f"asset {name!r} is not here; reinstall naturalness"


def _asset_checksum(name: str) -> str:
    shipped = load_manifest().get(name)
    return shipped.checksum if shipped else ""


def package(name: str, extra: str = "") -> Requirement:
    """Return a requirement for a Python package.

    ``extra`` is the extra of `naturalness` that installs it; empty if there is none.
    """
    problem, version = partial(_package_problem, name, extra), partial(package_version, name)
    return Requirement(name, problem, version, english=False, remembered=False)


def _package_problem(name: str, extra: str) -> str:
    if has_package(name):
        return ""
    return f"package {name!r} is not installed; run: {installing(extra) if extra else f'pip install {name}'}"


def package_version(name: str) -> str:
    """Return the version of a package; an empty string if the package is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def named_model(scheme: str, spec: str, checksum: Callable[[str], str], *, english: bool) -> Requirement:
    """Return a requirement for a model that the user names, as in ``lm:FOLDER``.

    ``checksum`` returns the model's checksum, and raises an error if the model is unusable.
    """
    return Requirement(f"{scheme}{spec}", partial(_model_problem, checksum, spec), partial(checksum, spec), english)


def _model_problem(checksum: Callable[[str], str], spec: str) -> str:
    checksum(spec)
    return ""


def _program(name: str, module: str) -> Requirement:
    """Return a requirement for a separately installed program; its version includes the version of its data."""
    return Requirement(name, partial(_problem_of, module), partial(_version_of, module))


# The module is imported only on request, because most runs need no external program.
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
PROGRAMS = (LANGUAGETOOL,)
"""The requirements of separately installed programs."""


def knows_english_alone(group: FeatureGroup) -> bool:
    """Return whether a group has a requirement that is specific to English."""
    return any(need.english for need in group.requires)


def requirements_of(groups: Sequence[FeatureGroup]) -> dict[str, Requirement]:
    """Return the requirements whose versions a saved model records, keyed by name."""
    return {need.name: need for group in groups for need in group.requires if need.remembered}


def versions_of(groups: Sequence[FeatureGroup]) -> dict[str, str]:
    """Return the requirement versions that a saved model records, keyed by name; assets come first."""
    needs, shipped, versions = requirements_of(groups), load_manifest(), {}
    for name in [*sorted(needs.keys() & shipped), *sorted(needs.keys() - shipped)]:
        if version := needs[name].version():
            versions[name] = version
    return versions
