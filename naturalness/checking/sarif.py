"""Flaws as SARIF 2.1.0 (OASIS 2020), for code hosts and editors; columns are UTF-16 units."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from naturalness import __version__
from naturalness.checking import telling
from naturalness.checking.check import Checked, Flaw
from naturalness.checking.fixes import fixes
from naturalness.checking.places import Region
from naturalness.checking.rules import HELP, UNNATURAL, titles
from naturalness.explaining import wording

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
SEVERE = 0.5
"""Below this part of the score that was asked for, a sentence is an error, above it a warning."""


def as_sarif(checked: Checked) -> dict[str, Any]:
    """One run with a result for each sentence; NaN is left in for who writes the JSON."""
    seen: Counter[tuple[str, str]] = Counter()
    results = []
    for flaw in checked.flaws:
        key = flaw.sentence.source.name, flaw.sentence.text
        seen[key] += 1
        results.append(_result(flaw, checked.least, seen[key]))
    driver = {"name": "naturalness", "version": __version__, "rules": _rules()}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [{"executionSuccessful": True, "exitCode": int(bool(results))}],
                "columnKind": "utf16CodeUnits",
                "results": results,
                "properties": {
                    "model": checked.model,
                    "minScore": checked.least,
                    "sentences": checked.n_sentences,
                    "withoutScore": len(checked.unscored),
                    "withReservation": len(checked.noted),
                },
            }
        ],
    }


def _rules() -> list[dict[str, Any]]:
    return [
        {
            "id": name,
            "name": name.title().replace("_", ""),
            "shortDescription": {"text": _sentence(title)},
            "fullDescription": {"text": HELP[name]},
            "help": {"text": HELP[name]},
            "defaultConfiguration": {"level": "warning"},
        }
        for name, title in titles().items()
    ]


def _result(flaw: Flaw, least: float, time: int) -> dict[str, Any]:
    explained = flaw.explained
    rule = explained.cause or UNNATURAL
    said = [_sentence(one) for one in telling.reasons(flaw)]
    about = f"{wording.title_of(explained)}: naturalness {telling.score(flaw)}"
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": [*titles()].index(rule),
        "level": "error" if explained.naturalness < SEVERE * least else "warning",
        "message": {"text": " ".join([_sentence(about), *said])},
        "locations": [{"physicalLocation": _physical(flaw, flaw.sentence.region(), text=True)}],
        "partialFingerprints": {"sentence/v1": _fingerprint(explained.text, time)},
        "properties": {
            "naturalness": explained.naturalness,
            "low": explained.low,
            "high": explained.high,
            "why": wording.why(explained, lowering=True),
        },
    }
    related = [
        {
            "id": number,
            "message": {"text": _sentence(wording.in_a_line(one, explained.text))},
            "physicalLocation": _physical(flaw, flaw.sentence.region(one.start, one.end)),
        }
        for number, one in enumerate(explained.findings)
    ]
    changes = [
        {
            "description": {"text": _sentence(fix.told)},
            "artifactChanges": [
                {
                    "artifactLocation": _artifact(flaw),
                    "replacements": [{"deletedRegion": _region(fix.region), "insertedContent": {"text": fix.new}}],
                }
            ],
        }
        for fix in fixes(flaw)
    ]
    # Empty lists say nothing that their absence would not.
    parts = {"relatedLocations": related, "fixes": changes}
    return result | {name: part for name, part in parts.items() if part}


def _physical(flaw: Flaw, region: Region, *, text: bool = False) -> dict[str, Any]:
    told = _region(region)
    if text:
        told["snippet"] = {"text": flaw.sentence.source.text[region.start : region.end]}
    return {"artifactLocation": _artifact(flaw), "region": told}


def _region(region: Region) -> dict[str, Any]:
    return {
        "startLine": region.line,
        "startColumn": region.unit,
        "endLine": region.end_line,
        "endColumn": region.end_unit,
    }


def _artifact(flaw: Flaw) -> dict[str, str]:
    """A path from the folder of the command, which a code host takes for that of the repository."""
    name = flaw.sentence.source.name
    path = PurePath(name)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": "%SRCROOT%"}


def _fingerprint(text: str, time: int) -> str:
    """Of a sentence in its file, wherever it moves; of equal ones each has its own."""
    return f"{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}:{time}"


def _sentence(text: str) -> str:
    """A capital and a full stop, as SARIF asks of messages; braces stand for themselves."""
    told = " ".join(text.split()).replace("{", "{{").replace("}", "}}")
    return f"{told[:1].upper()}{told[1:].rstrip('.')}."
