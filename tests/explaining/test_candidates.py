"""Candidate edits: what each source proposes, and the signs that a proposal has from them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naturalness.explaining.candidates import BEST, SPELLINGS, UNLIKELY, Proposal, proposals
from naturalness.explaining.rewriting import EditableText
from naturalness.explaining.tags import KEEP, SPELL
from naturalness.features.rules import rule_checker
from naturalness.models.mender import Tagged, mender
from naturalness.text.matches import Match, checked
from naturalness.text.parsing import parse
from naturalness.text.view import is_word
from tests.support.lines import rows


def tagged(text: EditableText, *likely: tuple[int, str, float]) -> tuple[Tagged, ...]:
    """Return probabilities of tags at tokens of a text's sentences; KEEP has the remainder, and other tags have 0."""
    tags = mender().tags
    parts = []
    for first, last in dict.fromkeys(text.sentence(i) for i in range(len(text.seen.texts))):
        p = np.full((last - first + 1, len(tags)), 1e-9)
        for i, tag, value in likely:
            if first <= i < last or i == last == len(text.seen.texts):
                p[i - first, tags.index(tag)] = value
        p[:, tags.index(KEEP)] = 1 - p.sum(axis=1) + 1e-9
        parts.append(Tagged(first, np.log(p)))
    return tuple(parts)


def proposed(text: str, *likely: tuple[int, str, float], matches: Sequence[Match] = ()) -> dict[str, Proposal]:
    """Return the proposals for a text, by the text that each makes; ``likely`` names token, tag and probability."""
    original = EditableText(parse([text])[0])
    found = proposals(original, tagged(original, *likely), mender(), matches)
    by_text = {original.rewrite(one.candidate).text: one for one in found}
    assert len(by_text) == len(found)
    return by_text


HAND = """
He carry a lamp. | 1 | inflect VBZ | inflect | He carries a lamp.
We waited of the bus. | 2 | replace for | replace | We waited for the bus.
We waited at him. | 3 | insert to | insert | We waited at to him.
Old man sleeps in the barn. | 0 | insert the | insert | The old man sleeps in the barn.
They have have a garden. | 1 | delete | delete | They have a garden.
They the sold boat. | 1 | swap | swap | They sold the boat.
Every body came. | 0 | join | join | Everybody came.
We left early | 3 | insert . | punctuation | We left early.
We left , early. | 2 | delete | punctuation | We left early.
"""


@pytest.mark.parametrize(("text", "i", "tag", "kind", "result"), rows(HAND))
def test_tags_are_edits(text: str, i: str, tag: str, kind: str, result: str) -> None:
    """Each tag is an edit of its kind, with its probability; edits of marks alone are punctuation."""
    one = proposed(text, (int(i), tag, 0.25))[result]
    assert one.candidate.kind == kind
    assert one.mended == pytest.approx(math.log(0.25))
    assert one.sound == pytest.approx(math.log(0.75), abs=1e-4)
    assert (one.severity, one.rule, one.spelling, one.misspelt) == (None, "", 0.0, -math.inf)


NOTHING = """
A well-known face. | 1 | replace the
A well-known face. | 3 | delete
A well-known face. | 0 | swap
A well-known face. | 3 | insert the
We left with him. | 2 | replace with
A well-known face. | 5 | inflect VBZ
She left. | 2 | swap
She left. | 2 | insert the
"""
"""Parts of compounds, and tags that change nothing or have nothing to change."""


@pytest.mark.parametrize(("text", "i", "tag"), rows(NOTHING))
def test_what_cannot_be_applied_is_not_proposed(text: str, i: str, tag: str) -> None:
    """Tags that would change a part of a compound, or that change nothing, propose no edit."""
    assert proposed(text, (int(i), tag, 0.9)) == {}


def test_the_likeliest_of_a_sentence() -> None:
    """At most `BEST` edits of a sentence come from tags; each sentence is counted separately."""
    words = [tag for tag in mender().tags if tag.startswith("insert ") and is_word(tag[7:])][: BEST + 5]
    assert len(words) == BEST + 5
    likely = [(1, tag, 0.006 + 0.0005 * n) for n, tag in enumerate(words)]
    found = proposed("We left. They stayed.", *likely, (4, "delete", 0.006))
    logs = sorted(one.mended for one in found.values() if one.candidate.kind == "insert")
    assert len(logs) == BEST
    assert logs[0] == pytest.approx(math.log(0.006 + 0.0005 * 5))
    assert sum(one.candidate.start > 2 for one in found.values()) == 1


