"""Edits in the text as it was typed: offsets, spaces, capitals, *a* and *an*."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.explaining.rewriting import EditableText, Kind, Rewritten, join_words, replaced, touch
from naturalness.text.parsing import parse
from tests.support.lines import rows


def rewritten(text: str, kind: Kind, start: int, end: int, *words: str) -> Rewritten:
    """Replace tokens of a text by words."""
    original = EditableText(parse([text])[0])
    within = (0, len(original.seen.texts)) if start == len(original.seen.texts) else None
    candidate = original.changed(kind, start, end, words, within)
    assert candidate is not None
    return original.rewrite(candidate)


HAND = r"""
␣␣He␣␣go␣home␣.\n | inflect | 1 | 2 | goes | ␣␣He␣␣goes␣home␣.\n
He went to  to town . | delete | 3 | 4 |  | He went to town .
He looked at of . | delete | 3 | 4 |  | He looked at .
He\tlooked\tit. | insert | 2 | 2 | at | He\tlooked\tat it.
What is it made ? | insert | 4 | 4 | of | What is it made of ?
I do n't want of go . | replace | 4 | 5 | to | I do n't want to go .
“Cat sleeps,” she said. | insert | 1 | 1 | the | “The cat sleeps,” she said.
They left (of early). | delete | 3 | 4 |  | They left (early).
of , he left . | delete | 0 | 1 |  | , he left .
A well known face. | insert | 2 | 2 | - | A well-known face.
Yes we left. | punctuation | 1 | 1 | , | Yes, we left.
We left | punctuation | 2 | 2 | . | We left.
We left , early. | punctuation | 2 | 3 |  | We left early.
The man, went home. | punctuation | 2 | 3 |  | The man went home.
He said “no”, then left. | punctuation | 5 | 6 |  | He said “no” then left.
He said "no", then left. | punctuation | 5 | 6 |  | He said "no" then left.
He left (of course). | delete | 3 | 4 |  | He left (course).
I asked (“the nature is” was it). | delete | 4 | 5 |  | I asked (“nature is” was it).
He came—the man left. | delete | 3 | 4 |  | He came—man left.
The dog bowl is empty. | insert | 2 | 2 | 's | The dog's bowl is empty.
It are late. | replace | 1 | 2 | 's | It's late.
I's late. | replace | 1 | 2 | am | I am late.
The a dog barked. | delete | 0 | 1 |  | A dog barked.
Of Paris is old. | delete | 0 | 1 |  | Paris is old.
American guests came. | insert | 0 | 0 | the | The American guests came.
Guests came. | insert | 0 | 0 | the | The guests came.
I am here. | insert | 0 | 0 | that | That I am here.
HE GO HOME. | inflect | 1 | 2 | goes | HE GOES HOME.
he go home | inflect | 1 | 2 | goes | he goes home
12 guests came. | insert | 0 | 0 | the | The 12 guests came.
She ate apple. | insert | 2 | 2 | a | She ate an apple.
She ate the apple. | replace | 2 | 3 | a | She ate an apple.
She ate a of apple. | delete | 3 | 4 |  | She ate an apple.
Owl flew off. | insert | 0 | 0 | a | An owl flew off.
He left.\n\nThe of dog barked. | delete | 4 | 5 |  | He left.\n\nThe dog barked.
He left of\n\nThe dog barked. | delete | 2 | 3 |  | He left\n\nThe dog barked.
He left. Dog barked. | insert | 3 | 3 | the | He left. The dog barked.
"""


@pytest.mark.parametrize("row", rows(HAND), ids=lambda row: row[0])
def test_by_hand(row: tuple[str, ...]) -> None:
    """An edit changes the text at its place; spaces, capitals, and *a* or *an* suit the new words."""
    text, kind, start, end, words, expected = (
        cell.replace("\\n", "\n").replace("\\t", "\t").replace("␣", " ") for cell in row
    )
    result = rewritten(text, cast(Kind, kind), int(start), int(end), *words.split())
    assert result.text == expected
    assert text[: result.start] + result.after + text[result.end :] == expected
    assert text[result.start : result.end] == result.before


MOVED = """
They  the sold boat . | 1 | 2 1 | They  sold the boat .
Late the train came. | 0 | 1 2 0 | The train late came.
Paris old is. | 1 | 2 1 | Paris is old.
An is apple red. | 0 | 0 2 1 | An apple is red.
A is apple red. | 1 | 2 1 | An apple is red.
"""


@pytest.mark.parametrize(("text", "start", "order", "expected"), rows(MOVED))
def test_words_move_with_the_spaces_left_where_they_were(text: str, start: str, order: str, expected: str) -> None:
    """Spaces stay in place, and the new first word gets the capital."""
    original = EditableText(parse([text])[0])
    candidate = original.reordered(int(start), [*map(int, order.split())])
    assert candidate is not None and original.rewrite(candidate).text == expected


def test_edits_without_effect_are_no_candidates() -> None:
    """An edit that changes nothing, leaves no word or crosses a sentence boundary is no candidate."""
    original = EditableText(parse(["He left. She stayed."])[0])
    assert original.changed("replace", 0, 1, ("He",)) is None
    assert original.changed("delete", 1, 4, ()) is None
    assert original.reordered(0, (0, 1)) is None
    alone = EditableText(parse(["No"])[0])
    assert alone.changed("delete", 0, 1, ()) is None


def test_suggestions_keep_their_spelling() -> None:
    """A suggestion replaces only the words that differ and keeps its own spacing."""
    original = EditableText(parse(["She took the well known road."])[0])
    candidate = original.suggested(3, 5, "well-known")
    assert candidate is not None
    assert original.rewrite(candidate).text == "She took the well-known road."
    shorter = original.suggested(1, 3, "took a")
    assert shorter is not None and (shorter.kind, shorter.start, shorter.end, shorter.words) == ("rule", 2, 3, ("a",))
    gone = original.suggested(4, 5, " ")
    assert gone is not None and original.rewrite(gone).text == "She took the well road."
    assert original.suggested(1, 3, "took the") is None


GAPS = """
We left early. | 1 | had | True
We left early. | 1 | , | True
We left early. | 1 | - | True
We left early. | 0 | , | False
We left early. | 3 | very | False
We left early. | 4 | then | True
We left early. | 4 | . | False
We left early | 3 | . | True
We left early | 3 | then | False
A well-known face. | 2 | so | False
A well-known face. | 3 | so | False
A well-known face. | 3 | , | False
We (early) left. | 2 | very | True
"""


@pytest.mark.parametrize(("text", "i", "new", "fits"), rows(GAPS))
def test_where_something_can_be_inserted(text: str, i: str, new: str, fits: str) -> None:
    """Words go before words, marks and hyphens after words, and nothing inside a compound."""
    original = EditableText(parse([text])[0])
    assert str(original.gap(int(i), 0, len(original.seen.texts), new)) == fits


def test_a_new_word_has_the_capitals_of_the_old() -> None:
    """A new word takes the capital of the old one, except from *I*, which always has one."""
    for row in ("Dogs cats Cats", "dogs cats cats", "DOGS cats CATS", "I we we", "A the The"):
        old, word, expected = row.split()
        assert EditableText(parse([f"{old} bark."])[0]).as_typed(word, 0) == expected


TOUCHING = "0-2 1-3, 2-2 2-3, 2-2 0-2, 2-2 2-2"
APART = "0-2 2-3, 2-2 3-4"


@pytest.mark.parametrize(("pairs", "expected"), [(TOUCHING, True), (APART, False)])
def test_spans_touch(pairs: str, expected: bool) -> None:
    """Spans side by side do not touch, but a gap touches the span that begins or ends at it; order does not matter."""
    for pair in pairs.split(", "):
        first, second = (Rewritten(int(span[0]), int(span[2]), "", "", "") for span in pair.split())
        assert touch(first, second) is touch(second, first) is expected


@given(st.text("ab ", min_size=1, max_size=20), st.data())
def test_changes_leave_everything_else(text: str, data: st.DataObject) -> None:
    """The parts between changes are unchanged."""
    size = data.draw(st.integers(0, len(text) // 2))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), min_size=2 * size, max_size=2 * size)))
    changes = [(a, b, data.draw(st.text("xyz", max_size=3))) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
    starts, ends, new = [0, *cuts[1::2]], [*cuts[::2], len(text)], [*(change[2] for change in changes), ""]
    kept = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    assert replaced(text, changes) == "".join(map("".join, zip(kept, new, strict=True)))


def test_joined_as_people_type() -> None:
    """Parts of contractions and closing marks are joined without a space."""
    assert join_words(("do", "n't", "go")) == "don't go"
    assert join_words(("(", "it", "'s", ")", ",", "so")) == "(it's), so"
