"""Normalisation, and the map back to the original text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.text.normalisation import NormalisedText, letters, normalise, with_map

# original, normalised
TEXTS = [
    ("A plain sentence.", "A plain sentence."),
    ("  ends cut  ", "ends cut"),
    ("It’s “fine”.", 'It\'s "fine".'),
    ("``So'' she said", '"So" she said'),
    ("I do n't know , really .", "I don't know, really."),
    ("it 's mine and they 'll go", "it's mine and they'll go"),
    ("i don ' t know", "i don't know"),
    ("we 're gon na win", "we're gonna win"),
    ("the dogs ' tails .", "the dogs' tails."),
    ("the 'best years' of it", "the 'best years' of it"),
    ('He said " no way " twice .', 'He said "no way" twice.'),
    ("( maybe ) -LRB- or not -RRB- ?", "(maybe) (or not)?"),
    ("one\r\ntwo\tthree\u00a0four", "one two three four"),
    ("soft\u00adhyphen zero\u200bwidth \u202ereversed\u202c", "softhyphen zerowidth reversed"),
    ("\u0000NUL\u0000", "NUL"),
    ("cafe\u0301", "café"),
    ("a smile :) stays ;-)", "a smile :) stays ;-)"),
    ("it costs $ 5 , or 50 %", "it costs $5, or 50%"),
    ("3 .5 and .NET", "3 .5 and .NET"),
    ("wait ... what", "wait... what"),
    ("I am sad :( and tired.", "I am sad :( and tired."),
    ("hello :3 you ;] and :heart: too", "hello :3 you ;] and :heart: too"),
    ("The girls' t-shirts", "The girls' t-shirts"),
    ("'thanks' re the invoice", "'thanks' re the invoice"),
    ("A 't-test' by Gerard 't Hooft", "A 't-test' by Gerard 't Hooft"),
    ("a C# 5 compiler and TA duty I got TA", "a C# 5 compiler and TA duty I got TA"),
    ("He says ' hello ' .", "He says ' hello '."),
    ("odds of 3 : 1 and 3 . 14", "odds of 3 : 1 and 3 . 14"),
    ("`` I know . '' `` He left . ''", '"I know." "He left."'),
    ("`` I do n't know .", "\"I don't know."),
    ('He said, " I do." and then " no."', 'He said, " I do." and then " no."'),
    ("José 's U.S. 's 1990 's", "José's U.S.'s 1990's"),
    ("half \ud83d a pair", "half \ufffd a pair"),
    ("", ""),
    ("\u200b", ""),
]


@pytest.mark.parametrize(("original", "expected"), TEXTS)
def test_normalised_texts_by_hand(original: str, expected: str) -> None:
    """Each original normalises to the text of the table."""
    assert normalise(original).text == expected


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_blank_line_starts_a_paragraph(end: str) -> None:
    """Paragraph breaks are kept as offsets; single line ends are spaces."""
    done = normalise(f"One line{end}and on.{end} {end}Next one.")
    assert done.text == "One line and on. Next one."
    assert [done.text[i:] for i in done.breaks] == ["Next one."]


def test_spans_lead_back_to_the_original() -> None:
    """A span of the normalised text maps to its source."""
    original = "  I do n't like “ it ” ."
    done = normalise(original)
    assert done.text == 'I don\'t like "it".'
    at = done.text.index("don't")
    start, end = done.original_span(at, at + len("don't"))
    assert original[start:end] == "do n't"
    at = done.text.index("it")
    assert original[slice(*done.original_span(at, at + 2))] == "it"


def test_spans_of_clean_text_are_shifted_only() -> None:
    """If only the ends were stripped, the map is a shift."""
    done = normalise("   A cat.")
    assert done.mapped is None
    assert done.original_span(2, 5) == (5, 8)
    assert NormalisedText("A cat.", "A cat.").original_span(2, 5) == (2, 5)


MESSY = st.text(alphabet=st.sampled_from(list("ab. ,'\"n't()-\n\r\t\u2019\u201c\u200b\u0301\u2029 é`:;LRB")))


@given(st.one_of(st.text(), MESSY))
def test_every_character_has_an_original_span(original: str) -> None:
    """Offsets stay inside the original text and never decrease."""
    done = normalise(original)
    last = 0
    for i in range(len(done.text)):
        start, end = done.original_span(i, i + 1)
        assert 0 <= start < end <= len(original)
        assert start >= last
        last = start


@given(st.one_of(st.text(), MESSY))
def test_normalised_text_is_clean(original: str) -> None:
    """The text has no control characters, line ends, double spaces or curly quotes."""
    text = normalise(original).text
    assert text == text.strip()
    assert not set(text) & set("\n\r\t\u0000\u200b’“")
    assert "  " not in text


def test_letters_ignore_typing() -> None:
    """`letters` ignores case, spaces, punctuation and letter forms; combining marks of a script count as letters."""
    assert letters("  Don 't -LRB- ﬁnd -RRB- it, 3 : 1 !") == "dontfindit31"
    assert letters("STRASSE") == letters("Straße")
    assert letters("E\u0301te\u0301") == letters("été") != letters("ete")
    assert letters("कि") != letters("क")
    assert letters(" ?  ! ") == "?!"
    assert letters("") == ""


# U+02BC is a letter to Unicode, and an apostrophe to everybody else.
LETTERS = st.characters(categories=["L", "N"], exclude_characters="\u02bc")


@given(st.text(alphabet=LETTERS, min_size=1))
def test_a_clean_word_is_unchanged(word: str) -> None:
    """A word of letters and digits is unchanged."""
    assert normalise(word).text == word


PIECES = st.sampled_from(
    [
        *"abnNtsS .,:;!?()[]{}'`\"%$-0139",
        "''",
        "-LRB-",
        "-rcb-",
        "n't",
        " 's",
        "gon na",
        "$ 5",
        "  ",
        "' s",
        "do ",
        "it ",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_plain_texts_need_no_change(text: str) -> None:
    """The fast check for plain texts never skips a text that the patterns would change."""
    assert normalise(text).text == with_map(text).text
