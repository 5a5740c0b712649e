"""Phrasing of chat models in a passage: which phrases count, their messages, and how few are reported."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from naturalness.english.constructions import constructions
from naturalness.explaining.codes import codes
from naturalness.explaining.explanation import Finding
from naturalness.explaining.phrasing import MAX_FINDINGS, PASSAGE_CODE, phrasing, times_of
from naturalness.models.voice import EVENNESS, PHRASES, WORDS, Item, Voice, voice

ITEMS = {
    "gleaming": Item(-9.0, 50.0, 2.0),
    "gleaming new": Item(-9.0, 30.0, 0.0),
    "seamless": Item(-9.0, 60.0, 10.0),
    "beneath the": Item(-9.0, 60.0, 1.0),
    "amidst the": Item(-9.0, 40.0, 1.0),
    "tea": Item(2.0, 1.0, 40.0),
}
SLOPES = {WORDS: 1.0, PHRASES: 2.0, EVENNESS: 3.0} | {each.name: -4.0 for each in constructions()}
TABLE = Voice(ITEMS, 0.0, SLOPES, {}, 0.5, {"not_just": {"all": (2.0, 9.0)}}, {10: 0.2})


def found(text: str, *, stories: bool = False) -> list[Finding]:
    """Return the findings in a text by a small table."""
    return phrasing(text, TABLE, stories=stories)[1]


def test_frequencies() -> None:
    """A ratio compares frequencies; an item that people never used counts as half an occurrence per million words."""
    assert times_of("gleaming", TABLE) == 25
    assert times_of("gleaming new", TABLE) == 60


def test_overlapping_items_are_one_finding() -> None:
    """Overlapping items are one finding, which names the strongest; the passage comes last."""
    text = "We saw a gleaming new tram of seamless steel, which all the town had come to look at."
    phrase, passage = found(text)
    assert (phrase.text, phrase.code, phrase.cause, phrase.source) == ("gleaming new", "voice-phrase", "voice", "voice")
    assert phrase.message == ("60 times as frequent in chat models’ prose as in people’s, where it was never seen")
    assert (passage.code, passage.text) == (PASSAGE_CODE, text)
    assert passage.message.endswith("lowered most by “gleaming new”, “seamless”")


def test_one_phrase_is_no_flaw() -> None:
    """A single phrase, a passage closer to human writing, and a short text are not reported."""
    assert found("We saw a gleaming new tram, which all the town had come to look at.") == []
    assert found("A gleaming new, seamless tram.") == []
    assert math.isnan(phrasing("A gleaming new, seamless tram.", TABLE)[0])
    tea = "We had tea in a gleaming new tram of seamless steel, which all the town had come to look at. " + "Tea. " * 20
    assert phrasing(tea, replace(TABLE, base=3.0))[1] == []


def test_scene_phrases_count_in_stories() -> None:
    """Words of fictional scenes are reported only in the register of stories."""
    text = "A gleaming tram stood beneath the clock of the town hall, and nobody at all got off."
    assert found(text) == []
    assert {finding.text for finding in found(text, stories=True)[:2]} == {"gleaming", "beneath the"}


def test_plainer_wordings() -> None:
    """A plainer wording keeps the capital, and is suggested only where it is right in every context."""
    text = "Amidst the crowd stood a gleaming tram, which all the town had come to look at."
    assert {finding.text: finding.suggestions for finding in found(text)[:2]} == {
        "Amidst the": ("Amid the",),
        "gleaming": (),
    }


def test_constructions_that_people_use() -> None:
    """Constructions count in stale passages with their ratio; openings such as “In this case” do not."""
    said = "The gleaming tram is not just a tram but a seamless trip into town for all of us."
    codes = {finding.code: finding.message for finding in found(said)}
    assert codes["voice-not-just"].endswith(" is 4 times as frequent in chat models’ prose as in people’s")
    people = "In this case the gleaming tram is late. By calling the seamless office, we learnt the reason for it."
    assert not {"voice-hedged-opener", "voice-closing-summary"} & {finding.code for finding in found(people)}


def test_few_findings_in_a_passage() -> None:
    """The strongest phrases and the passage are reported, in different places."""
    stale, fresh = codes()["voice"].before, codes()["voice"].after
    for text in (stale, stale + " " + stale.replace("today's", "this")):
        value, findings = phrasing(text, voice())
        assert value < 0.01
        assert 2 <= len(findings) <= MAX_FINDINGS + 1
        *phrases, passage = findings
        assert passage.code == PASSAGE_CODE
        spans = sorted((finding.start, finding.end) for finding in phrases)
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert phrasing(fresh, voice())[1] == []


@pytest.mark.parametrize(
    "text",
    [
        "If the flag is not set, it is ignored. In this case, the server closes the connection, leading to an error.",
        "The weight of an edge is a number between 0 and 1. Setting the weight of an edge to 0 removes the edge.",
        "Returns the length of the buffer, or an empty result, indicating that the end of the file has been reached.",
    ],
)
def test_technical_prose_is_plain(text: str) -> None:
    """Terse sentences and terms are not phrasing of chat models."""
    assert phrasing(text, voice())[1] == []
