"""Tables: every format in and out, other columns unchanged, bad rows kept with a reason."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.data import limits, open_writer, read_batches
from naturalness.data.batch import Batch
from naturalness.data.formats import location
from naturalness.data.reading import FIRST_ROWS, estimate_rows, read_named
from naturalness.errors import MissingPackage, NaturalnessWarning, TableError, UnknownName, excerpt
from tests.support.tables import read, write

ROWS = [
    {"id": "007", "text": "A cat.", "note": 'say "hi", now'},
    {"id": "1.50", "text": "Zwei\nZeilen", "note": ""},
    {"id": "x", "text": "emoji 😀", "note": "a\tb"},
]


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.jsonl", "t.jsonl.zst", "t.parquet"])
def test_rows_are_written_and_read_unchanged(name: str, tmp_path: Path) -> None:
    """Ids with leading zeros, quotes, line ends and emoji are unchanged; new columns are added at the end."""
    write(tmp_path / name, ROWS, {"score": [0.5, float("nan"), 1.0]})
    (batch,) = read(tmp_path / name)
    assert batch.columns == ["id", "text", "note", "score"]
    assert [{k: row[k] for k in ("id", "text", "note")} for row in batch.rows] == ROWS
    assert batch.texts == [row["text"] for row in ROWS]
    assert batch.rows[1]["score"] in ("", None)


def test_tsv_has_no_quoting(tmp_path: Path) -> None:
    """A quote is a character; tabs and line ends inside a cell become spaces."""
    write(tmp_path / "t.tsv", ROWS, {})
    assert (tmp_path / "t.tsv").read_text() == (
        'id\ttext\tnote\n007\tA cat.\tsay "hi", now\n1.50\tZwei Zeilen\t\nx\temoji 😀\ta b\n'
    )
    assert read(tmp_path / "t.tsv")[0].rows[0]["note"] == 'say "hi", now'


def test_a_text_file_has_one_text_per_line(tmp_path: Path) -> None:
    """Each line is a text, with or without CR or a byte order mark, and even if it is empty."""
    (tmp_path / "t.txt").write_bytes(b"\xef\xbb\xbfOne.\r\n\nThree.")
    assert read(tmp_path / "t.txt")[0].texts == ["One.", "", "Three."]


BAD = {
    "jsonl": (
        '{"text": "fine"}\n{bad\n[1]\n{"text": 3}\n{"other": 1}\n{"text": null}\n',
        "|not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
        "|expected a JSON object, found list; write one object per line"
        "|column 'text' holds int, not text|no column 'text'|empty text",
    ),
    "csv": ("id,text\n1,fine\n2\n3,a,b\n", "|malformed row: 1 cells, expected 2|malformed row: 3 cells, expected 2"),
    # The lines after an unclosed quotation mark are rows of their own.
    "quote.csv": ('text,n\n"a\nb",1\n"never closed,2\nnext,3\nlast,4\n', "|malformed row: OPEN||"),
    "deep.jsonl": ('{"text": "a", "x": DEEP}\n{"text": "b", "x": [[]]}\n{"text": DEEP}\n', "NESTED||NESTED"),
    # The rows around a giant line keep their numbers.
    "long.txt": ("One.\nLONG\nTwo.\n", "|OVER|"),
    "alone.txt": ("LONG\n", "OVER"),
    "long.jsonl": ('{"text": "One."}\nLONG\n{"text": "Two."}', "|OVER|"),
    "long.csv": ("text\nOne.\nLONG\nTwo.\n", "|malformed row: OVER|"),
    "long.tsv": ("text\nOne.\nLONG\nTwo.\n", "|malformed row: OVER|"),
    "both.csv": ('text\n"One.\nLONG\nTwo.\n', "malformed row: OPEN|malformed row: OVER|"),
}
"""The content of a file, and the problem of each row; words in capitals stand for the following."""
WORDS = {
    "DEEP": "[" * 400 + "]" * 400,
    "LONG": "a" * 4999,
    "OPEN": "a quotation mark is not closed",
    "NESTED": "lists or objects nested deeper than 100 levels",
    "OVER": "a line of 5,000 bytes; at most 1,000 are read",
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_keeps_its_number(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each unreadable row has a problem and an empty text, and is written like other rows."""
    monkeypatch.setattr(limits, "MAX_LINE_BYTES", 1000)
    content, problems = BAD[name]
    for word, meaning in WORDS.items():
        content, problems = content.replace(word, meaning), problems.replace(word, meaning)
    (tmp_path / f"t.{name}").write_text(content)
    (batch,) = read(tmp_path / f"t.{name}")
    assert [problem.replace("4,999", "5,000") for problem in batch.problems] == problems.split("|")
    assert not any(text for text, problem in zip(batch.texts, batch.problems, strict=True) if problem)
    for suffix in ("csv", "jsonl", "parquet"):
        with open_writer(location(str(tmp_path / f"u.{suffix}"))) as writer:
            writer.write(batch, {"reason": batch.problems})
        assert [row["reason"] for row in read(tmp_path / f"u.{suffix}")[0].rows] == batch.problems


