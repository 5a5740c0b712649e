"""Tables: every format in and out, other columns unchanged, bad rows kept with a reason."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.data import limits, open_writer, read_batches
from naturalness.data.batch import Batch
from naturalness.data.formats import estimate_rows, location
from naturalness.data.reading import FIRST_ROWS
from naturalness.errors import NaturalnessWarning, TableError, UnknownName, excerpt
from tests.support.tables import read, write

ROWS = [
    {"id": "007", "text": "A cat.", "note": 'say "hi", now'},
    {"id": "1.50", "text": "Zwei\nZeilen", "note": ""},
    {"id": "x", "text": "emoji 😀", "note": "a\tb"},
]


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.jsonl", "t.jsonl.zst", "t.parquet"])
def test_rows_come_back_as_they_went(name: str, tmp_path: Path) -> None:
    """Ids with zeros, quotes, line ends and emoji survive; new columns are added at the end."""
    path = tmp_path / name
    write(path, ROWS, {"score": [0.5, float("nan"), 1.0]})
    (batch,) = read(path)
    assert batch.columns == ["id", "text", "note", "score"]
    assert [{k: row[k] for k in ("id", "text", "note")} for row in batch.rows] == ROWS
    assert batch.texts == [row["text"] for row in ROWS]
    assert [row["score"] for row in batch.rows][1] in ("", None)


def test_tsv_has_no_quoting(tmp_path: Path) -> None:
    """A quote is a character; tabs and line ends inside a cell become spaces."""
    write(tmp_path / "t.tsv", ROWS, {})
    lines = (tmp_path / "t.tsv").read_text().split("\n")
    assert lines == ["id\ttext\tnote", '007\tA cat.\tsay "hi", now', "1.50\tZwei Zeilen\t", "x\temoji 😀\ta b", ""]
    assert read(tmp_path / "t.tsv")[0].rows[0]["note"] == 'say "hi", now'


def test_a_text_file_has_one_text_per_line(tmp_path: Path) -> None:
    """With and without CR, a byte order mark, and an empty line in the middle."""
    (tmp_path / "t.txt").write_bytes(b"\xef\xbb\xbfOne.\r\n\nThree.")
    (batch,) = read(tmp_path / "t.txt")
    assert batch.texts == ["One.", "", "Three."]


BAD = [
    (
        "t.jsonl",
        '{"text": "fine"}\n{bad\n[1]\n{"text": 3}\n{"other": 1}\n{"text": null}\n',
        [
            "",
            "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
            "expected a JSON object, found list; write an object a line",
            "column 'text' holds int, not text",
            "no column 'text'",
            "empty text",
        ],
    ),
    (
        "t.csv",
        "id,text\n1,fine\n2\n3,a,b\n",
        ["", "malformed row: 1 cells, expected 2", "malformed row: 3 cells, expected 2"],
    ),
]


@pytest.mark.parametrize(("name", "content", "problems"), BAD, ids=["jsonl", "csv"])
def test_a_bad_row_keeps_its_place(name: str, content: str, problems: list[str], tmp_path: Path) -> None:
    """Each unreadable row has a problem and an empty text."""
    (tmp_path / name).write_text(content)
    (batch,) = read(tmp_path / name)
    assert batch.problems == problems
    assert batch.texts == ["fine", *[""] * (len(problems) - 1)]


@pytest.mark.parametrize("size", [1, 256])
def test_a_wrong_name_is_told_at_the_first_rows(size: int, tmp_path: Path) -> None:
    """Of JSON lines, too; where some row has the column, others may lack it."""
    path = tmp_path / "t.jsonl"
    rows = ['{"id": 1}', "[1]", *['{"txt": "A cat.", "id": 2}'] * (FIRST_ROWS - 3)]
    path.write_text("\n".join(rows))
    with pytest.raises(TableError, match=r"no column 'text'; did you mean 'txt'.* Name the column of texts with"):
        list(read_batches(location(str(path)), batch_size=size))
    path.write_text("\n".join([*rows, '{"text": "A dog."}']))
    batches = list(read_batches(location(str(path)), batch_size=size))
    assert [text for batch in batches for text in batch.texts] == [*[""] * (FIRST_ROWS - 1), "A dog."]
    path.write_text("[1]\n[2]\n")
    assert [problem[:22] for batch in read_batches(location(str(path))) for problem in batch.problems] == [
        "expected a JSON object"
    ] * 2


def test_bytes_that_are_not_utf8_are_kept(tmp_path: Path) -> None:
    """The row has a problem, and its bytes are written unchanged."""
    (tmp_path / "t.csv").write_bytes(b"id,text\n1,caf\xe9\n")
    (batch,) = read(tmp_path / "t.csv")
    assert batch.problems == ["not valid UTF-8"]
    with open_writer(location(str(tmp_path / "u.csv"))) as writer:
        writer.write(batch, {"reason": batch.problems})
    assert (tmp_path / "u.csv").read_bytes() == (b"id,text,reason\n1,caf\xe9,not valid UTF-8\n")


def test_parquet_types_pass_through(tmp_path: Path) -> None:
    """Integers stay integers, lists stay lists; features are floats."""
    table = pa.table({"id": [1, 2], "tags": [["a"], []], "text": ["One.", None]})
    pq.write_table(table, tmp_path / "t.parquet")
    (batch,) = read(tmp_path / "t.parquet")
    assert batch.problems == ["", "empty text"]
    with open_writer(location(str(tmp_path / "u.parquet"))) as writer:
        writer.write(batch, {"x": [0.5, float("nan")]})
    out = pq.read_table(tmp_path / "u.parquet")
    assert out.drop(["x"]).equals(table)
    assert out["x"].to_pylist() == [0.5, None]


def test_an_open_quote_costs_one_row(tmp_path: Path) -> None:
    """The lines after an unclosed quotation mark are rows of their own."""
    (tmp_path / "t.csv").write_text('text,n\n"a\nb",1\n"never closed,2\nnext,3\nlast,4\n')
    (batch,) = read(tmp_path / "t.csv")
    assert batch.texts == ["a\nb", "", "next", "last"]
    assert batch.problems == ["", "malformed row: a quotation mark is not closed", "", ""]


def test_a_table_without_rows_keeps_its_columns(tmp_path: Path) -> None:
    """A header alone gives a header, in CSV and in Parquet."""
    (tmp_path / "t.csv").write_text("text,id\n")
    (batch,) = read(tmp_path / "t.csv")
    for name in ("u.csv", "u.parquet"):
        with open_writer(location(str(tmp_path / name))) as writer:
            writer.write(batch, {"score": []})
        (again,) = read(tmp_path / name)
        assert again.columns == ["text", "id", "score"]
        assert again.rows == []


@pytest.mark.parametrize("name", ["t.txt.gz", "t.txt.zst"])
def test_damaged_compression_is_one_clear_error(name: str, tmp_path: Path) -> None:
    """The error names the file and asks whether it is really compressed."""
    (tmp_path / name).write_bytes(b"not compressed")
    with pytest.raises(TableError, match=r"cannot be decompressed .* is it really"):
        read(tmp_path / name)


ERRORS = [
    ("none.csv", None, "no file"),
    ("t.csv", "", "expected a header with column names, found an empty file"),
    ("t.csv", "id,words\n1,a\n", "no column 'text'; it has: id, words"),
    ("t.csv", "text,text\n1,a\n", "names a column twice: text"),
    ("t.parquet", "not parquet", "is not a Parquet file"),
]


@pytest.mark.parametrize(("name", "content", "message"), ERRORS)
def test_a_bad_table_is_one_clear_error(name: str, content: str | None, message: str, tmp_path: Path) -> None:
    """The error says what was found and what to do."""
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(TableError, match=message):
        read(tmp_path / name)


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    """Only --force overwrites; a failure leaves neither a file nor a part of one."""
    path = tmp_path / "t.csv"
    path.write_text("mine")
    with pytest.raises(TableError, match="exists"):
        write(path, ROWS, {})
    with pytest.raises(ZeroDivisionError), open_writer(location(str(path)), force=True) as writer:
        writer.write(Batch(["text"], [{"text": "a"}], ["a"], [""]), {})
        raise ZeroDivisionError
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]
    assert path.read_text() == "mine"


def test_a_column_is_never_overwritten(tmp_path: Path) -> None:
    """A new column with the name of an old one is refused."""
    with pytest.raises(TableError, match="has a column 'note' already"):
        write(tmp_path / "t.csv", ROWS, {"note": [1, 2, 3]})


def test_a_late_column_is_refused_where_rows_must_agree(tmp_path: Path) -> None:
    """CSV has one header; rows of JSON lines may differ."""
    rows = [{"text": "a"}, {"text": "b", "late": 1}]
    with (
        pytest.raises(TableError, match="'late' does not appear in the first"),
        open_writer(location(str(tmp_path / "t.csv"))) as writer,
    ):
        writer.write(Batch(["text"], rows[:1], [""], [""]), {})
        writer.write(Batch(["text", "late"], rows[1:], [""], [""]), {})


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
def test_the_name_tells_the_format(name: str, expected: tuple[str, str | None]) -> None:
    """The suffixes determine the format, in any case."""
    where = location(name)
    assert (where.format, where.compression) == expected


@pytest.mark.parametrize(("name", "rows"), [("t.csv", 3), ("t.jsonl", 3), ("t.parquet", 3), ("t.csv.gz", None)])
def test_rows_are_estimated_for_progress(name: str, rows: int | None, tmp_path: Path) -> None:
    """Plain files by lines, Parquet by its footer, compressed files not at all."""
    write(tmp_path / name, [{"text": t} for t in "abc"], {})
    assert estimate_rows(location(str(tmp_path / name))) == rows


def test_an_unknown_format_is_an_error() -> None:
    """An unknown suffix and an unknown option are errors."""
    with pytest.raises(TableError, match="cannot tell the format"):
        location("table.xlsx")
    with pytest.raises(UnknownName, match="did you mean 'jsonl'"):
        location("t", "json1")
    with pytest.raises(TableError, match=r"'a\.json': JSON arrays are not read; write an object a line \(\.jsonl\)"):
        location("a.json")


def test_what_can_be_written_is_named() -> None:
    """The error for an output lists only formats with columns, and no input options."""
    with pytest.raises(TableError) as stop:
        location("table.xlsx", written=True)
    assert str(stop.value) == (
        "cannot tell the format of 'table.xlsx' by its name; expected one of .csv, .tsv, .jsonl, .ndjson, .parquet, "
        ".pq (and .gz or .zst)"
    )


FIRST_LINES = [
    ("text,rating", None, "the header of a table: `input_format=csv`"),
    ('"id","text"', None, "the header of a table: `input_format=csv`"),
    ("id\ttext", None, "the header of a table: `input_format=tsv`"),
    ("id;text", None, "the header of a table: `input_format=csv`"),
    ('{"id": 1, "text": "A cat."}', None, "a row of a table: `input_format=jsonl`"),
    ("sentence,rating", "sentence", "the header of a table: `input_format=csv`"),
    ("sentence,rating", None, ""),
    ("text", None, ""),
    ("A text, and a comma.", None, ""),
    ("{text", None, ""),
]


@pytest.mark.parametrize(("line", "column", "like"), FIRST_LINES)
def test_a_stream_that_looks_like_a_table_is_noticed(
    line: str, column: str | None, like: str, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """Standard input is text unless a format is named; a warning names the format."""
    said = f"standard input is read as one text a line; its first line looks like {like}"
    for where, warned in ((location("-"), [said] if like else []), (location("-", "txt"), [])):
        stream = io.BytesIO(f"{line}\ntext,text\n".encode())
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=stream))
        texts = [text for batch in read_batches(where, text_column=column) for text in batch.texts]
        assert texts == [line, "text,text"]
        assert [str(recwarn.pop(NaturalnessWarning).message) for _ in warned] == warned
        assert not recwarn.list


def test_a_table_in_another_encoding_is_named(tmp_path: Path) -> None:
    """The error says how to convert it."""
    for name in ("t.csv", "t.jsonl", "t.txt"):
        (tmp_path / name).write_text("text\nA cat.\n", encoding="utf-16")
        with pytest.raises(TableError, match=rf"^'.*{name}' is in UTF-16 or UTF-32; expected UTF-8. Convert it first"):
            read(tmp_path / name)


CELL = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(deadline=None, max_examples=40)
@given(rows=st.lists(st.fixed_dictionaries({"text": CELL, "b": CELL}), min_size=1, max_size=5))
def test_any_text_survives_csv_json_and_parquet(
    rows: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Any characters of a cell survive."""
    folder = tmp_path_factory.mktemp("tables")
    for name in ("t.csv", "t.jsonl", "t.parquet"):
        write(folder / name, rows, {})
        (batch,) = read(folder / name)
        assert batch.rows == rows


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_deep_json_is_a_bad_row(tmp_path: Path, suffix: str) -> None:
    """JSON nested too deeply to be written is a bad row; its neighbours are read."""
    deep = "[" * 900 + "]" * 900
    (tmp_path / "t.jsonl").write_text(f'{{"text": "a", "x": {deep}}}\n{{"text": "b", "x": [[]]}}\n{{"text": {deep}}}\n')
    (batch,) = read(tmp_path / "t.jsonl")
    deeper = "lists or objects nested deeper than 100 levels"
    assert batch.problems == [deeper, "", deeper]
    with open_writer(location(str(tmp_path / f"u.{suffix}"))) as writer:
        writer.write(batch, {"reason": batch.problems})
    (again,) = read(tmp_path / f"u.{suffix}")
    assert [row["reason"] for row in again.rows] == batch.problems


