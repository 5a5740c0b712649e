"""Fixes: edits and suggestions as replacements for parts of a file; `check` can apply the sure ones."""

from __future__ import annotations

import codecs
import difflib
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from pathlib import Path

from naturalness.checking.checker import CheckedFiles
from naturalness.checking.flaws import Flaw
from naturalness.checking.fragments import CODE_LINE
from naturalness.checking.plain import Region
from naturalness.checking.sources import FileSentence, Source
from naturalness.checking.words import SPELLING, accepted_spans, is_safe
from naturalness.errors import TableError, printable
from naturalness.explaining import wording
from naturalness.explaining.causes import KINDS as CAUSES
from naturalness.explaining.codes import about, code_of, is_off
from naturalness.explaining.explanation import Finding
from naturalness.explaining.forms import inflected
from naturalness.explaining.mending import Correction
from naturalness.explaining.rewriting import Change, replaced
from naturalness.files.storage import write_whole

SURE_TO_FIX = 0.9
"""The smallest probability at which `check --fix` makes an edit, unless the user names another."""
MARKS = ".!?:,;"
"""Marks at the end of a sentence."""
VALUE = re.compile(r"\b(?:values?|options?|set to|default|locales?)\b", re.IGNORECASE)
"""What shows that *english* may be a value of a setting."""
AFTER_SENTENCE = re.compile(r"[^\W\d_](?<!\betc)(?<!\bvs)[\"'”’)]*[.!?]+[\"'”’)]* ?\s\Z")
"""The end of a text in which another sentence of the same paragraph has just ended; *etc.* seldom ends one."""
LOOKED_BACK = 16
"""The number of characters before a sentence in which `AFTER_SENTENCE` is looked for."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement for a part of a file."""

    source: Source
    region: Region
    new: str
    description: str

    @property
    def change(self) -> Change:
        """The span of the file and its replacement."""
        return self.region.start, self.region.end, self.new

    def __str__(self) -> str:
        """Return the fix in one line: ``a.md:3:6: “go” → “goes” (97 %): …``."""
        change = wording.edit_in_words(self.source.text[self.region.start : self.region.end], self.new)
        return f"{printable(self.source.name)}:{self.region.line}:{self.region.column}: {change} {self.description}"


def fixes(flaw: Flaw) -> Iterator[Fix]:
    """Yield a fix for each edit, best first, then for each suggestion of a finding, surest first.

    A replacement that would touch markup or code is left out.
    """
    for edit in flaw.explained.edits:
        yield from _fix(flaw.sentence, edit.start, edit.end, edit.after, wording.merits(edit))
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


def _fix(sentence: FileSentence, start: int, end: int, new: str, description: str) -> Iterator[Fix]:
    region = sentence.region(start, end)
    as_written = sentence.source.text[region.start : region.end] == sentence.text[start:end]
    if as_written and not any(first < end and start < last for first, last in sentence.code):
        yield Fix(sentence.source, region, new, description)


def sure_fixes(checked: CheckedFiles, off: Collection[str] = (), words: Sequence[str] = ()) -> list[Fix]:
    """Return the fixes that need no confirmation by the user, for sentences checked with `FileChecker.sure`.

    No fix changes a name, one of the accepted ``words``, code or a quotation; fixes whose code or cause is switched
    off are left out.
    """
    return [
        Fix(sentence.source, sentence.region(c.start, c.end), c.after, _merits(c))
        for sentence, verdict in checked.fixable
        if sentence.source.is_fixable
        for c in _safe(sentence, verdict.corrections, off, words)
    ]


def _merits(correction: Correction) -> str:
    """Return probability and reason: ``(97 %): the subject is singular``."""
    return ": ".join(filter(None, [wording.accepted(correction.probability).strip(), correction.reason]))


