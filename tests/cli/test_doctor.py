"""`naturalness doctor`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from naturalness import __version__
from naturalness.cli.doctor import EXTRAS, SECTIONS
from tests.support.commands import Cli


def test_a_complete_installation(cli: Cli) -> None:
    """The output has all sections, and ends by stating that nothing is missing."""
    out = cli(0, "doctor").out
    assert out.startswith(f"naturalness {__version__}, Python 3.")
    assert re.search(r"fast {21}(unchanged since its training|scores, though trained with rules \w+ .*)\n", out)
    assert [line for line in out.splitlines()[1:-1] if line and line[0] != " "] == list(SECTIONS)
    assert out.endswith("everything needed is installed\n")


def test_every_extra_is_reported() -> None:
    """The table has every extra of pyproject.toml that installs a package."""
    with (Path(__file__).parents[2] / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    assert {extra for _, extra, _ in EXTRAS} == {name for name, packages in extras.items() if packages}
