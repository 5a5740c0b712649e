"""Why a question is asked, in words."""

from __future__ import annotations

from collections.abc import Mapping

from naturalness.explaining.causes import TITLES

TEST, AGAIN, RANDOM = "test", "again", "random"
UNLIKE, UNCERTAIN, BOTH = "unlike", "uncertain", "doubtful"
CAUSE, CLOSE = "cause", "close"

REASONS: Mapping[str, str] = {
    TEST: "drawn at random, to measure the model on",
    AGAIN: "asked again, to see how far you agree with yourself",
    RANDOM: "drawn at random",
    UNLIKE: "unlike the sentences rated so far",
    UNCERTAIN: "the model is not sure about it",
    BOTH: "the model is not sure about it, and few like it are rated so far",
    CAUSE: "few sentences like this so far",
    CLOSE: "the model finds the two much the same, though they are unlike each other",
}
"""Why a question is asked, and how that is told to people."""

SLIPS: Mapping[str, str] = {
    "agreement": "agreement slips",
    "verbs": "odd verb forms",
    "small_words": "slips in articles, prepositions or pronouns",
    "order": "odd word order",
    "missing": "missing words",
    "extra": "needless or repeated words",
    "wording": "odd choice of words",
    "spelling": "slips in spelling or typing",
    "structure": "odd structure",
    "length": "unusual length",
    "meaning": "unusual meaning",
}
"""What a text shows that suffers from a cause; soundness of the whole is nothing to look for."""


def told_of_cause(cause: str, rated: int) -> str:
    """``no sentence with agreement slips so far``, or few of them."""
    what = SLIPS.get(cause) or f"unusual {TITLES.get(cause, cause)}"
    return f"{'few sentences' if rated else 'no sentence'} with {what} so far"
