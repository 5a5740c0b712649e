"""Flaws as SARIF 2.1.0 (OASIS 2020), for code hosts and editors. Columns are UTF-16 code units."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from naturalness import __version__
from naturalness.checking.checker import CheckedFiles
from naturalness.checking.fixes import fixes
from naturalness.checking.flaws import Flaw, named_score, reasons
from naturalness.checking.plain import Region
from naturalness.explaining import wording
from naturalness.explaining.codes import about

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def as_sarif(checked: CheckedFiles) -> dict[str, Any]:
    """Return a SARIF log with one run and a result for each flaw."""
    seen: Counter[tuple[str, str]] = Counter()
    results = []
    names = list(dict.fromkeys(flaw.code for flaw in checked.flaws))
    for flaw in checked.flaws:
        key = flaw.sentence.source.name, flaw.sentence.text
        seen[key] += 1
        results.append(_result(flaw, names.index(flaw.code), seen[key]))
    driver = {"name": "naturalness", "version": __version__, "rules": [_rule(name) for name in names]}
    run = {"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(name: str) -> dict[str, Any]:
    """Return the SARIF rule that describes a code."""
    code = about(name)
    help_text = f"{code.fix} Before: {code.before} After: {code.after}" if code.before else code.fix
    return {
        "id": name,
        "name": name.title().replace("-", ""),
        "shortDescription": {"text": code.finds},
        "fullDescription": {"text": f"{code.finds} {code.fix}"},
        "help": {"text": f"{help_text} (The command naturalness check --code {name} says it too.)"},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(flaw: Flaw, rule_index: int, repetition: int) -> dict[str, Any]:
    text = flaw.explained.text
    fingerprint = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    opening = f"{wording.title_of(flaw.explained)}: {named_score(flaw)}"
    result: dict[str, Any] = {
        "ruleId": flaw.code,
        "ruleIndex": rule_index,
        "message": {"text": " ".join(map(_sentence, [opening, *reasons(flaw)]))},
        "locations": [
            {"physicalLocation": {"artifactLocation": _artifact(flaw), "region": _region(flaw.sentence.region())}}
        ],
        "partialFingerprints": {"sentence/v1": f"{fingerprint}:{repetition}"},
    }
    changes = [
        {
            "description": {"text": _sentence(fix.description)},
            "artifactChanges": [
                {
                    "artifactLocation": _artifact(flaw),
                    "replacements": [{"deletedRegion": _region(fix.region), "insertedContent": {"text": fix.new}}],
                }
            ],
        }
        for fix in fixes(flaw)
    ]
    return result | ({"fixes": changes} if changes else {})


def _region(region: Region) -> dict[str, Any]:
    return {
        "startLine": region.line,
        "startColumn": region.unit,
        "endLine": region.end_line,
        "endColumn": region.end_unit,
    }


def _artifact(flaw: Flaw) -> dict[str, str]:
    """Return the location of a flaw's file.

    A relative path is relative to the working directory, which code hosts take for the root of the repository.
    """
    name = flaw.sentence.source.name
    path = PurePath(name)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(os.fsencode(path.as_posix())), "uriBaseId": "%SRCROOT%"}


def _sentence(text: str) -> str:
    """Return a message with an initial capital, a full stop and escaped braces, as SARIF requires."""
    sentence = " ".join(text.split()).replace("{", "{{").replace("}", "}}")
    return f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}."
