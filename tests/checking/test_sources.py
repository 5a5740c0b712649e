"""Files are split into sentences with their positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.checking.sources import files_in, make_source, read_source, sentences
from naturalness.errors import TableError
from tests.support.checks import MARKDOWN
from tests.support.explained import TEXT


def test_sentences_have_places() -> None:
    """A sentence has its region in the file; a line end inside it counts as a space."""
    units = sentences(make_source("a.md", MARKDOWN))
    texts = [one.text for one in units]
    assert texts[0] == "Notes"
    assert texts.count(TEXT) == 2
    first = units[texts.index(TEXT)]
    region = first.region()
    assert MARKDOWN[region.start : region.end] == "He **go**\r\nto school 語 yesterday."
    assert (region.line, region.column, region.end_line, region.end_column) == (3, 54, 4, 23)
    go = first.region(TEXT.index("go"), TEXT.index("go") + 2)
    assert MARKDOWN[go.start : go.end] == "go"


def test_a_file_is_read_as_utf_8(tmp_path: Path) -> None:
    """A byte order mark is dropped, and an unreadable file raises an error that says what to do."""
    path = tmp_path / "a.MD"
    path.write_bytes("\ufeff# Yes\n".encode())
    source = read_source(str(path))
    assert source.text == "# Yes\n"
    assert [one.text for one in sentences(source)] == ["Yes"]
    path.write_bytes(b"One\nna\xefve\n")
    with pytest.raises(TableError, match=r"a.MD' is not UTF-8 \(line 2\); convert it first"):
        read_source(str(path))
    with pytest.raises(TableError, match="no file 'nowhere'; check the path"):
        read_source("nowhere")


def test_code_is_known() -> None:
    """Spans of code are found without their marks, also across lines and in links."""
    text = "Use `a b` or ``c`d`` for\n[`e`](f.md) and `g\nhi`. There is no code here. An `i` stands here.\n\n"
    text += "A `stray tick.\n\nAnother ` here.\n\nPress <kbd>Enter</kbd> or \\` and `\\` now."
    units = sentences(make_source("a.md", text))
    assert [[one.text[start:end] for start, end in one.code] for one in units] == [
        ["a b", "c`d", "e", "g hi"],
        [],
        ["i"],
        [],
        [],
        ["Enter", "\\"],
    ]


def test_files_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder yields each of its texts once, except excluded ones."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.md", "docs/b.md", "docs/old/c.txt", "docs/d.py", "docs/.e/f.md", "docs/.g.md"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("Yes.\n")
    every = ["a.md", "docs/b.md", "docs/old/c.txt"]
    assert files_in(["a.md", "docs", "docs/b.md"]) == (every, 0)
    assert files_in(["."]) == (every, 0)
    assert files_in(["./a.md", "a.md", "docs/../a.md", str(tmp_path / "a.md")]) == (["./a.md"], 0)
    assert files_in(["docs/d.py", "-"]) == (["docs/d.py", "-"], 0)
    for pattern in ("old", "docs/old", "docs/old/", "*/old/*", "**/c.txt", "c.*", "./docs/old/c.txt"):
        assert files_in(every, [(Path(), pattern)]) == (every[:2], 1), pattern
    assert files_in(["../" + tmp_path.name + "/a.md"], [(Path(), "a.md")])[1] == 1
    for name, excluded in (("docs/old/new.md", 1), ("docs/new.md", 0), ("<stdin>", 0)):
        assert files_in(["-"], [(Path(), "docs/old")], standard_name=name)[1] == excluded, name
    assert files_in(["docs"], [(Path("docs"), "b.md")]) == (["docs/old/c.txt"], 1)
    assert files_in(every, [(Path(), "b")])[1] == 0
    Path("empty").mkdir()
    with pytest.raises(TableError, match=r"no text in folder 'empty'; expected files such as \.md"):
        files_in(["empty"])
    with pytest.raises(TableError, match="a file name is empty"):
        files_in([""])
