"""`doctor` on whole output."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from naturalness import __version__
from naturalness.cli.doctor import CORE, EXTRAS
from tests.support.commands import Cli


def test_the_doctor_finds_all_that_is_needed(cli: Cli) -> None:
    """Packages, assets, models, the pipeline, programs, extras; exit 0 where the core is here."""
    out = cli(0, "doctor").out
    assert out.startswith(f"naturalness {__version__}, Python 3.")
    assert re.search(r"fast {21}(unchanged since its training|scores, though trained with rules \w+ .*)\n", out)
    for heading in ("packages", "assets", "models", "pipeline", "programs", "extras"):
        assert f"\n{heading}" in out
    assert out.endswith("everything needed is installed\n")


def test_the_doctor_knows_every_package_and_extra() -> None:
    """Those of pyproject.toml, but for the extra that installs nothing."""
    with (Path(__file__).parents[2] / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    needed = {re.split(r"[<>=;\[]", one)[0] for one in project["dependencies"]} - {"xgboost"}
    assert {distribution for _, distribution, _ in CORE} == needed
    extras = {name for name, packages in project["optional-dependencies"].items() if packages}
    assert {extra for _, extra, _ in EXTRAS} == extras
