"""Types of values in each format, independent of the batch."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from naturalness.data import open_writer
from naturalness.data.batch import Batch
from naturalness.data.formats import location
from naturalness.data.writing import check_writable
from naturalness.errors import TableError
from tests.support.tables import read, write


def test_input_numbers_keep_all_digits(tmp_path: Path) -> None:
    """Numbers of the input keep all their digits; only new numbers are rounded."""
    rows = [{"text": "a", "x": 12345678.9, "big": 10**17}]
    write(tmp_path / "t.csv", rows, {"score": [0.123456789]})
    assert (tmp_path / "t.csv").read_text() == ("text,x,big,score\na,12345678.9,100000000000000000,0.123457\n")


@pytest.mark.parametrize("size", [1, 3, 64])
def test_types_do_not_depend_on_the_batch_size(size: int, tmp_path: Path) -> None:
    """Mixed numbers become floats, and mixed or nested values JSON text, for any batch size."""
    lines = [
        '{"text": "a", "n": 1, "m": 1, "d": {"x": 1}}',
        '{"text": "b", "n": 1.5, "m": "s"}',
        '{"text": "c", "n": null, "m": null, "late": true}',
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(lines))
    for name in ("u.parquet", "u.csv"):
        with open_writer(location(str(tmp_path / name))) as writer:
            for batch in read(tmp_path / "t.jsonl", batch_size=size):
                writer.write(batch, {})
    assert pq.read_table(tmp_path / "u.parquet").to_pylist() == [
        {"text": "a", "n": 1.0, "m": "1", "d": '{"x": 1}', "late": None},
        {"text": "b", "n": 1.5, "m": "s", "d": None, "late": None},
        {"text": "c", "n": None, "m": None, "d": None, "late": True},
    ]
    assert (tmp_path / "u.csv").read_text().splitlines()[0] == "text,n,m,d,late"


def test_a_value_that_does_not_fit_parquet_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value of another type than in the first rows is refused rather than truncated."""
    monkeypatch.setattr("naturalness.data.batch.HEAD", 1)
    with (
        pytest.raises(TableError, match=r"row 1 has 1\.5 in column 'n'"),
        open_writer(location(str(tmp_path / "t.parquet"))) as writer,
    ):
        for i, n in enumerate((1, 1.5)):
            writer.write(Batch(["n"], [{"n": n}], ["a"], [""], first_row=i), {})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be written to is an error before any work, with or without --force."""
    monkeypatch.setattr("naturalness.data.writing.os.access", lambda path, mode: path != tmp_path)
    for force in (False, True):
        with pytest.raises(TableError) as caught:
            check_writable(tmp_path / "t.csv", force=force)
        assert str(caught.value) == f"folder {str(tmp_path)!r} cannot be written to; name another place"