def test_a_number_of_thousands_of_digits_is_a_problem_of_its_row(tmp_path: Path) -> None:
    """Python does not convert such numbers; the other rows are read."""
    (tmp_path / "t.jsonl").write_text(f'{{"text": "a", "n": {"1" * 5000}}}\n{{"text": "b"}}\n')
    (batch,) = read(tmp_path / "t.jsonl")
    assert batch.problems == ["a number with thousands of digits", ""]


@pytest.mark.parametrize("size", [1, 256])
def test_a_wrong_column_name_is_an_error_at_the_first_rows(size: int, tmp_path: Path) -> None:
    """A column that the first rows lack is an error, in JSON lines too, where one row that has it is enough."""
    path = tmp_path / "t.jsonl"
    rows = ['{"id": 1}', "[1]", *['{"txt": "A cat.", "id": 2}'] * (FIRST_ROWS - 3)]
    path.write_text("\n".join(rows))
    with pytest.raises(TableError, match=r"no column 'text'; did you mean 'txt'.* Name the column of texts with"):
        read(path, batch_size=size)
    path.write_text("\n".join([*rows, '{"text": "A dog."}']))
    texts = [text for batch in read(path, batch_size=size) for text in batch.texts]
    assert texts == [*[""] * (FIRST_ROWS - 1), "A dog."]


def test_bytes_that_are_not_utf8_are_kept(tmp_path: Path) -> None:
    """A row that is not UTF-8 has a problem, and its bytes are written unchanged."""
    (tmp_path / "t.csv").write_bytes(b"id,text\n1,caf\xe9\n")
    (batch,) = read(tmp_path / "t.csv")
    with open_writer(location(str(tmp_path / "u.csv"))) as writer:
        writer.write(batch, {"reason": batch.problems})
    assert (tmp_path / "u.csv").read_bytes() == b"id,text,reason\n1,caf\xe9,not valid UTF-8\n"


def test_escapes_are_not_invalid_bytes(tmp_path: Path) -> None:
    """An escaped surrogate that would look like an invalid byte becomes U+FFFD; pairs and backslashes stay."""
    (tmp_path / "t.jsonl").write_bytes(rb'{"text": "\udcaf \ud83d\uDCAF \\udcaf", "\uDCFF": ["\ud83d"]}')
    assert read(tmp_path / "t.jsonl")[0].rows == [{"text": "\ufffd 💯 \\udcaf", "\ufffd": ["\ud83d"]}]


def test_names_that_are_not_utf8_are_written_to_parquet(tmp_path: Path) -> None:
    """In Parquet, each invalid byte of a name becomes U+FFFD, also in nested values."""
    (tmp_path / "t.csv").write_bytes(b"text,caf\xe9\nOne.,\xe9\n")
    (tmp_path / "t.jsonl").write_bytes(
        b'{"text": "One.", "a\xed\xa0\x80": ["\xed\xa0\x80"], "\\ud800": {"\\ud800": "\xff"}}\n'
    )
    for name in ("t.csv", "t.jsonl"):
        (batch,) = read(tmp_path / name)
        with open_writer(location(str(tmp_path / "u.parquet")), force=True) as writer:
            writer.write(batch, {"score\udce9": [0.5]})
        (again,) = read(tmp_path / "u.parquet")
        assert again.texts == ["One."]
        assert all("\ufffd" in column for column in again.columns[1:])


