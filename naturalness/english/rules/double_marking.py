"""Functions for the rules in `double_marking.toml`, such as *more better*, *although ... but*, *the my*."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, RuleSentence


def two_clauses(s: RuleSentence, b: Binding) -> bool:
    """Return whether the sentence seems to be two clauses joined by a comma, without a list or an aside."""
    commas = [i for i in range(s.start, s.end) if s.texts[i] == ","]
    return b["first"] == s.start and commas[:1] == [b["comma"]] and len(commas) < 3


def both_small(s: RuleSentence, b: Binding) -> bool:
    """Return whether the determiners differ and the second is in lower case."""
    first, second = b["first"], b["second"]
    return s.texts[second].islower() and s.lower[first] != s.lower[second]
