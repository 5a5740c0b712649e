"""Integrations without their packages."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from naturalness.errors import MissingPackage

PACKAGES = {
    "curator": "nemo_curator",
    "datatrove": "datatrove",
    "deepeval": "deepeval",
    "evaluate": "evaluate",
    "lm_eval": "lm_eval",
    "mlflow": "mlflow",
}
"""The package of each integration that imports it at once."""


@pytest.mark.parametrize("name", PACKAGES)
def test_an_integration_without_its_package(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the command that installs it."""
    module = f"naturalness.integrations.{name}"
    monkeypatch.delitem(sys.modules, module, raising=False)
    for hidden in {PACKAGES[name], *(other for other in sys.modules if other.startswith(f"{PACKAGES[name]}."))}:
        monkeypatch.setitem(sys.modules, hidden, None)
    with pytest.raises(MissingPackage) as caught:
        import_module(module)
    extra = name.replace("_", "-")
    assert str(caught.value) == (
        f"{module} needs package {PACKAGES[name]!r}; run: pip install '.[{extra}]' (in a clone of the project; from an "
        f"index that has it: pip install 'naturalness[{extra}]')"
    )


@pytest.mark.parametrize("name", PACKAGES)
def test_an_integration_whose_package_is_incomplete(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what fails, such as a module that the package itself needs."""
    module, package = f"naturalness.integrations.{name}", PACKAGES[name]
    monkeypatch.delitem(sys.modules, module, raising=False)
    for known in [other for other in sys.modules if other.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, known)
    (tmp_path / f"{package}.py").write_text("import regex_that_is_absent\n", encoding="utf-8")
    (tmp_path / "datasets.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingPackage) as caught:
        import_module(module)
    assert str(caught.value) == (
        f"{module} needs package {package!r}, which fails to import (No module named 'regex_that_is_absent'); "
        "install what it lacks, or another version of it"
    )