def test_a_table_without_rows_keeps_its_columns(tmp_path: Path) -> None:
    """A table that has only a header is written with its columns, in CSV and in Parquet."""
    (tmp_path / "t.csv").write_text("text,id\n")
    (batch,) = read(tmp_path / "t.csv")
    for name in ("u.csv", "u.parquet"):
        with open_writer(location(str(tmp_path / name))) as writer:
            writer.write(batch, {"score": []})
        (again,) = read(tmp_path / name)
        assert (again.columns, again.rows) == (["text", "id", "score"], [])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.csv", None, "no file"),
        ("t.csv", b"", "expected a header with column names, found an empty file"),
        ("t.csv", b"id,words\n1,a\n", "no column 'text'; it has: id, words"),
        ("t.csv", b"text,text\n1,a\n", "names a column twice: text"),
        ("t.parquet", b"not parquet", "is not a Parquet file"),
        ("t.txt.gz", b"not compressed", r"cannot be decompressed .* is it really"),
        ("t.txt.zst", b"not compressed", r"cannot be decompressed .* is it really"),
        *(
            (name, "text\nA cat.\n".encode("utf-16"), r"' is in UTF-16 or UTF-32; expected UTF-8. Convert it first")
            for name in ("t.csv", "t.jsonl", "t.txt")
        ),
    ],
)
def test_a_bad_table_is_an_error(name: str, content: bytes | None, message: str, tmp_path: Path) -> None:
    """The error about a bad table says what was found and what to do."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(TableError, match=message):
        read(tmp_path / name)


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    """An existing file is overwritten only with --force, and stays private; a failure leaves neither a file nor a part
    of one."""
    path = tmp_path / "t.csv"
    path.write_text("mine")
    with pytest.raises(TableError, match="exists"):
        write(path, ROWS, {})
    with pytest.raises(ZeroDivisionError), open_writer(location(str(path)), force=True) as writer:
        writer.write(Batch(["text"], [{"text": "a"}], ["a"], [""]), {})
        raise ZeroDivisionError
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]
    assert path.read_text() == "mine"
    path.chmod(0o600)
    with open_writer(location(str(path)), force=True):
        pass
    assert path.read_bytes() == b"" and path.stat().st_mode & 0o777 == 0o600
    (tmp_path / "link.csv").symlink_to(tmp_path / "absent.csv")
    with pytest.raises(TableError, match=r"link\.csv' is a link; name the file that it leads to"):
        write(tmp_path / "link.csv", ROWS, {})


def test_columns_that_cannot_be_written(tmp_path: Path) -> None:
    """A new column must not replace another, and CSV has one header; rows of JSON lines may differ."""
    with pytest.raises(TableError, match="already has a column 'note'"):
        write(tmp_path / "t.csv", ROWS, {"note": [1, 2, 3]})
    with (
        pytest.raises(TableError, match="'late' does not appear in the first"),
        open_writer(location(str(tmp_path / "t.csv"))) as writer,
    ):
        for row in ({"text": "a"}, {"text": "b", "late": 1}):
            writer.write(Batch(["text"], [row], [""], [""]), {})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.csv", ("csv", None)),
        ("A.TSV.GZ", ("tsv", "gzip")),
        ("x.ndjson.zst", ("jsonl", "zstd")),
        ("-", ("txt", None)),
        ("v1.2.parquet", ("parquet", None)),
    ],
)
def test_the_name_determines_the_format(name: str, expected: tuple[str, str | None]) -> None:
    """The suffixes determine format and compression, in any case."""
    where = location(name)
    assert (where.format, where.compression) == expected


def test_an_unknown_format_is_an_error() -> None:
    """The error for an output lists only formats with columns, and no input options."""
    with pytest.raises(TableError, match="cannot tell the format"):
        location("table.xlsx")
    with pytest.raises(UnknownName, match="did you mean 'jsonl'"):
        location("t", "json1")
    with pytest.raises(TableError, match=r"'a\.json': JSON arrays are not read; write one object per line \(\.jsonl\)"):
        location("a.json")
    with pytest.raises(TableError) as stop:
        location("table.xlsx", written=True)
    assert str(stop.value) == (
        "cannot tell the format of 'table.xlsx' from its name; expected one of .csv, .tsv, .jsonl, .ndjson, .parquet, "
        ".pq (and .gz or .zst)"
    )


@pytest.mark.parametrize(("name", "rows"), [("t.csv", 3), ("t.jsonl", 3), ("t.parquet", 3), ("t.csv.gz", None)])
def test_rows_are_estimated_for_progress(name: str, rows: int | None, tmp_path: Path) -> None:
    """Rows are counted from the lines of plain files and from the footer of Parquet, but not in compressed files."""
    write(tmp_path / name, [{"text": t} for t in "abc"], {})
    assert estimate_rows(location(str(tmp_path / name))) == rows


HEADER, ROW = "the header of a table; use `input_format={}`", "a row of a table; use `input_format={}`"


@pytest.mark.parametrize(
    ("line", "column", "like"),
    [
        ("text,rating", None, HEADER.format("csv")),
        ('"id","text"', None, HEADER.format("csv")),
        ("id\ttext", None, HEADER.format("csv")),
        ("id;text", None, HEADER.format("csv")),
        ('{"id": 1, "text": "A cat."}', None, ROW.format("jsonl")),
        ("sentence,rating", "sentence", HEADER.format("csv")),
        ("sentence,rating", None, ""),
        ("text", None, ""),
        ("A text, and a comma.", None, ""),
        ("{text", None, ""),
    ],
)
def test_a_stream_that_looks_like_a_table_causes_a_warning(
    line: str, column: str | None, like: str, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """Standard input is text unless a format is named; the warning names the format."""
    said = f"standard input is read as one text per line; its first line looks like {like}"
    for where, warned in ((location("-"), [said] if like else []), (location("-", "txt"), [])):
        stream = io.BytesIO(f"{line}\ntext,text\n".encode())
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=stream))
        texts = [text for batch in read_batches(where, text_column=column) for text in batch.texts]
        assert texts == [line, "text,text"]
        assert [str(recwarn.pop(NaturalnessWarning).message) for _ in warned] == warned
        assert not recwarn.list


CELL = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(deadline=None, max_examples=40)
@given(rows=st.lists(st.fixed_dictionaries({"text": CELL, "b": CELL}), min_size=1, max_size=5))
def test_any_text_survives_csv_json_and_parquet(
    rows: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A cell keeps any characters when it is written and read."""
    folder = tmp_path_factory.mktemp("tables")
    for name in ("t.csv", "t.jsonl", "t.parquet"):
        write(folder / name, rows, {})
        assert read(folder / name)[0].rows == rows


