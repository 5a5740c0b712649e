"""Accepted words: names and terms of a project, which are neither misspelt nor the reason of a low score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from naturalness.explaining.explanation import Edit, Explanation, Finding
from naturalness.explaining.findings import CHECKERS

STAND_INS = ("London", "system", "systems")
"""What is read in the place of accepted words: a name, a noun, a plural; the best score counts."""
OF_WORDS = ("spelling", "wording")
"""Causes of what checkers find in a word by itself; their other findings are about its neighbours."""


@dataclass(frozen=True, slots=True)
class AcceptedWords:
    """Words, or several words together; one in lower case is accepted in any case, others as written."""

    words: tuple[str, ...] = ()

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where accepted words stand, a possessive ending not included."""
        return [match.span() for match in self._pattern().finditer(text)] if self.words else []

    def variants(self, text: str) -> list[str]:
        """Return the text with each of `STAND_INS` for accepted words; nothing where it has none."""
        if not self.spans(text):
            return []
        return [self._pattern().sub(word, text) for word in STAND_INS]

    def without(self, explained: Explanation) -> Explanation:
        """Return an explanation less what it says of accepted words."""
        spans = self.spans(explained.text)
        if not spans:
            return explained
        return replace(
            explained,
            findings=tuple(finding for finding in explained.findings if not _about(finding, spans)),
            edits=tuple(edit for edit in explained.edits if not _inside(edit, spans)),
        )

    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(filter(None, map(str.split, self.words)), key=lambda parts: -sum(map(len, parts)))
        choices = (
            (r"\s+".join(map(re.escape, parts)), any(part != part.lower() for part in parts)) for parts in longest_first
        )
        words = "|".join(pattern if as_written else f"(?i:{pattern})" for pattern, as_written in choices)
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


def _about(finding: Finding, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a finding points at an accepted word alone, and at nothing that depends on its neighbours."""
    return (finding.source not in CHECKERS or finding.cause in OF_WORDS) and _inside(finding, spans)


def _inside(part: Finding | Edit, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= part.start < part.end <= end for start, end in spans)
