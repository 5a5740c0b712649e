"""Flaws in machine-readable formats: SARIF 2.1.0 (OASIS 2020), GitHub Actions commands, and JSON rows."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import asdict
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from naturalness import __version__
from naturalness.checking.checker import CheckedFiles
from naturalness.checking.fixes import fixes
from naturalness.checking.flaws import Flaw, named_score, reasons, title
from naturalness.checking.plain import Region
from naturalness.errors import printable
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
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
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
        "help": {"text": f"{help_text} (Also printed by: naturalness check --code {name}.)"},
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
        "startColumn": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
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
    """Return a message with an initial capital, a mark at its end and escaped braces, as SARIF requires."""
    sentence = " ".join(text.split()).replace("{", "{{").replace("}", "}}")
    ended = sentence if sentence.endswith(("?", "!", "…")) else f"{sentence.rstrip('.')}."
    return f"{ended[:1].upper()}{ended[1:]}"


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
        row[name] = [{**span, "place": asdict(flaw.sentence.region(span["start"], span["end"]))} for span in row[name]]
    return {"file": flaw.sentence.source.name, "place": asdict(flaw.sentence.region()), "codes": flaw.codes, **row}
