"""Flaws as plain rows for JSON: places in the file, then all of the explanation."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from naturalness.checking.check import Checked, Flaw
from naturalness.checking.places import Region
from naturalness.explaining.plain import as_row


def as_object(checked: Checked) -> dict[str, Any]:
    """Counts, and a row for each sentence below the score."""
    return {
        "model": checked.model,
        "min_score": checked.least,
        "files": checked.n_files,
        "sentences": checked.n_sentences,
        "below": len(checked.flaws),
        "without_score": len(checked.unscored),
        "with_reservation": len(checked.noted),
        "results": [_row(flaw) for flaw in checked.flaws],
    }


def _row(flaw: Flaw) -> dict[str, Any]:
    """Offsets of the explanation count in its text; ``place`` is in the file."""
    row = as_row(flaw.explained)
    for name in ("findings", "edits"):
        row[name] = [{**item, "place": _place(flaw.sentence.region(item["start"], item["end"]))} for item in row[name]]
    return {"file": flaw.sentence.source.name, "place": _place(flaw.sentence.region()), **row}


def _place(region: Region) -> dict[str, int]:
    told = asdict(region)
    return {name: told[name] for name in told if not name.endswith("unit")}