def test_corrections_of_a_misspelt_word() -> None:
    """Corrections share the tag's probability and keep the word's capitals; parts of compounds have none."""
    found = proposed("My frend left.", (1, SPELL, 0.5))
    assert 1 < len(found) <= SPELLINGS
    best = found["My friend left."]
    assert max(found.values(), key=lambda one: one.mended) is best
    assert best.candidate.kind == "spelling" and best.misspelt > 0
    assert best.mended == pytest.approx(math.log(0.5 * best.spelling))
    assert sum(one.spelling for one in found.values()) == pytest.approx(1.0)
    assert "Friend of mine." in proposed("Frend of mine.")
    assert "A lot was left." in proposed("Alot was left.")
    assert proposed("A frend-like face.") == {}
    assert proposed("My friend left.", (1, SPELL, 0.5)) == {}


def test_capitals() -> None:
    """The first word of a sentence and known names get a capital; other words and compounds are unchanged."""
    found = proposed("we met in paris. she left.")
    assert set(found) == {"We met in paris. she left.", "we met in Paris. she left.", "we met in paris. She left."}
    assert {(one.candidate.kind, one.mended, one.sound) for one in found.values()} == {("case", UNLIKELY, 0.0)}
    assert proposed("iPhones sell well.") == {}
    assert proposed("A paris-like town.") == {}
    assert proposed("WE LEFT HOME.") == {}


def match(start: int, end: int, *suggestions: str) -> Match:
    """Return a match of a made-up rule."""
    return Match(start, end, "MADE_UP", "family", "", suggestions, "warning")


def test_suggestions_replace_whole_tokens() -> None:
    """Other suggestions are skipped; an empty suggestion deletes the word; a match's second suggestion is a hint."""
    text = "The  grey cat slept."
    matches = [match(5, 9, "gray", "grey"), match(6, 9, "ray"), match(10, 13, "dog", ""), match(0, 9, "A")]
    found = proposed(text, matches=matches)
    assert {result: one.severity for result, one in found.items()} == {
        "The  gray cat slept.": "warning",
        "The  grey dog slept.": "warning",
        "The  grey slept.": "hint",
        "A cat slept.": "warning",
    }
    assert {one.rule for one in found.values()} == {"MADE_UP"}
    assert {one.mended for one in found.values()} == {UNLIKELY}


def test_one_proposal_has_the_signs_of_all_its_sources() -> None:
    """A rule, the speller and two tags may propose the same edit; the probabilities of the tags are added."""
    text = "She recieve it."
    one = proposed(text, (1, SPELL, 0.4), matches=[match(4, 11, "receive")])["She receive it."]
    assert (one.severity, one.rule, one.candidate.kind) == ("warning", "MADE_UP", "spelling")
    assert one.misspelt > 0 and one.mended > math.log(0.4 / 2)
    both = proposed("She may has a lamp.", (2, "inflect VB", 0.3), (2, "replace have", 0.2))["She may have a lamp."]
    assert both.mended == pytest.approx(math.log(0.5))
    name = proposed("We met in paris.", matches=[match(10, 15, "Paris")])["We met in Paris."]
    assert (name.candidate.kind, name.severity) == ("case", "warning")


VOCABULARY = (
    "the a of to in is are was it he they and that have not river garden teachers walked frend alot "
    "owl quickly old paris , . don't it's well-known"
)
WORDS = st.sampled_from(VOCABULARY.split())


@settings(deadline=None, max_examples=25)
@given(words=st.lists(WORDS, min_size=1, max_size=12), data=st.data())
def test_each_proposal_changes_the_text_at_its_place(words: list[str], data: st.DataObject) -> None:
    """No two proposals are the same edit, and each keeps the rest of the text as it is."""
    text = " ".join(words)
    (doc,) = parse([text])
    original = EditableText(doc)
    assume(original.seen.words)
    tokens = st.integers(0, len(original.seen.texts) - 1)
    tags = st.sampled_from([tag for tag in mender().tags if tag != KEEP])
    drawn = data.draw(st.lists(st.tuples(tokens, tags, st.just(0.01)), max_size=8))
    found = proposals(original, tagged(original, *drawn), mender(), checked(rule_checker(), [doc])[0].matches)
    keys = [(one.candidate.start, one.candidate.end, one.candidate.words) for one in found]
    assert len(keys) == len(set(keys))
    for one in found:
        first, last = one.candidate.sentence
        assert first <= one.candidate.start <= one.candidate.end <= last
        result = original.rewrite(one.candidate)
        assert result.text == text[: result.start] + result.after + text[result.end :] != text
        assert text[result.start : result.end] == result.before
        assert "  " not in result.text and result.text == result.text.strip()
