"""Fixes: replacements for parts of a file, and those among them that a rule proposes and the score confirms."""

from __future__ import annotations

import codecs
import difflib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.checking.flaws import Flaw, sure_findings
from naturalness.checking.plain import Region
from naturalness.checking.sources import Sentence, Source
from naturalness.errors import TableError
from naturalness.explaining import wording
from naturalness.explaining.explanation import Edit, Finding
from naturalness.explaining.findings import CHECKERS
from naturalness.files.storage import write_whole

if TYPE_CHECKING:
    from naturalness.judging.scores import Scores

CLEAR_GAIN = 0.05
"""Gain of naturalness that confirms a fix after which the sentence is still below the minimum."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement for a part of a file."""

    description: str
    region: Region
    new: str


def fixes(flaw: Flaw) -> Iterator[Fix]:
    """Yield edits, the best first, then the suggestions of findings, the surest first.

    Where markup or code is in the way, there is no fix.
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
    as_written = sentence.source.text[region.start : region.end] == sentence.text[start:end]
    if as_written and not any(first < end and start < last for first, last in sentence.code):
        yield Fix(description, region, new)


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix that a rule proposes and the score confirms."""

    source: Source
    region: Region
    new: str
    finding: Finding
    before: float
    after: float
    """The score of the sentence without it and with it, after the earlier repairs of the same sentence."""

    def __str__(self) -> str:
        """Return it in a line: ``a.md:3:6: “go” → “goes” [he-go] (0.113 → 0.82)``."""
        old = self.source.text[self.region.start : self.region.end]
        if not self.new:
            change = f"leave out {wording.quoted(old)}"
        elif not old:
            change = f"put in {wording.quoted(self.new)}"
        else:
            change = f"{wording.quoted(old)} → {wording.quoted(self.new)}"
        position = f"{self.source.name}:{self.region.line}:{self.region.column}"
        return f"{position}: {change} [{self.finding.code}] ({self.before:.3f} → {self.after:.3f})"


@dataclass(slots=True)
class _Attempt:
    """A flaw while its fixes are tried one after the other, the surest first."""

    flaw: Flaw
    score: float
    accepted: list[tuple[int, int, str]]
    repairs: list[Repair]

    def text_with(self, change: tuple[int, int, str]) -> str | None:
        """Return the sentence with one more change; None where changes touch, or its capital would go."""
        start, end, _ = change
        if any(start <= last and first <= end for first, last, _ in self.accepted):
            return None
        text = self.flaw.sentence.text
        fixed = text
        for first, last, new in sorted([*self.accepted, change], reverse=True):
            fixed = fixed[:first] + new + fixed[last:]
        return None if text[:1].isupper() and not fixed[:1].isupper() else fixed


def repairs(score: Callable[[list[str]], Scores], flaws: Sequence[Flaw], *, min_score: float) -> list[Repair]:
    """Return the fixes that can be made without asking: one rule is sure, and has one suggestion.

    ``score`` judges texts as it judged the flaws. With a fix, the sentence must reach ``min_score``, or gain
    `CLEAR_GAIN`. A second fix of a sentence must do so on top of the first.
    """
    attempts = [_Attempt(flaw, flaw.explained.naturalness, [], []) for flaw in flaws]
    for findings in zip_longest(*map(_sure_fixes, flaws)):
        tried = [
            (attempt, finding, change, text)
            for attempt, (finding, change) in zip(attempts, (pair or (None, None) for pair in findings), strict=True)
            if finding and change and (text := attempt.text_with(change))
        ]
        texts = list(dict.fromkeys(text for *_, text in tried))
        scores = dict(zip(texts, score(texts).naturalness if texts else [], strict=True))
        for attempt, finding, change, text in tried:
            if scores[text] >= min_score > attempt.score or scores[text] - attempt.score >= CLEAR_GAIN:
                region = attempt.flaw.sentence.region(*change[:2])
                source = attempt.flaw.sentence.source
                attempt.repairs.append(Repair(source, region, change[2], finding, attempt.score, scores[text]))
                attempt.accepted.append(change)
                attempt.score = scores[text]
    return [repair for attempt in attempts for repair in sorted(attempt.repairs, key=lambda r: r.region.start)]


def _sure_fixes(flaw: Flaw) -> list[tuple[Finding, tuple[int, int, str]]]:
    """Return the only suggestion of each sure finding of a rule, where it can stand in the file, the surest first."""
    sure = [f for f in sure_findings(flaw) if f.source in CHECKERS and len(f.suggestions) == 1]
    changes = [(f, of_suggestion(flaw.sentence.text, f, f.suggestions[0])) for f in sure]
    possible = [pair for pair in changes if [*_fix(flaw.sentence, *pair[1], "")]]
    return sorted(possible, key=lambda pair: -pair[0].weight)


def repaired(source: Source, changes: Sequence[Repair]) -> str:
    """Return the text of a file with its repairs, and nothing else changed."""
    text = source.text
    for repair in sorted(changes, key=lambda repair: repair.region.start, reverse=True):
        text = text[: repair.region.start] + repair.new + text[repair.region.end :]
    return text


LINE = re.compile(r"[^\n]*\n|[^\n]+")
"""A line as `patch` counts them; `splitlines` ends one at a form feed, too."""


def difference(source: Source, text: str) -> str:
    """Return a unified diff from a file to its repaired text."""
    old, new = (LINE.findall(whole) for whole in (source.text, text))
    lines = difflib.unified_diff(old, new, source.name, source.name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def write_repaired(source: Source, text: str) -> None:
    """Write a repaired file as a whole, with its byte order mark and its permissions; never through a link."""
    path = Path(source.name)
    if path.is_symlink():
        raise TableError(f"{source.name} is a link; name the file that it leads to, {str(path.resolve())!r}")
    data = path.read_bytes()
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    if data != mark + source.text.encode():
        raise TableError(f"{source.name} has changed while it was checked; check it again")
    if not os.access(path, os.W_OK):
        raise TableError(f"{source.name} cannot be written; check its permissions")
    write_whole(path, mark + text.encode())
