"""Text without markup, and the map back to the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from naturalness.checking.plain import Lines
from naturalness.text.mapped import MappedText, join_lines


def test_parts_keep_their_offsets() -> None:
    """Offsets survive cutting, stripping and joining across a line end."""
    text = "  one\r\n  two three"
    lines = [MappedText.of(text, 0, 5), MappedText.of(text, 7, len(text))]
    mapped_text = join_lines(lines)
    assert mapped_text.text == "one two three"
    assert mapped_text.span(0, 3) == (2, 5)
    assert mapped_text.span(4, 7) == (9, 12)
    assert mapped_text.span(2, 5) == (4, 10)
    assert mapped_text.cut(4, 7).span(0, 3) == (9, 12)
    assert mapped_text.span(13, 13) == (18, 18)


def test_a_removal_leaves_one_space() -> None:
    """If a removal would leave two spaces, one of them is removed."""
    text = "see ![x](y) here, **now**"
    mapped_text = MappedText.of(text, 0, len(text)).without([(4, 11), (18, 20), (23, 25)])
    assert mapped_text.text == "see here, now"
    assert text[slice(*mapped_text.span(4, 8))] == "here"
    assert text[slice(*mapped_text.span(10, 13))] == "now"


@given(st.text(alphabet="ab \n*", max_size=30), st.lists(st.integers(0, 30), max_size=8))
def test_remaining_characters_map_to_themselves(text: str, ends: list[int]) -> None:
    """The removed ranges do not affect the offsets of other characters."""
    cuts = sorted(min(end, len(text)) for end in ends)
    ranges = list(zip(cuts[::2], cuts[1::2], strict=False))
    mapped_text = MappedText.of(text, 0, len(text)).without(ranges)
    assert [text[i] for i in mapped_text.starts] == list(mapped_text.text)
    assert list(mapped_text.starts) == sorted(set(mapped_text.starts))


def test_lines_and_columns() -> None:
    """Lines and columns start at 1, in characters; a carriage return belongs to its line."""
    text = "a😀b\r\nsecond\n"
    lines = Lines(text)
    region = lines.region(2, 3)
    assert (region.line, region.column, region.end_column) == (1, 3, 4)
    region = lines.region(0, 11)
    assert (region.line, region.end_line, region.end_column) == (1, 2, 7)
    region = lines.region(12, 12)
    assert (region.line, region.column) == (3, 1)