def test_names_that_are_not_utf8_are_written_to_parquet(tmp_path: Path) -> None:
    """Each invalid byte becomes U+FFFD, in nested values too."""
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


OVER = "a line of 5,000 bytes; at most 1,000 are read"
LONG = [
    ("t.txt", "One.\n{}\nTwo.\n", ["", OVER, ""]),
    ("t.txt", "{}\n", [OVER]),
    ("t.jsonl", '{{"text": "One."}}\n{}\n{{"text": "Two."}}', ["", OVER, ""]),
    ("t.csv", "text\nOne.\n{}\nTwo.\n", ["", f"malformed row: {OVER}", ""]),
    ("t.tsv", "text\nOne.\n{}\nTwo.\n", ["", f"malformed row: {OVER}", ""]),
    (
        "t.csv",
        'text\n"One.\n{}\nTwo.\n',
        ["malformed row: a quotation mark is not closed", f"malformed row: {OVER}", ""],
    ),
]


@pytest.mark.parametrize(("name", "content", "problems"), LONG)
def test_a_giant_line_costs_its_own_row(
    name: str, content: str, problems: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows around a giant line keep their places."""
    monkeypatch.setattr(limits, "MAX_LINE_BYTES", 1000)
    (tmp_path / name).write_text(content.format("a" * 4999))
    (batch,) = read(tmp_path / name)
    assert [problem.replace("4,999", "5,000") for problem in batch.problems] == problems


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
        ("plain", "'plain'"),
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
    assert batch.delimiter == delimiter
    header, *rows = csv.reader(table.splitlines(keepends=True), delimiter=delimiter)
    assert batch.columns == header
    assert batch.rows == [dict(zip(header, row, strict=False)) for row in rows]


def test_a_named_text_column_decides_on_the_delimiter(tmp_path: Path) -> None:
    """Of two delimiters that split the header, the one that yields the named column is used."""
    (tmp_path / "t.csv").write_text("sentence;mean, of two\nWell.;3,5\n")
    (batch,) = read_batches(location(str(tmp_path / "t.csv")), text_column="sentence")
    assert batch.columns == ["sentence", "mean, of two"]
