"""Expressions for a time in the past, such as *last night*, which decide the tense of the verb."""

from __future__ import annotations

from naturalness.english.inflection import IRREGULAR_VERBS, inflect
from naturalness.english.lists import word_list
from naturalness.text.view import View, word_set

UNITS = word_list("past_units")
NOT_ALONE = word_list("before_no_past")
"""Words before a time that make it part of a larger expression, which may go with any tense: *since last night*."""
DETERMINED = word_list("before_last_name")
"""Words before *last* that make it part of a noun phrase: *her last summer*."""
ENDS = word_list("after_past")
BARRIERS = word_list("clause_barriers")
"""Words that separate a verb from a time in another clause or comparison: *it is later than last night*."""
QUANTITIES = word_list("quantities")
VERBS = word_set("VBD VBN VBZ VBP VBG MD")

Span = tuple[int, int]


def past_of(lemma: str, tag: str) -> str:
    """Return the past form that corresponds to a present form with the tag: *was* to *is*, *were* to *are*."""
    if lemma == "be":
        return "were" if tag == "VBP" else "was"
    return IRREGULAR_VERBS[lemma][0] if lemma in IRREGULAR_VERBS else inflect(lemma, "VBD")


def past_times(view: View, start: int, end: int) -> list[Span]:
    """Return the spans of a sentence's expressions for a time in the past that stand alone."""
    spans = (_time_at(view, i, start, end) for i in range(start, end))
    return [
        (first, after)
        for first, after in filter(None, spans)
        if (first == start or view.lower[first - 1] not in NOT_ALONE)
        and (after == end or view.lower[after] in ENDS or (first == start and view.tags[after] != "POS"))
    ]


def _time_at(view: View, i: int, start: int, end: int) -> Span | None:
    """Return the span of the expression that has its keyword at index ``i``; None if there is none."""
    word = view.lower[i]
    following = view.lower[i + 1] if i + 1 < end else ""
    if word == "yesterday":
        return i, i + 1 + (following in ("morning", "afternoon", "evening"))
    before = view.lower[i - 1] if i > start else ""
    if (word == "last" and following in UNITS and before not in DETERMINED) or (word == "in" and _is_year(following)):
        return i, i + 2
    if word != "ago":
        return None
    first = i - 1
    while first > start and (view.tags[first - 1] == "CD" or view.lower[first - 1] in QUANTITIES):
        first -= 1
    return max(first, start), i + 1


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and "1000" <= word < "2020"


def is_in_clause(view: View, span: Span, verb: int) -> bool:
    """Return whether a time is in the clause of a verb: nothing that may end the clause is between the two."""
    first, after = (verb + 1, span[0]) if verb < span[0] else (span[1], verb)
    if after == verb and view.texts[first] == ",":
        first += 1
    return BARRIERS.isdisjoint(view.lower[first:after]) and VERBS.isdisjoint(view.tags[first:after])
