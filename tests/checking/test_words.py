"""Code, accepted words and names, and words that no fix may touch."""

from __future__ import annotations

import pytest

from naturalness.checking.sources import make_source, sentences
from naturalness.checking.words import STAND_INS, accepted_spans, familiar, is_safe, merge_spans, names
from tests.support.lines import rows


def safe(text: str, old: str, new: str, *, spelling: bool = False, more: str = "") -> bool:
    """Return whether a word of a Markdown file may be replaced where it first occurs."""
    sentence = next(s for s in sentences(make_source("a.md", f"{text}\n\n{more}\n")) if old in s.text)
    start = sentence.text.index(old)
    return is_safe(sentence, (start, start + len(old), new), spelling=spelling)


PROSE = """
Both of the window was open. | was | were
An window was open. | An | A
I has two keys. | has | have
The `reader` of the old files have stopped. | have | has
He said “yes” and then he go home. | go | goes
She doesn't knows it. | knows | know
At home i was happy. | i | I
Say "yes" on a 5" disk. They was here. | was | were
In the '90s, the dogs' food and Ann 's was good. | was | were
"""
CODE = """
We saw the Were yesterday. | Were | Was
Set i = 10 before the loop. | i | I
The i prefix marks a variable. | i | I
When i equals n, we stop. | i | I
We know that i has no value here. | has | have
The `*args*` is passed on. | is | are
The read_all functions is slow. | is | are
The readAll functions is slow. | is | are
Both of list() is slow. | is | are
The files in src/main is old. | is | are
The options --all and -x is new. | is | are
He wrote “they was here” on the wall. | was | were
He wrote "they was here" on the wall. | was | were
He wrote 'they was here' on the wall. | was | were
He wrote «they was here» on the wall. | was | were
He wrote: "We're late. They was here. So it is." We left. | was | were
The mark `"` is old, and he wrote "they was here" on it. | was | were
It sends a HTTP request. | a | an
We link it with gcurses first. | gcurses | curses
"""


@pytest.mark.parametrize(("text", "old", "new"), rows(PROSE))
def test_prose_may_be_fixed(text: str, old: str, new: str) -> None:
    """Words in lower case, and the first word of a sentence, may be changed."""
    assert safe(text, old, new)


@pytest.mark.parametrize(("text", "old", "new"), rows(CODE))
def test_names_code_and_quotations_are_left_alone(text: str, old: str, new: str) -> None:
    """Names, code, quotations and the words beside code stay as they are."""
    assert not safe(text, old, new)


def test_a_subject_that_is_a_name_elsewhere_in_the_file() -> None:
    """A word that is part of an identifier elsewhere in the file is not treated as a plural subject."""
    assert safe("Your lamps needs a little help.", "needs", "need", more="The lamps are old.")
    assert not safe("Your lamps needs a little help.", "needs", "need", more="Install lamps-server.")


def test_an_unknown_word_is_fixed_only_if_it_is_a_clear_misspelling() -> None:
    """A known misspelling is fixed, and so is a word that occurs once and is long or has swapped letters."""
    assert safe("We recieved the parcel.", "recieved", "received", spelling=True)
    assert safe("The hostname was requsted twice.", "requsted", "requested", spelling=True)
    assert not safe("The hostname was requsted twice.", "requsted", "requested")
    assert not safe("It is drawn by gcurses.", "gcurses", "curses", spelling=True)
    assert not safe("It needs the kerneling step.", "kerneling", "kennelling", spelling=True, more="Kerneling.")
    assert safe("You can udpate the package.", "udpate", "update", spelling=True)
    assert not safe("It depends on ncurses alone.", "ncurses", "nurses", spelling=True)
    assert not safe("It starts eht program.", "eht", "the", spelling=True)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pages are drawn by gpoppler.", []),
        ("Pages are drawn by gpoppler, and gpoppler is fast.", ["gpoppler", "gpoppler"]),
        ("Pages are drawn by gpoppler.\n\n    install(gpoppler_page)", ["gpoppler"]),
        ("Pages are drawn by [gpoppler](https://gpoppler.example/).", ["gpoppler"]),
        ("We recieved it, and they recieved it.", []),
        ("I dont know, and you dont know.", []),
        ("The requsted page and the requsted file are here.", []),
        ("The page is here, and the page is good.", []),
    ],
)
def test_an_unknown_word_that_recurs_is_a_name(text: str, found: list[str]) -> None:
    """An unknown word that occurs again is a name, unless it is a clear misspelling."""
    sentence = sentences(make_source("a.md", text))[0]
    assert [sentence.text[start:end] for start, end in names(sentence)] == found


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
    """Whole words match, longest first; those listed in lower case match in any case."""
    assert [TEXT[start:end] for start, end in accepted_spans(words, TEXT)] == expected
    assert accepted_spans(("c++",), "In c++ too.") == ((3, 6),)


def test_familiar_words() -> None:
    """All spans are replaced at once; a text without spans has no variants."""
    assert familiar("ab xy cd xy", ((3, 5), (9, 11))) == [f"ab {word} cd {word}" for word in STAND_INS]
    assert familiar("xy", ((0, 2),)) == [*STAND_INS]
    assert familiar("xy", ()) == []
    assert merge_spans([(5, 7), (0, 3), (2, 4)]) == ((0, 4), (5, 7))
    assert merge_spans([(0, 1), (2, 9), (4, 7), (9, 10)]) == ((0, 1), (2, 9), (9, 10))
