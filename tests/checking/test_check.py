"""Files judged sentence by sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from naturalness.checking.plain_rows import as_object
from naturalness.checking.sentences import sentences
from naturalness.checking.sources import make_source, read_source
from naturalness.checking.telling import reasons, summary
from naturalness.errors import TableError
from naturalness.models.foreign import NOT_ENGLISH
from tests.support.checks import MARKDOWN, checked
from tests.support.explained import BAD, FINE, TEXT, HandMade, without


def test_sentences_have_places() -> None:
    """A line end inside one is a space; the place is that of the file."""
    found = sentences(make_source("a.md", MARKDOWN))
    texts = [one.text for one in found]
    assert texts[0] == "Notes"
    assert texts.count(TEXT) == 2
    first = found[texts.index(TEXT)]
    place = first.region()
    assert MARKDOWN[place.start : place.end] == "He **go**\r\nto school 語 yesterday."
    assert (place.line, place.column, place.end_line, place.end_column) == (3, 54, 4, 23)
    go = first.region(TEXT.index("go"), TEXT.index("go") + 2)
    assert MARKDOWN[go.start : go.end] == "go"


def test_lines_are_judged_as_they_stand() -> None:
    """One text each, without what marks a list."""
    text = "- One line. Two sentences.\n  its second line\n\n<!-- naturalness: off -->\nno\n"
    found = sentences(make_source("a.md", text), by="line")
    assert [one.text for one in found] == ["One line. Two sentences.", "its second line"]
    place = found[1].region()
    assert (place.line, place.column) == (2, 3)


def test_the_same_sentence_alone_and_in_company() -> None:
    """The parser cuts a paragraph no other way beside others."""
    alone = sentences(make_source("a.txt", f"{FINE} {TEXT}"))
    beside = sentences(make_source("a.txt", f"A b c.\n\n{FINE} {TEXT}\n\nOnce. Twice."))
    assert [one.text for one in alone] == [one.text for one in beside][1:-2]


def test_only_what_falls_below_is_explained() -> None:
    """Once for equal sentences; what has no score is no flaw, but counted."""
    model = HandMade([BAD])
    found = checked(model=model)
    assert model.explained == [TEXT]
    assert [flaw.explained.text for flaw in found.flaws] == [TEXT, TEXT]
    assert [one.sentence.text for one in found.unscored] == ["😀", "1 2 3."]
    assert summary(found).startswith("1 file, ")
    assert summary(found).endswith(" sentences: 2 below 0.5; 2 without a score (no words)")
    assert not checked(f"{FINE}\n").flaws
    assert summary(checked(f"{FINE}\n")) == "1 file, 1 sentence: 0 below 0.5"
    assert summary(checked("")) == "1 file, 0 sentences: 0 below 0.5"


def test_sentences_that_are_not_english_are_counted() -> None:
    """Whatever their score; one below the score that was asked for says it, too."""
    french, german = "La petite fille lit un livre.", "Das Kind liest ein Buch."
    odd = replace(BAD, text=german, reason=NOT_ENGLISH, unlike=(NOT_ENGLISH,), findings=())
    fine = replace(odd, text=french, naturalness=0.7)
    found = checked(f"{FINE}\n\n{french}\n\n{german}\n", model=HandMade([odd, fine]))
    assert summary(found).endswith(": 1 below 0.5; 2 scored with a reservation (not English)")
    assert as_object(found)["with_reservation"] == 2
    assert NOT_ENGLISH in " ".join(reasons(found.flaws[0]))


def test_a_paragraph_that_cannot_be_read_has_no_score() -> None:
    """It stays whole and breaks nothing."""
    text = "!" * 600
    found = checked(f"{text}\n\n{FINE}\n", model=HandMade([without(text, "a run of 500 symbols")]))
    assert [one.sentence.text for one in found.unscored] == [text]


def test_rows_have_places_in_the_file() -> None:
    """Offsets of the explanation stay those of its text."""
    made = as_object(checked())
    assert (made["below"], made["without_score"], made["min_score"]) == (2, 2, 0.5)
    row = made["results"][0]
    assert row["file"] == "docs/a b.md"
    assert row["place"]["line"] == 3 and row["place"]["end_line"] == 4
    go = row["findings"][0]
    assert (go["start"], go["place"]["line"], go["place"]["column"]) == (3, 3, 59)
    assert row["edits"][0]["after"] == "goes"
    assert row["cause"] == "verbs" and row["text"] == TEXT


def test_a_file_is_read_as_utf_8(tmp_path: Path) -> None:
    """A byte order mark is no character; what cannot be read says what to do."""
    path = tmp_path / "a.MD"
    path.write_bytes("\ufeff# Yes\n".encode())
    source = read_source(str(path))
    assert source.text == "# Yes\n"
    assert [one.text for one in sentences(source)] == ["Yes"]
    path.write_bytes(b"One\nna\xefve\n")
    with pytest.raises(TableError, match=r"a.MD' is not UTF-8 \(line 2\); convert it first"):
        read_source(str(path))
    with pytest.raises(TableError, match="is a folder; name files"):
        read_source(str(tmp_path))
    with pytest.raises(TableError, match="no file 'nowhere'; check the path"):
        read_source("nowhere")
