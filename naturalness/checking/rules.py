"""The rules that SARIF names: causes, and what they mean to a writer."""

from __future__ import annotations

from collections.abc import Mapping

from naturalness.explaining.causes import TITLES
from naturalness.explaining.wording import WHOLE

UNNATURAL = "unnatural"
"""The rule of a sentence that no cause lowers: a typical one is too low already."""

HELP: Mapping[str, str] = {
    "soundness": "Something in the sentence is damaged, or breaks a rule that belongs to no single "
    "kind. Read it aloud; where there are marks, look at these first.",
    "agreement": "Subject and verb, or a noun and what counts it, do not go together: “he go”, "
    "“two book”. Make number and person the same.",
    "verbs": "A form of a verb does not fit: its tense, its ending, or what follows another verb.",
    "small_words": "An article, a preposition or a pronoun is the wrong one, is missing, or is one too many.",
    "order": "Words stand in an order that English does not use.",
    "missing": "A word seems to be missing, or this is a piece of a sentence.",
    "extra": "A word is said twice, or does not belong here.",
    "wording": "Words that few writers would choose in this place.",
    "spelling": "Misspelt words, capitals, marks or spaces.",
    "structure": "The sentence is built in an unusual way, or what belongs to what is unclear.",
    "length": "Much longer or shorter, or harder to read, than sentences that people rate well.",
    "meaning": "What is said sounds odd, judged by vectors of the sentence.",
    UNNATURAL: "The sentence scores below what was asked for, and nothing stands out.",
}
"""By cause."""


def titles() -> dict[str, str]:
    """All rules in their order, and what they are called for people."""
    return {**TITLES, UNNATURAL: WHOLE}
