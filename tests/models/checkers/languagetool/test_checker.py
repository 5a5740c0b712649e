"""Docs to matches: texts as LanguageTool reads them, places in the original, rule, category, severity, suggestions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.checkers.languagetool import VARIABLE, LanguageToolChecker, open_checker
from naturalness.models.checkers.languagetool.checker import ISSUE_TYPES, prepare, sent
from naturalness.text.matches import Checked, Checker, Match, checked
from naturalness.text.parsing import MAX_CHARACTERS, original_span, parse
from tests.support.fake_languagetool import RULES, FakeServer, units

TYPO = Match(17, 20, "FAKE_SPELLER", "TYPOS", "Not teh.", ("the", "ten", "tea", "tech", "Ted"), "error")
STYLE = Match(27, 36, "TWICE", "STYLE", "Not very very.", ("",), "hint")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """A server of the user's, in this process."""
    with FakeServer() as running:
        monkeypatch.setenv(VARIABLE, running.address)
        yield running


def test_matches_are_told_in_places_of_the_original(server: FakeServer) -> None:
    """The text was tokenised, has an emoji; matches stand in its order, with five suggestions."""
    checker = open_checker()
    assert isinstance(checker, Checker)
    text = "I do n't 😀 know  teh man , very very well ."
    (findings,) = checker.check(parse([text]))
    assert findings == Checked((TYPO, STYLE))
    assert [text[m.start : m.end] for m in findings.matches] == ["teh", "very very"]
    assert server.texts[-1] == "I don't 😀 know teh man, very very well."


def test_equal_texts_are_asked_once_and_empty_ones_never(server: FakeServer) -> None:
    """Nor texts that are too long to be read at all."""
    docs = parse(["Is teh it?", "", "Is  teh it?", " \n", "x" * (MAX_CHARACTERS + 1)])
    findings = LanguageToolChecker().check(docs)
    assert [len(result.matches) for result in findings] == [1, 0, 1, 0, 0]
    assert (findings[0].matches[0].start, findings[2].matches[0].start) == (3, 4)
    assert server.texts[1:] == ["Is teh it?"]


def test_a_problem_is_that_of_one_text(server: FakeServer) -> None:
    """It has no matches."""
    findings = LanguageToolChecker().check(parse(["teh", "refuse teh"]))
    assert len(findings[0].matches) == 1 and not findings[0].problem
    assert findings[1] == Checked((), "LanguageTool returned 500 Error: no.")


def test_severity_is_that_of_the_issue_type(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong for certain, likely, or a matter of style; unknown types are likely."""
    assert ISSUE_TYPES["misspelling"] == ISSUE_TYPES["grammar"] == "error"
    assert ISSUE_TYPES["style"] == "hint"
    for kind, severity in [("typographical", "warning"), ("register", "hint"), ("new", "warning")]:
        monkeypatch.setitem(RULES, "teh", ("R", "C", kind, []))
        (findings,) = LanguageToolChecker().check(parse(["teh"]))
        assert findings.matches[0].severity == severity


def test_the_signature_names_version_and_variety(server: FakeServer) -> None:
    """Both change what is found; findings are kept beside the Doc under it."""
    british = LanguageToolChecker(language="en-GB")
    assert open_checker().signature == "languagetool:6.8|en-US"
    assert british.signature == "languagetool:6.8|en-GB"
    docs = parse(["teh"])
    assert checked(british, docs) == checked(british, docs)
    assert server.texts.count("teh") == 1


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
