"""Fixes: edits and suggestions as replacements for parts of a file, and repairs, the fixes that `check` can apply."""

from __future__ import annotations

import codecs
import difflib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from naturalness.checking.flaws import Flaw, sure_findings
from naturalness.checking.names import SPELLING, is_safe
from naturalness.checking.plain import Region
from naturalness.checking.sources import Sentence, Source
from naturalness.checking.verdicts import Verdict
from naturalness.errors import TableError, printable
from naturalness.explaining import wording
from naturalness.explaining.combining import log_odds
from naturalness.explaining.edits import GAIN_STEP
from naturalness.explaining.explanation import Edit, Explanation, Finding
from naturalness.explaining.findings import CHECKERS
from naturalness.explaining.forms import other_forms
from naturalness.explaining.rewriting import Change, replaced
from naturalness.explaining.shown import SURE
from naturalness.files.storage import write_whole

CLEAR_GAIN = 1.0
"""The smallest gain, in log-odds of the score, that confirms a fix; for spelling, any gain does."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement for a part of a file."""

    description: str
    region: Region
    new: str


def fixes(flaw: Flaw) -> Iterator[Fix]:
    """Yield a fix for each edit, best first, then for each suggestion of a finding, surest first.

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


def whole_repair(flaw: Flaw) -> list[Fix]:
    """Return the replacements that repair a whole sentence; none if one of them would touch markup or code."""
    repair = flaw.explained.repair
    steps = repair.steps if repair else ()
    parts = [fix for step in steps for fix in _fix(flaw.sentence, step.start, step.end, step.after, "")]
    return parts if len(parts) == len(steps) else []


def of_edit(text: str, edit: Edit) -> Change | None:
    """Return the span that an edit replaces and the replacement, or None if they do not produce the edit's text."""
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
    """A fix that a rule, the networks and a higher score confirm."""

    source: Source
    region: Region
    new: str
    code: str
    before: float
    """The score of the sentence before its repairs."""
    after: float
    """The score of the sentence with all its repairs."""

    def __str__(self) -> str:
        """Return the repair in one line: ``a.md:3:6: “go” → “goes” [he-go] (0.113 → 0.820)``."""
        change = wording.edit_in_words(self.source.text[self.region.start : self.region.end], self.new)
        position = f"{printable(self.source.name)}:{self.region.line}:{self.region.column}"
        return f"{position}: {change} [{self.code}] ({self.before:.3f} → {self.after:.3f})"


JudgeChanged = Callable[[Sequence[tuple[Sentence, Sequence[Change]]]], Sequence[Verdict]]
"""A function that judges sentences with changes, as `Checker.judge_changed` does."""
Step = tuple[Finding, Change]
"""A change, and the finding that it repairs."""


def repairs(judge: JudgeChanged, flaws: Sequence[Flaw]) -> list[Repair]:
    """Return the fixes that need no confirmation by the user, of flaws that were found with `Checker.fixes`.

    A fix is a step of the sentence's best repair at a
    place where a rule is sure of an error: the rule's suggestion, or another form of the same word. It must touch no
    name, code or quotation, no other edit of its words may score better, it must leave no finding behind, and it must
    raise the score by `CLEAR_GAIN`. If the steps of a sentence do not pass together, the first that passes alone is
    made.
    """
    tried = [(flaw, steps) for flaw in flaws if flaw.whole for steps in _choices(flaw, flaw.whole)]
    results = judge([(flaw.sentence, [change for _, change in steps]) for flaw, steps in tried])
    chosen: dict[int, list[Repair]] = {}
    for (flaw, steps), result in zip(tried, results, strict=True):
        if id(flaw) not in chosen and flaw.whole and _passes(flaw.whole, steps, result):
            chosen[id(flaw)] = [_repair(flaw, step, result.naturalness) for step in steps]
    return [repair for flaw in flaws for repair in sorted(chosen.get(id(flaw), ()), key=lambda r: r.region.start)]


def repairable(flaw: Flaw) -> list[Finding]:
    """Return the findings in which a rule is sure of an error and knows its repair."""
    return [f for f in sure_findings(flaw) if f.source in CHECKERS and f.suggestions]


def _choices(flaw: Flaw, explained: Explanation) -> list[list[Step]]:
    """Return all safe steps of a repair that concern findings together, then each of them alone."""
    steps: list[Step] = []
    for edit in explained.repair.steps if explained.repair else ():
        change = edit.start, edit.end, edit.after
        finding = next((f for f in repairable(flaw) if _mends(flaw.sentence.text, f, edit)), None)
        rival = any(_beats(other, edit, explained.edits) for other in explained.edits)
        safe = finding and any(_fix(flaw.sentence, *change, "")) and is_safe(flaw.sentence, finding, change)
        if finding and safe and not rival and all(finding is not other for other, _ in steps):
            steps.append((finding, change))
    return [steps, *([step] for step in steps if len(steps) > 1)] if steps else []


def _mends(text: str, finding: Finding, edit: Edit) -> bool:
    """Return whether an edit is a suggestion of a finding, or another form of the word that the finding marks."""
    edited = replaced(text, [(edit.start, edit.end, edit.after)])
    if edited in (replaced(text, [of_suggestion(text, finding, new)]) for new in finding.suggestions):
        return True
    word = edit.before.lower()
    same = (edit.start, edit.end) == (finding.start, finding.end)
    return same and edit.after.lower() in other_forms(word, word, verb=False, noun=False)


def _beats(other: Edit, edit: Edit, edits: Sequence[Edit]) -> bool:
    """Return whether another edit of the same words scores better than an edit alone."""
    same = (e for e in edits if (e.start, e.end, e.after) == (edit.start, edit.end, edit.after))
    alone = next(same, edit).naturalness
    return other.start < edit.end and edit.start < other.end and other.naturalness > alone + GAIN_STEP


def _passes(flawed: Explanation, steps: Sequence[Step], result: Verdict) -> bool:
    """Return whether a repaired sentence scores better and has no finding but those that its steps do not concern."""
    gain = log_odds(result.naturalness) - log_odds(flawed.naturalness)
    others = _errors(flawed) - Counter((finding.code, finding.text) for finding, _ in steps)
    least = CLEAR_GAIN * sum(finding.cause != SPELLING for finding, _ in steps)
    return gain >= least and (result.explanation is None or _errors(result.explanation) <= others)


def _errors(explained: Explanation) -> Counter[tuple[str, str]]:
    """Return the codes and places of the sure findings of rules."""
    return Counter((f.code, f.text) for f in explained.findings if f.source in CHECKERS and f.weight >= SURE)


def _repair(flaw: Flaw, step: Step, after: float) -> Repair:
    finding, (start, end, new) = step
    sentence = flaw.sentence
    return Repair(sentence.source, sentence.region(start, end), new, finding.code, flaw.explained.naturalness, after)


def change_of(fix: Fix | Repair) -> Change:
    """Return a fix as the span of the file that it replaces, and the replacement."""
    return fix.region.start, fix.region.end, fix.new


def repaired(source: Source, changes: Iterable[Repair]) -> str:
    """Return the text of a file after its repairs."""
    return replaced(source.text, [*map(change_of, changes)])


def difference(source: Source, text: str) -> str:
    """Return a unified diff from a file to its repaired text."""
    old, new = (StringIO(whole).readlines() for whole in (source.text, text))  # as `patch` does: only \n ends a line
    name = printable(source.name)
    lines = difflib.unified_diff(old, new, name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def write_repaired(source: Source, text: str) -> None:
    """Replace a file atomically, keeping its byte order mark and attributes; raise if it has other names.

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
