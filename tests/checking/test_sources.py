"""Files cut into sentences, each with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.checking.sources import make_source, read_source, sentences
from naturalness.errors import TableError
from tests.support.checks import MARKDOWN
from tests.support.explained import FINE, TEXT


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
