"""Flaws as workflow commands of GitHub Actions, which shows them beside the changed lines.

GitHub shows ten errors of a step; SARIF has no such limit.
"""

from __future__ import annotations

from naturalness.checking import telling
from naturalness.checking.check import Checked, Flaw
from naturalness.explaining import wording


def as_commands(checked: Checked) -> str:
    """An ``::error`` for each sentence; columns count characters."""
    return "".join(_command(flaw) for flaw in checked.flaws)


def _command(flaw: Flaw) -> str:
    place = flaw.sentence.region()
    told = {"file": flaw.sentence.source.name, "line": place.line, "endLine": place.end_line}
    if place.line == place.end_line:  # the runner drops columns of several lines
        told |= {"col": place.column, "endColumn": place.end_column}
    told["title"] = f"{telling.score(flaw)} {wording.title_of(flaw.explained)}"
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in told.items())
    message = "\n".join([flaw.sentence.text, *telling.reasons(flaw)])
    return f"::error {properties}::{_data(message)}\n"


def _data(text: str) -> str:
    """A message, escaped as the runner reads it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
