"""Edit tags: what each does to the words, and which tags turn a word into another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.explaining.forms import NOUN_TAGS, VERB_TAGS
from naturalness.explaining.tags import MIN_STEM, SWAP, Effect, effect, replacements
from tests.support.lines import rows

WORDS = ["the", "quickly", "careful", "go", "to", "school", "every", "day"]
END = len(WORDS)
EFFECTS = """
delete | 1 | 1 | 2 |
swap | 1 | 1 | 3 | careful quickly
join | 3 | 3 | 5 | goto
insert of | 0 | 0 | 0 | of
insert of | 4 | 4 | 4 | of
insert . | 8 | 8 | 8 | .
replace their | 0 | 0 | 1 | their
inflect VBZ | 3 | 3 | 4 | goes
inflect VBD | 3 | 3 | 4 | went
inflect NNS | 5 | 5 | 6 | schools
suffix ful>fully | 2 | 2 | 3 | carefully
suffix ly> | 1 | 1 | 2 | quick
suffix >ful | 1 | none
suffix y>ies | 7 | none
suffix ful>fully | 5 | none
inflect VBZ | 0 | none
inflect NN | 5 | none
replace the | 0 | none
keep | 0 | none
spelling | 1 | none
swap | 7 | none
join | 7 | none
delete | 8 | none
swap | 8 | none
replace a | 8 | none
"""


@pytest.mark.parametrize(("tag", "i", "expected"), [(tag, int(i), rest) for tag, i, *rest in rows(EFFECTS)])
def test_effects_by_hand(tag: str, i: int, expected: list[str]) -> None:
    """A tag changes its word, its word and the next one, or the gap before it; words can also be added at the end."""
    found = effect(tag, WORDS, i)
    assert [str(found.start), str(found.end), " ".join(found.words)] == expected if found else expected == ["none"]


def test_equal_words_are_not_swapped() -> None:
    """Swapping two equal words has no effect."""
    assert effect(SWAP, ["had", "had"], 0) is None


REPLACEMENTS = """
go | goes | VBZ | inflect VBZ, replace goes
walk | walked | VBD | inflect VBD, suffix >ed, replace walked
walk | walked | VBN | inflect VBN, suffix >ed, replace walked
spoke | speak | VBP | inflect VB, replace speak
thoughts | thought | NN | inflect NN, suffix s>, replace thought
bridge | bridges | NNPS | inflect NNS, suffix >s, replace bridges
careful | carefully | RB | suffix >ly, replace carefully
beauty | beautiful | JJ | suffix y>iful, replace beautiful
a | the | DT | replace the
on | in | IN | replace in
comparing | comparatively | RB | replace comparatively
"""


@pytest.mark.parametrize(("word", "other", "tag", "expected"), rows(REPLACEMENTS))
def test_replacements_by_hand(word: str, other: str, tag: str, expected: str) -> None:
    """The most general tag that turns one word into another comes first."""
    assert ", ".join(replacements(word, other, tag)) == expected


STEMS = ("walk", "go", "city", "knife", "happy", "quick", "beauty", "write", "be", "child", "sold", "day")
ENDINGS = ("", "s", "es", "ed", "ing", "ly", "ily", "er", "iful")
KNOWN = st.builds(str.__add__, st.sampled_from(STEMS), st.sampled_from(ENDINGS))
ANY = KNOWN | st.text("abcdeilnsty'-.", min_size=1, max_size=9)


@given(word=ANY, other=ANY, tag=st.sampled_from([*VERB_TAGS, *NOUN_TAGS, "VBP", "NNPS", "RB", ""]))
def test_replacements_yield_the_other_word(word: str, other: str, tag: str) -> None:
    """Each tag with an effect produces the other word in the same place; one tag does so for any words."""
    tags = list(replacements(word, other, tag))
    made = [change for one in tags if (change := effect(one, ["so", word, "there"], 1))]
    assert all(change == Effect(1, 2, (other,)) for change in made)
    assert len(set(tags)) == len(tags) and bool(made) == (word != other)
    for one in tags:
        if one.startswith("suffix "):
            assert len(word) - len(one[7:].partition(">")[0]) >= MIN_STEM