def _safe(
    sentence: FileSentence, corrections: Sequence[Correction], off: Collection[str], words: Sequence[str]
) -> list[Correction]:
    """Return the corrections that touch no markup, code, name or quotation and are not switched off."""
    inactive = sentence.ignored.union(off)
    accepted = [*accepted_spans(words, sentence.text), *sentence.titles]
    return [
        c
        for c in map(partial(_with_old_mark, sentence.text.rstrip()), corrections)
        if c.after != sentence.text[c.start : c.end]
        and any(_fix(sentence, *c.change, ""))
        and not any(first < c.end and c.start < last for first, last in accepted)
        and not _is_in_code_line(sentence, c.start)
        and not _is_doubtful_capital(sentence, c)
        and is_safe(sentence, c.change, spelling=CAUSES[c.fault] == SPELLING)
        and not any(is_off(code, cause, inactive) for code, cause in _names(c))
    ]


def _with_old_mark(text: str, correction: Correction) -> Correction:
    """Return a correction that leaves the mark at the end of a text as it is.

    A heading or an item may do without one, and a line before code may end in a comma.
    """
    mark = text[max(correction.start, len(text.rstrip(MARKS))) :]
    at_end = correction.end == len(text)
    return replace(correction, after=correction.after.rstrip(MARKS) + mark) if at_end else correction


def _is_in_code_line(sentence: FileSentence, start: int) -> bool:
    """Return whether the line of a character looks like code; a line with a tab may be prose in a paragraph."""
    lines, number = sentence.source.lines, sentence.region(start).line
    first, *after = lines.starts[number - 1 : number + 1]
    code = CODE_LINE.fullmatch(lines.text[first : after[0] if after else None].strip())
    return code is not None and not code["columns"]


def _is_doubtful_capital(sentence: FileSentence, correction: Correction) -> bool:
    """Return whether a correction only changes capitals where many writers would not.

    These are the first word of an item, a heading, or a line after code, and inside a sentence a word that may be a
    common noun, as its plural shows (*council*), that has other capitals than the first (*NGINX*), or that may be a
    value (*english*). A rule that suggests one of the first two has read their context.
    """
    text, start, new = sentence.text, sentence.region().start, correction.after
    old = text[correction.start : correction.end].lower()
    if old != new.lower():
        return False
    if not any(map(str.isalnum, text[: correction.start])):
        return not AFTER_SENTENCE.search(sentence.source.text[max(0, start - LOOKED_BACK) : start])
    if VALUE.search(text):
        return True
    return not correction.rule and (inflected(old, "NNS") is not None or new[1:] != new[1:].lower())


def _names(correction: Correction) -> Iterator[tuple[str, str]]:
    """Yield the code and cause that the networks assign to a corrected error, then those of the rule that found it."""
    yield code_of(f"suspect-{correction.fault}"), CAUSES[correction.fault]
    if correction.rule:
        code = code_of(correction.rule)
        yield code, about(code).cause


def apply_fixes(source: Source, changes: Iterable[Fix]) -> str:
    """Return the text of a file after its fixes."""
    return replaced(source.text, (fix.change for fix in changes))


def difference(source: Source, text: str) -> str:
    """Return a unified diff from a file to its fixed text."""
    old, new = (StringIO(whole).readlines() for whole in (source.text, text))  # as `patch` does: only \n ends a line
    name = printable(source.name)
    lines = difflib.unified_diff(old, new, name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def write_fixed(source: Source, text: str) -> None:
    """Replace a file atomically, keeping its byte order mark and attributes; raise for a link."""
    path = Path(source.name)
    if path.is_symlink():
        raise TableError(f"{source.name} is a link; name the file that it leads to, {str(path.resolve())!r}")
    data = path.read_bytes()
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    if data != mark + source.text.encode():
        raise TableError(f"{source.name} changed while it was being checked; check it again")
    if not os.access(path, os.W_OK):
        raise TableError(f"{source.name} cannot be written; check its permissions")
    write_whole(path, mark + text.encode())
