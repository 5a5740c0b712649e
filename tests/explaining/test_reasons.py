"""Reasons: each pattern applies to its own example, and its reason is right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from naturalness.explaining.reasons import patterns, reason
from naturalness.explaining.rewriting import TOKEN, EditableText
from naturalness.text.parsing import parse

EDIT = re.compile(r"\[(.*?)\|(.*?)\]")


def reason_for(example: str, kind: str) -> str:
    """Return the reason for an edit that is marked as ``[old|new]``."""
    edit = EDIT.search(example)
    assert edit
    old, new = edit.groups()
    before, after = example[: edit.start()], example[edit.end() :]
    text = EditableText(
        parse([f"{before}{old}{after}".replace("  ", " ")])[0]
    )  # words around an insertion have two spaces
    start, end = (sum(position <= len(part) for position in text.ends) for part in (before, before + old))
    return reason(text, start, end, tuple(TOKEN.findall(new)), kind)


@pytest.mark.parametrize("pattern", patterns(), ids=lambda pattern: pattern["example"])
def test_each_pattern_applies_to_its_example(pattern: Mapping[str, Any]) -> None:
    """The first pattern that applies to an example is the one that lists it."""
    kinds = pattern["if"].get("kind", ["replace"])
    kind = "replace" if "replace" in kinds else min(kinds)
    shown = re.escape(pattern["reason"])
    assert re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", shown), reason_for(pattern["example"], kind))


def test_reasons_depend_on_the_kind_and_the_words_around() -> None:
    """The same words have different reasons in different places; an unknown kind has none."""
    assert reason_for("They [was|were] late.", "inflect") == "the subject 'they' goes with 'were'"
    assert reason_for("There [was|were] many people.", "inflect") == "the noun after 'there' is plural"
    assert reason_for("She has [went|gone] home.", "inflect") == "'has' is followed by a past participle"
    assert reason_for("Last year she [goes|went] home.", "inflect") == "the time is in the past"
    assert reason_for("He likes [car|cars].", "inflect") == "more than one is meant, so the noun is plural"
    assert reason_for("The car [stop|stops] here.", "inflect") == "the subject 'car' is singular"
    assert reason_for("We waited [|for] him.", "insert") == "'waited' takes 'for' here"
    assert reason_for("We left [|us].", "unknown") == ""


def test_edits_at_the_ends_of_a_text() -> None:
    """Edits at the first and last word have reasons too."""
    assert reason_for("[|It] is raining", "insert") == "the verb 'is' has no subject"
    assert reason_for("We left[|.]", "punctuation") == "a sentence ends with a full stop"
    assert reason_for("Go [now|]", "delete") == "this is not needed here"
