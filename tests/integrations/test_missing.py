"""Integrations without their packages."""

from __future__ import annotations

import sys
from importlib import import_module

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
    """An integration without its package raises an error with the command that installs it."""
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
