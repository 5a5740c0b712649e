"""Flaws in machine-readable formats: GitHub Actions commands, and JSON rows."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from naturalness.checking.checker import CheckedFiles
from naturalness.checking.flaws import Flaw, reasons, title
from naturalness.checking.plain import Region
from naturalness.errors import printable


def as_commands(checked: CheckedFiles) -> str:
    """Return an ``::error`` workflow command for each flaw, which GitHub shows beside the changed lines.

    Columns count characters. GitHub shows only ten errors per step; SARIF has no such limit.
    """
    return "".join(map(_command, checked.flaws))


def _command(flaw: Flaw) -> str:
    region = flaw.sentence.region()
    fields = {"file": flaw.sentence.source.name, "line": region.line, "endLine": region.end_line}
    if region.line == region.end_line:  # the runner ignores columns if there are several lines
        fields |= {"col": region.column, "endColumn": region.end_column}
    fields["title"] = title(flaw)
    escaped = {name: _escaped(str(value)).replace(":", "%3A").replace(",", "%2C") for name, value in fields.items()}
    properties = ",".join(f"{name}={value}" for name, value in escaped.items())
    message = _escaped("\n".join([flaw.sentence.text, *reasons(flaw)]))
    return f"::error {properties}::{message}\n"


def _escaped(text: str) -> str:
    """Escape a message as the GitHub Actions runner requires."""
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def as_object(checked: CheckedFiles) -> dict[str, Any]:
    """Return an object for JSON: the counts, and a row for each flaw with its places and explanation."""
    return {
        "model": checked.model,
        "min_score": checked.min_score,
        **checked.counts,
        "results": [_flaw_row(flaw) for flaw in checked.flaws],
    }


def _flaw_row(flaw: Flaw) -> dict[str, Any]:
    """Return a flaw as a row. Offsets refer to the text of the sentence, and ``place`` refers to the file."""
    row = asdict(flaw.explained)
    for name in ("findings", "edits"):
        row[name] = [
            {**span, "place": _position(flaw.sentence.region(span["start"], span["end"]))} for span in row[name]
        ]
    return {"file": flaw.sentence.source.name, "place": _position(flaw.sentence.region()), "codes": flaw.codes, **row}


def _position(region: Region) -> dict[str, int]:
    return {name: value for name, value in asdict(region).items() if not name.endswith("unit")}
