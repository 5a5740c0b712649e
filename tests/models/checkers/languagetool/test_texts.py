"""Texts as LanguageTool reads them, and the way back from its offsets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.checkers.languagetool.checker import prepare, sent
from naturalness.text.parsing import original_span, parse
from tests.support.fake_languagetool import units


def test_emoji_count_twice() -> None:
    """Java counts UTF-16 units: each of these faces has two."""
    way = prepare("Hi 😀😀 teh cat")
    assert units("Hi 😀😀 ") == 8
    assert way.span(8, 3) == (6, 9)
    assert way.span(3, 2) == (3, 4)


def test_paragraphs_are_parted_again() -> None:
    """An empty line stands where the normalised text has a space; offsets allow for it."""
    (doc,) = parse(["Teh news\n\nThey 😀 is here\n \nteh end"])
    way = sent(doc)
    assert way.text == "Teh news\n\nThey 😀 is here\n\nteh end"
    at = units(way.text[: way.text.index("teh end")])
    start, end = way.span(at, 3)
    assert doc.text[start:end] == "teh"
    assert original_span(doc, start, end) == (27, 30)


def test_an_offset_beyond_the_text_is_its_end() -> None:
    """A server of another mind brings nothing down."""
    assert prepare("ab").span(1, 99) == (1, 2)
    assert prepare("").span(0, 0) == (0, 0)


@given(pieces=st.lists(st.text("ab é😀\uffff", min_size=1), min_size=1, max_size=4), data=st.data())
def test_every_stretch_comes_back(pieces: list[str], data: st.DataObject) -> None:
    """Of any stretch within a paragraph, told in units of what was sent."""
    text = " ".join(pieces)
    starts = [0]
    for piece in pieces:
        starts.append(starts[-1] + len(piece) + 1)
    way = prepare(text, starts[1:-1])
    which = data.draw(st.integers(0, len(pieces) - 1))
    first = data.draw(st.integers(0, len(pieces[which])))
    last = data.draw(st.integers(first, len(pieces[which])))
    before = units("".join(piece + "\n\n" for piece in pieces[:which]))
    offset, length = units(pieces[which][:first]), units(pieces[which][first:last])
    assert way.text == "\n\n".join(pieces)
    assert way.span(before + offset, length) == (starts[which] + first, starts[which] + last)
