"""Flaws as SARIF 2.1.0 (OASIS 2020), for code hosts and editors; columns are UTF-16 units."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from naturalness import __version__
from naturalness.checking.check import Checked, Flaw, reasons, score_text
from naturalness.checking.sources import Region, Sentence
from naturalness.explaining import wording
from naturalness.explaining.causes import TITLES
from naturalness.explaining.explanation import Edit, Finding
from naturalness.explaining.wording import WHOLE

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ERROR_SHARE = 0.5
"""A sentence is an error below this share of the minimum score, and a warning above."""


def as_sarif(checked: Checked) -> dict[str, Any]:
    """Return one run with a result for each flaw; whoever writes the JSON replaces NaN."""
    seen: Counter[tuple[str, str]] = Counter()
    results = []
    for flaw in checked.flaws:
        key = flaw.sentence.source.name, flaw.sentence.text
        seen[key] += 1
        results.append(_result(flaw, checked.min_score, seen[key]))
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
                    "minScore": checked.min_score,
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


def _result(flaw: Flaw, min_score: float, repetition: int) -> dict[str, Any]:
    explained = flaw.explained
    rule = explained.cause or UNNATURAL
    messages = [_sentence(finding) for finding in reasons(flaw)]
    about = f"{wording.title_of(explained)}: naturalness {score_text(flaw)}"
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": [*titles()].index(rule),
        "level": "error" if explained.naturalness < ERROR_SHARE * min_score else "warning",
        "message": {"text": " ".join([_sentence(about), *messages])},
        "locations": [{"physicalLocation": _physical(flaw, flaw.sentence.region(), text=True)}],
        "partialFingerprints": {"sentence/v1": _fingerprint(explained.text, repetition)},
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
            "message": {"text": _sentence(wording.in_a_line(finding, explained.text))},
            "physicalLocation": _physical(flaw, flaw.sentence.region(finding.start, finding.end)),
        }
        for number, finding in enumerate(explained.findings)
    ]
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
    # Empty lists say nothing that their absence would not.
    parts = {"relatedLocations": related, "fixes": changes}
    return result | {name: part for name, part in parts.items() if part}


def _physical(flaw: Flaw, region: Region, *, text: bool = False) -> dict[str, Any]:
    position = _region(region)
    if text:
        position["snippet"] = {"text": flaw.sentence.source.text[region.start : region.end]}
    return {"artifactLocation": _artifact(flaw), "region": position}


def _region(region: Region) -> dict[str, Any]:
    return {
        "startLine": region.line,
        "startColumn": region.unit,
        "endLine": region.end_line,
        "endColumn": region.end_unit,
    }


def _artifact(flaw: Flaw) -> dict[str, str]:
    """Return a path from the working folder, which a code host takes for that of the repository."""
    name = flaw.sentence.source.name
    path = PurePath(name)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": "%SRCROOT%"}


def _fingerprint(text: str, repetition: int) -> str:
    """Identify a sentence of a file wherever it moves, and each of several equal ones."""
    return f"{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}:{repetition}"


def _sentence(text: str) -> str:
    """Return a message with a capital and a full stop, as SARIF asks, and with braces escaped."""
    sentence = " ".join(text.split()).replace("{", "{{").replace("}", "}}")
    return f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}."


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement for a part of a file."""

    description: str
    region: Region
    new: str


def fixes(flaw: Flaw) -> Iterator[Fix]:
    """Yield edits, the best first, then the suggestions of findings, the surest first.

    Where markup is in the way, there is no fix.
    """
    for edit in flaw.explained.edits:
        change = of_edit(flaw.explained.text, edit)
        if change:
            description = f"naturalness {edit.naturalness:.3f} ({wording.signed(edit.gain, 3)})"
            yield from _fix(flaw.sentence, *change, description)
    for finding in flaw.explained.findings:
        for suggestion in finding.suggestions:
            start, end, new = of_suggestion(flaw.explained.text, finding, suggestion)
            yield from _fix(flaw.sentence, start, end, new, finding.message)


def of_edit(text: str, edit: Edit) -> tuple[int, int, str] | None:
    """Return the span that an edit replaces and its replacement, or None where its text disagrees."""
    behind = len(text) - edit.end
    new = edit.text[edit.start : len(edit.text) - behind]
    edited = text[: edit.start] + new + text[edit.end :]
    return (edit.start, edit.end, new) if edited == edit.text else None


def of_suggestion(text: str, finding: Finding, suggestion: str) -> tuple[int, int, str]:
    """Return the same for a suggestion; a deletion takes a space with it, an insertion brings one."""
    start, end = finding.start, finding.end
    if not suggestion:
        if text[end : end + 1] == " " and text[start - 1 : start] in ("", " "):
            end += 1
        elif text[start - 1 : start] == " ":
            start -= 1
        return start, end, ""
    if start == end and text[start : start + 1].strip():
        return start, end, f"{suggestion} "
    return start, end, suggestion


def _fix(sentence: Sentence, start: int, end: int, new: str, description: str) -> Iterator[Fix]:
    region = sentence.region(start, end)
    if sentence.source.text[region.start : region.end] == sentence.text[start:end]:
        yield Fix(description, region, new)


UNNATURAL = "unnatural"
"""The rule for a sentence that no cause lowers: a typical one already scores too low."""

HELP: Mapping[str, str] = {
    "soundness": "Something in the sentence is damaged, or breaks a rule that belongs to no single "
    "kind. Read it aloud, and look at marked words first.",
    "agreement": "Subject and verb, or a noun and what counts it, do not agree: “he go”, "
    "“two book”. Make number and person the same.",
    "verbs": "A form of a verb does not fit: its tense, its ending, or what follows another verb.",
    "small_words": "An article, a preposition or a pronoun is the wrong one, is missing, or is superfluous.",
    "order": "Words are in an order that English does not use.",
    "missing": "A word seems to be missing, or this is a piece of a sentence.",
    "extra": "A word is repeated, or does not belong here.",
    "wording": "Words that few writers would choose here.",
    "spelling": "Misspelt words, capitals, marks or spaces.",
    "structure": "The structure of the sentence is unusual or unclear.",
    "length": "Much longer or shorter, or harder to read, than sentences that people rate well.",
    "style": "How the sentences follow each other: rhythm, closers, stock turns, formality.",
    "meaning": "The meaning sounds odd, judging by vectors of the sentence.",
    "reply": "The reply says again, copies or misses what it answers.",
    UNNATURAL: "The sentence scores below the minimum, and nothing stands out.",
}
"""Help by cause."""


def titles() -> dict[str, str]:
    """Return all rules in their order with their titles."""
    return {**TITLES, UNNATURAL: WHOLE}
