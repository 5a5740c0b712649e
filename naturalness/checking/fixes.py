"""Fixes: edits and suggestions as replacements for parts of a file, and repairs, the fixes that `check` can apply."""

from __future__ import annotations

import codecs
import difflib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.checking.flaws import Flaw, sure_findings
from naturalness.checking.plain import Region
from naturalness.checking.sources import Sentence, Source
from naturalness.errors import TableError, printable
from naturalness.explaining import wording
from naturalness.explaining.explanation import Edit, Finding
from naturalness.explaining.findings import CHECKERS
from naturalness.files.storage import write_whole

if TYPE_CHECKING:
    from naturalness.judging.scores import Scores

CLEAR_GAIN = 0.05
"""The smallest gain in naturalness that confirms a fix if the sentence stays below the minimum score."""

Change = tuple[int, int, str]
"""Start and end of a span, and its replacement."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement for a part of a file."""

    description: str
    region: Region
    new: str


def fixes(flaw: Flaw) -> Iterator[Fix]:
    """Yield the edits, best first, then the suggestions of the findings, surest first.

    A replacement that would touch markup or code is left out.
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


def of_edit(text: str, edit: Edit) -> Change | None:
    """Return the span that an edit replaces and the replacement, or None if the two do not give the edit's text."""
    behind = len(text) - edit.end
    new = edit.text[edit.start : len(edit.text) - behind]
    edited = text[: edit.start] + new + text[edit.end :]
    return (edit.start, edit.end, new) if edited == edit.text else None


def of_suggestion(text: str, finding: Finding, suggestion: str) -> Change:
    """Return the span that a suggestion replaces and its replacement.

    A deletion also removes one adjacent space; an insertion adds one.
    """
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
    """A fix that a rule proposes and a higher score confirms."""

    source: Source
    region: Region
    new: str
    code: str
    before: float
    """The score of the sentence before the repair."""
    after: float

    def __str__(self) -> str:
        """Return the repair in one line: ``a.md:3:6: “go” → “goes” [he-go] (0.113 → 0.820)``."""
        old, new = wording.quoted(self.source.text[self.region.start : self.region.end]), wording.quoted(self.new)
        if not self.new:
            change = f"leave out {old}"
        elif self.region.start == self.region.end:
            change = f"put in {new}"
        else:
            change = f"{old} → {new}"
        position = f"{printable(self.source.name)}:{self.region.line}:{self.region.column}"
        return f"{position}: {change} [{self.code}] ({self.before:.3f} → {self.after:.3f})"


@dataclass(slots=True)
class _Attempt:
    """A flaw, with the changes and the score of its sentence so far."""

    flaw: Flaw
    score: float
    changes: list[Change] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)

    def text_with(self, change: Change) -> str | None:
        """Return the sentence with one more change; None if it touches another or removes the initial capital."""
        if any(change[0] <= end and start <= change[1] for start, end, _ in self.changes):
            return None
        text = self.flaw.sentence.text
        fixed = replaced(text, [*self.changes, change])
        return None if text[:1].isupper() and not fixed[:1].isupper() else fixed


def repairs(score: Callable[[list[str]], Scores], flaws: Sequence[Flaw], *, min_score: float) -> list[Repair]:
    """Return the fixes that need no confirmation by the user, because a rule is sure and has a single suggestion.

    ``score`` must score texts as they were scored for the flaws. A fix must raise the sentence to ``min_score``, or by
    at least `CLEAR_GAIN`. Fixes of the same sentence are tried in turn, the surest first, each on top of the fixes
    accepted before it.
    """
    attempts = [_Attempt(flaw, flaw.explained.naturalness) for flaw in flaws]
    for candidates in zip_longest(*map(_sure_changes, flaws)):  # one candidate of each flaw, to score them together
        tried = [
            (attempt, *candidate, text)
            for attempt, candidate in zip(attempts, candidates, strict=True)
            if candidate and (text := attempt.text_with(candidate[1]))
        ]
        texts = list(dict.fromkeys(text for *_, text in tried))
        scores = dict(zip(texts, score(texts).naturalness if texts else [], strict=True))
        for attempt, finding, change, text in tried:
            before, after = attempt.score, scores[text]
            if after >= min_score > before or after - before >= CLEAR_GAIN:
                sentence = attempt.flaw.sentence
                region = sentence.region(*change[:2])
                attempt.repairs.append(Repair(sentence.source, region, change[2], finding.code, before, after))
                attempt.changes.append(change)
                attempt.score = after
    return [repair for attempt in attempts for repair in sorted(attempt.repairs, key=lambda r: r.region.start)]


def _sure_changes(flaw: Flaw) -> list[tuple[Finding, Change]]:
    """Return the sure findings of rules that have a single suggestion, each with its change to the text, surest first.

    A change that would touch markup or code is left out.
    """
    sure = [f for f in sure_findings(flaw) if f.source in CHECKERS and len(f.suggestions) == 1]
    changes = [(f, of_suggestion(flaw.sentence.text, f, *f.suggestions)) for f in sure]
    possible = [(f, change) for f, change in changes if any(_fix(flaw.sentence, *change, ""))]
    return sorted(possible, key=lambda pair: -pair[0].weight)


def replaced(text: str, changes: Iterable[Change]) -> str:
    """Return a text with changes, which must not overlap."""
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def repaired(source: Source, changes: Iterable[Repair]) -> str:
    """Return the text of a file after its repairs."""
    return replaced(source.text, [(repair.region.start, repair.region.end, repair.new) for repair in changes])


def difference(source: Source, text: str) -> str:
    """Return a unified diff from a file to its repaired text."""
    old, new = (StringIO(whole).readlines() for whole in (source.text, text))  # as `patch` does: only \n ends a line
    name = printable(source.name)
    lines = difflib.unified_diff(old, new, name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def write_repaired(source: Source, text: str) -> None:
    """Replace a file atomically, keeping its byte order mark, permissions and owner; raise if it has other names.

    The new file would be a different one from the file to which the other names lead.
    """
    path = Path(source.name)
    if path.is_symlink():
        raise TableError(f"{source.name} is a link; name the file that it leads to, {str(path.resolve())!r}")
    data = path.read_bytes()
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    if data != mark + source.text.encode():
        raise TableError(f"{source.name} has changed while it was checked; check it again")
    if not os.access(path, os.W_OK):
        raise TableError(f"{source.name} cannot be written; check its permissions")
    if path.stat().st_nlink > 1:
        raise TableError(f"{source.name} has other names (hard links), which would keep its old text; remove them")
    if path.stat().st_uid != getattr(os, "geteuid", lambda: path.stat().st_uid)() != 0:
        raise TableError(f"{source.name} belongs to another user, who would lose it; fix it as that user")
    write_whole(path, mark + text.encode())