def test_large_rows_are_held_in_smaller_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are bounded by bytes in every format; row numbers continue."""
    monkeypatch.setattr(limits, "MAX_BATCH_BYTES", 1000)
    rows = [{"text": "a" * 300, "n": str(i)} for i in range(10)]
    for name in ("t.csv", "t.jsonl", "t.parquet"):
        write(tmp_path / name, rows, {})
        batches = read(tmp_path / name)
        assert len(batches) > 1
        assert [row for batch in batches for row in batch.rows] == rows
        starts = [sum(len(b.rows) for b in batches[:i]) for i in range(len(batches))]
        assert [batch.first_row for batch in batches] == starts


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("\x1b[2J\n", "'\\x1b[2J\\n'"),
        ("a" * 99, f"'{'a' * 60}'…"),
        (b"\xff", "b'\\xff'"),
        ({"k": "\u202e"}, "{'k': '\\u202e'}"),
        ("\udcff", "'\\udcff'"),
    ],
)
def test_values_are_shown_in_messages(value: object, shown: str) -> None:
    """Values are quoted, shortened, and on one line."""
    assert excerpt(value) == shown


TABLES = [
    ("id,text\n1,Hello; there\n", ","),
    ("id;text\n1;Well, yes, I do.\n", ";"),
    ("text;rating\nWell, yes.;3,5\nNo.;2,0\n", ";"),
    ("id\ttext\n1\tWell, yes; I do.\n", "\t"),
    ("id|text\n1|Well, yes; I do.\n", "|"),
    ('id;text\n1;"Two\nlines; one cell"\n2;Fine.\n', ";"),
    # The column of texts decides before all else.
    ("text;rating, mean\nWell.;3,5\n", ";"),
    ("text\nHello; there\nGood morning; all\n", ","),
    ("text,a;b\nA cat.,1;2\nA dog.,3;4\n", ","),
    ('"id";"text"\n1;"A cat."\n2;A dog.;3\n', ";"),
    ("text\n", ","),
]


@pytest.mark.parametrize(("table", "delimiter"), TABLES)
def test_the_header_shows_the_delimiter(table: str, delimiter: str, tmp_path: Path) -> None:
    """A CSV table is read with the delimiter that its header implies."""
    path = tmp_path / "t.csv"
    path.write_text(table, newline="")
    (batch,) = read(path)
    header, *rows = csv.reader(table.splitlines(keepends=True), delimiter=delimiter)
    assert batch.columns == header
    assert batch.rows == [dict(zip(header, row, strict=False)) for row in rows]


def test_named_columns_are_read_as_text(tmp_path: Path) -> None:
    """A row without a value is empty; a missing column gets a suggestion."""
    where = location(str(tmp_path / "a.jsonl"))
    (tmp_path / "a.jsonl").write_text(
        '{"text": "One.", "id": 1, "system": "a"}\n{"text": "Two.", "id": 2.0}\nnot JSON\n'
        '{"text": 5, "id": null, "system": " b "}\n'
    )
    table = read_named(where, text_column=None, required=["system"], optional=["id", "mr"])
    assert table.texts == ["One.", "Two.", "", ""]
    assert list(map(bool, table.problems)) == [False, False, True, True]
    assert table.columns == {"system": ["a", "", "", "b"], "id": ["1", "2", "", ""]}
    with pytest.raises(TableError, match=r"no column 'sistem'; did you mean 'system'\?"):
        read_named(where, text_column=None, required=["sistem"])


@pytest.mark.parametrize(("name", "user"), [("t.parquet", "a Parquet table"), ("t.csv.zst", "a .zst file")])
def test_pyarrow_is_missing(name: str, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyarrow, reading and writing its formats raise an error with the extra to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "naturalness.data.parquet", raising=False)
    where = location(str(tmp_path / name))
    message = f"^{user} needs package 'pyarrow'; run: pip install '.\\[parquet\\]'"
    with pytest.raises(MissingPackage, match=message), open_writer(where):
        pass
    (tmp_path / name).write_bytes(b"PAR1")
    with pytest.raises(MissingPackage, match=message):
        list(read_batches(where))
