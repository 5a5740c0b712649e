"""Spellings of 0.1.0: understood for one more release, with a line that says what to write."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

import pytest

from naturalness.cli import COMMANDS, build_parser, parse, run
from naturalness.cli.spellings import MOVED, RENAMED, valued_options

ROOT = Path(__file__).parents[2]
Captured = pytest.CaptureFixture[str]

OLD = [
    # Typed, as it is written now, and what is said.
    ("score x --fail-under 0.3", "score x --min-score 0.3", "--fail-under is now --min-score"),
    ("score x --fail-under=0.3", "score x --min-score 0.3", "--fail-under is now --min-score"),
    ("score x --metric slor", "score x --metrics slor", "--metric is now --metrics"),
    ("label t.csv -o o.csv --metric slor", "label t.csv -o o.csv --metrics slor", "--metric is now --metrics"),
    ("label t.csv o.csv", "label t.csv -o o.csv", "label IN OUT is now label IN -o OUT"),
    ("label --fast t.csv --prefix p_ o.csv", "label t.csv -o o.csv --fast --prefix p_", "label IN OUT is now"),
    ("label - - --workers 2", "label - -o - --jobs 2", "label IN OUT is now label IN -o OUT; --workers is now --jobs"),
    ("train t.csv -o m --rating-column a", "train t.csv -o m --rating-columns a", "--rating-column is now"),
    ("train t.csv -o m --ratings-columns a,b", "train t.csv -o m --rating-columns a,b", "--ratings-columns is now"),
    (
        "compare t.csv --rating-columns a --ratings-column b",
        "compare t.csv --rating-columns a,b",
        "--ratings-column is now --rating-columns",
    ),
    ("lm lstm t.txt -o m --beside w --threads 2", "lm lstm t.txt -o m --beside w --jobs 2", "--threads is now --jobs"),
    ("lm mix a b --on t.txt -o m", "lm mix a b --held-out t.txt -o m", "--on is now --held-out"),
    ("explain x -o p.html --most 5", "explain x -o p.html --show 5", "--most is now --show"),
    ("features --list", "groups", "features --list is now groups"),
    ("features --list --features pos,lexical --format json", "groups pos,lexical --format json", "is now groups"),
    ("features --show-tree x --trees 2", "trees x --trees 2", "features --show-tree TEXT is now trees TEXT"),
    ("features x --show-words --quiet", "words x", "features --show-words TEXT is now words TEXT"),
    (
        "report mine rated.csv",
        "report raters rated.csv --model mine",
        "report [MODEL] TABLE is now report raters TABLE [--model MODEL]",
    ),
    ("report rated.csv --fast --sentences 9", "report raters rated.csv --fast --show 9", "; --sentences is now --show"),
    (
        "report mine rated.csv -o p.html --json p.json",
        "report raters rated.csv -o p.html -o p.json --model mine",
        "--json is now --output",
    ),
    ("report rated.csv --by genre", "report raters rated.csv --by genre", "is now report raters"),
    (
        "report unrated.csv --by genre --worst 3",
        "report systems unrated.csv --system-column genre --show 3",
        "report [MODEL] TABLE --by COLUMN is now report systems TABLE [--model MODEL] "
        "--system-column COLUMN; --worst is now --show",
    ),
    (
        "report mine new.csv --before old.csv --fail-if-worse",
        "report change old.csv new.csv --model mine --fail-if-worse",
        "report [MODEL] TABLE --before OLD is now report change OLD TABLE [--model MODEL]",
    ),
    ("generate t.txt --method pos -n 9", "generate pos t.txt -n 9", "generate CORPUS --method METHOD is now"),
    ("evaluate fast rated.csv", "evaluate rated.csv --model fast", "evaluate MODEL TABLE is now"),
    ("serve mine --port 80", "serve --model mine --port 80", "serve MODEL is now serve --model MODEL"),
    ("annotate t.csv -o p.project --scale slider", "annotate new t.csv -o p.project --scale slider", "annotate new"),
    ("annotate p.project --overlap 2", "annotate open p.project --overlap 2", "annotate PROJECT is now annotate open"),
    (
        "annotate p.project --export r.csv --force",
        "annotate export p.project -o r.csv --force",
        "annotate PROJECT --export RATED is now annotate export PROJECT -o RATED",
    ),
    ("--debug serve mine", "--debug serve --model mine", "serve MODEL is now serve --model MODEL"),
]


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with ratings and one without."""
    monkeypatch.chdir(tmp_path)
    Path("rated.csv").write_text("text,rating,genre\nIt rained.,3,news\n")
    Path("unrated.csv").write_text("text,genre\nIt rained.,news\n")


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(("old", "new", "note"), OLD, ids=[old for old, _, _ in OLD])
def test_an_old_spelling_is_understood(old: str, new: str, note: str, capsys: Captured) -> None:
    """It means what the new one means; one line says so, and the new one says nothing."""
    read = parse(shlex.split(old))
    line = capsys.readouterr().err
    assert line.startswith("note: ") and line.count("\n") == 1 and note in line
    assert vars(read) == vars(parse(shlex.split(new)))
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("tables")
def test_every_old_spelling_is_tested(capsys: Captured) -> None:
    """Each row of the tables is said of one of them, or stands in a row that is."""
    for old, _, _ in OLD:
        parse(shlex.split(old))
    notes = capsys.readouterr().err
    for moved in MOVED:
        assert f"{moved.old} is now {moved.new}" in notes
    for renamed in RENAMED:
        assert f"{renamed.old} is now {renamed.new}" in notes or any(renamed.old in row.old.split() for row in MOVED)


