"""Tables of pairs of texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from naturalness.data.formats import location
from naturalness.data.paired import pair_columns, read_pairs
from naturalness.data.rated import RatedTexts
from naturalness.data.reading import first_columns
from naturalness.errors import TableError
from tests.support.pairs import PAIRS, write_pairs


def read(path: Path, source: str | None = None) -> RatedTexts:
    """Return the pairs of a table that is recognised by its columns."""
    where = location(str(path))
    columns = pair_columns(first_columns(where), where.path, source)
    assert columns is not None
    return read_pairs(where, columns)


def write(path: Path, text: str) -> Path:
    """Write a table."""
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_are_unique_and_pairs_are_indices(tmp_path: Path) -> None:
    """Each text is listed once; pairs list the better text first, with the phenomenon."""
    pairs = read(write_pairs(tmp_path / "pairs.csv"))
    text_pairs = [(pairs.texts[good], pairs.texts[bad]) for good, bad in pairs.pairs]
    assert text_pairs == [(good, bad) for _, good, bad in PAIRS]
    assert pairs.phenomena == [what for what, _, _ in PAIRS]
    assert len(set(pairs.groups)) == len(PAIRS)
    assert all(pairs.groups[good] == pairs.groups[bad] for good, bad in pairs.pairs)
    assert pairs.rule_note == "24 pairs"


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_columns_are_known_before_rows_are_read(tmp_path: Path, ending: str) -> None:
    """Pairs are recognised in every format; a table with a text column holds texts."""
    path = tmp_path / f"pairs.{ending}"
    row = {"good": "A plain one.", "bad": "A one plain."}
    if ending == "jsonl":
        write(path, "{broken\n" + '{"good": "Fine."}\n' + json.dumps(row) + "\n")
    elif ending == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist([row]), path)
    else:
        mark = "," if ending == "csv" else "\t"
        write(path, f"good{mark}bad\nA plain one.{mark}A one plain.\n")
    assert first_columns(location(str(path))) == ["good", "bad"]
    assert len(read(path).pairs) == 1
    assert pair_columns(["text", "good", "bad"], "t.csv") is None
    assert pair_columns(["text", "rating"], "t.csv") is None
    assert pair_columns(["good", "rating"], "t.csv") is None


EXPORTED = """first,second,better,first_text,second_text,rater,settled,again,test
0,1,first,Plain.,Odd is.,ann,false,false,false
1,0,first,Odd is.,Plain.,bob,false,false,false
0,1,first,Plain.,Odd is.,cid,false,false,false
0,1,second,Plain.,Odd is.,cid,false,true,false
2,3,second,Third.,Fourth.,ann,false,false,false
2,3,first,Third.,Fourth.,bob,false,false,false
2,3,second,Third.,Fourth.,ann,true,false,false
4,5,first,Fifth.,Sixth.,ann,false,false,false
4,5,second,Fifth.,Sixth.,bob,false,false,false
6,7,same,Seventh.,Eighth.,ann,false,false,false
8,9,third,Ninth.,Tenth.,ann,false,false,false
"""


def test_answers_of_an_annotation(tmp_path: Path) -> None:
    """The majority of first answers decides, a settled answer overrides it, and ties are left out."""
    pairs = read(write(tmp_path / "answers.csv", EXPORTED))
    text_pairs = [(pairs.texts[good], pairs.texts[bad]) for good, bad in pairs.pairs]
    assert text_pairs == [("Plain.", "Odd is."), ("Fourth.", "Third.")]
    assert pairs.left_out == {
        "neither text is preferred": 3,
        "answer to a question that was asked again": 1,
        "neither first, second nor same in column 'better', as 'third'": 1,
    }
    assert pairs.merged == 4


def test_unusable_rows_are_counted(tmp_path: Path) -> None:
    """Empty or equal texts are counted; a table with nothing else is refused."""
    path = write(tmp_path / "t.csv", "good,bad\nA one.,\nSame., Same. \nA two.,Two a.\n")
    assert read(path).left_out == {"empty text": 1, "both texts are the same": 1}
    write(path, "good,bad\n,A one.\n")
    with pytest.raises(TableError, match=r"no pair of .* can be used: empty text \(1\)"):
        read(path)


def test_pairs_that_share_a_text_or_a_source_form_a_group(tmp_path: Path) -> None:
    """Groups are connected through other pairs, too."""
    rows = [f"Good {n}.,Bad {n}.,s{n}" for n in range(8)]
    rows += ["Good 0.,Bad 1.,x", "Good 2.,Worse 2.,s3"]
    path = write(tmp_path / "t.csv", "good,bad,source\n" + "\n".join(rows) + "\n")
    pairs = read(path)
    group = dict(zip(pairs.texts, pairs.groups, strict=True))
    assert group["Good 0."] == group["Bad 1."] == group["Good 1."]
    assert group["Good 2."] == group["Bad 3."]
    assert group["Good 4."] != group["Good 5."]


def test_a_text_that_is_typed_differently(tmp_path: Path) -> None:
    """Texts with the same letters share a group."""
    rows = [f"Good {n}.,Bad {n}." for n in range(20)] + ["“Good  1.”,Worse 1."]
    pairs = read(write(tmp_path / "t.csv", "good,bad\n" + "\n".join(rows) + "\n"))
    group = dict(zip(pairs.texts, pairs.groups, strict=True))
    assert group["“Good  1.”"] == group["Bad 1."] != group["Bad 2."]


def test_the_column_of_sources(tmp_path: Path) -> None:
    """The column ``source`` is used by default, as a note says; another one can be named, and is proposed."""
    rows = "".join(f"Good {n}.,Bad {n}.,{n // 2}\n" for n in range(24))
    used = read(write(tmp_path / "a.csv", "good,bad,source\n" + rows))
    assert used.source_note == "pairs with the same 'source' are kept together"
    unused = read(write(tmp_path / "b.csv", "good,bad,prompt\n" + rows))
    assert unused.source_note.startswith("24 pairs have 12 values of 'prompt': if these are their sources, `source_col")
    assert len(set(used.groups)) == 12 and len(set(unused.groups)) == 24
    named = read(tmp_path / "b.csv", "prompt")
    assert named.groups == used.groups
    with pytest.raises(TableError, match="no column 'promt'; did you mean 'prompt'"):
        read(tmp_path / "b.csv", "promt")


def test_pairs_that_link_all_texts_do_not_form_one_group(tmp_path: Path) -> None:
    """If pairs connect all texts, as in an annotation, only texts of a source form a group."""
    rows = [f"Text {n}.,Text {n + 1}.," for n in range(30)] + ["Text 0.,Text 9.,s"]
    path = write(tmp_path / "t.csv", "good,bad,source\n" + "\n".join(rows) + "\n")
    pairs = read(path)
    assert len(set(pairs.groups)) == 30
    group = dict(zip(pairs.texts, pairs.groups, strict=True))
    assert group["Text 0."] == group["Text 9."]
    assert "pairs link 100% of the texts" in pairs.rule_note
