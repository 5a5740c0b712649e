"""Code and accepted words."""

from __future__ import annotations

import pytest

from naturalness.checking.words import STAND_INS, accepted_spans, familiar, merged

TEXT = "Benepar and LINK grammar parse it, and Link Grammar's words are SLOR or slor, not benepars."


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("benepar",), ["Benepar"]),
        (("SLOR",), ["SLOR"]),
        (("slor",), ["SLOR", "slor"]),
        (("Link Grammar", "link"), ["LINK", "Link Grammar"]),
        (("c++", " "), []),
        ((), []),
    ],
)
def test_where_accepted_words_stand(words: tuple[str, ...], expected: list[str]) -> None:
    """Whole words match, in any case if listed in lower case, the longest first."""
    assert [TEXT[start:end] for start, end in accepted_spans(words, TEXT)] == expected
    assert accepted_spans(("c++",), "In c++ too.") == ((3, 6),)


def test_familiar_words() -> None:
    """All spans are replaced at once; a text without spans has no variants."""
    assert familiar("ab xy cd xy", ((3, 5), (9, 11))) == [f"ab {word} cd {word}" for word in STAND_INS]
    assert familiar("xy", ((0, 2),)) == [*STAND_INS]
    assert familiar("xy", ()) == []
    assert merged([(5, 7), (0, 3), (2, 4)]) == ((0, 4), (5, 7))
    assert merged([(0, 1), (2, 9), (4, 7), (9, 10)]) == ((0, 1), (2, 9), (9, 10))