def test_the_line_comes_before_the_result(capfd: Captured) -> None:
    """On standard error; standard output is as ever."""
    assert run(["features", "--list", "--features", "pos"]) == 0
    out, err = capfd.readouterr()
    assert err == "note: features --list is now groups\n"
    assert out.startswith("## pos\n")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("report systms t.csv", "unknown command 'systms'; did you mean 'systems'?"),
        ("annotate opn p.project", "unknown command 'opn'; did you mean 'open'?"),
        ("report", "expected REPORT"),
        ("annotate", "expected ACTION"),
        ("label a.csv b.csv c.csv", "found 3 inputs, expected one TABLE; leave out 'b.csv' and 'c.csv'"),
        ("label a.csv b.csv -o c.csv", "found 2 inputs, expected one TABLE; leave out 'b.csv'"),
    ],
)
def test_what_was_never_a_spelling_is_an_error(typed: str, meant: str, capsys: Captured) -> None:
    """Of today's commands, and without a note."""
    with pytest.raises(SystemExit) as stop:
        parse(typed.split())
    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert meant in error and "note:" not in error


def test_words_behind_two_dashes_stay(capsys: Captured) -> None:
    """They are texts, whatever they look like."""
    assert parse(["score", "--fast", "--", "--metric", "--fail-under"]).input == ["--metric", "--fail-under"]
    assert capsys.readouterr().err == ""


def inner(parser: argparse.ArgumentParser, command: str) -> argparse.ArgumentParser:
    """The parser of a command inside a command."""
    for word in command.split():
        (actions,) = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        parser = actions.choices[word]
    return parser


@pytest.mark.parametrize("renamed", RENAMED, ids=lambda renamed: renamed.old)
def test_the_table_names_what_there_is(renamed: object) -> None:
    """The new option is one of the command's, with a value; the old one is not, nor is it in the help."""
    assert isinstance(renamed, type(RENAMED[0]))
    for command in renamed.commands:
        parser = inner(build_parser(), command)
        options = valued_options(parser)
        assert options[renamed.new] and renamed.old not in options
        assert f"{renamed.old} " not in parser.format_help()


def test_moved_commands_are_commands() -> None:
    """Old and new."""
    for moved in MOVED:
        assert moved.command in COMMANDS
        inner(build_parser(), " ".join(word for word in moved.new.split()[:2] if word.islower() and word[0] != "-"))


def test_the_page_on_upgrading_has_them_all() -> None:
    """Before and after, as the tables have it."""
    page = (ROOT / "docs" / "upgrading.md").read_text(encoding="utf-8")
    for moved in MOVED:
        assert f"| `{moved.old}` | `{moved.new}` |" in page
    shown = [word for moved in MOVED for word in moved.old.split()]
    for renamed in RENAMED:
        commands = ", ".join(f"`{command}`" for command in renamed.commands)
        assert renamed.old in shown or f"| `{renamed.old}` ({commands}) | `{renamed.new}` |" in page
