"""Options that all commands share, and how they are parsed."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import naturalness
from naturalness import __version__
from naturalness.cli import COMMANDS, SECTIONS, build_parser, run
from naturalness.cli.parser import Parser, as_options
from tests.support.commands import Captured, Cli, run_line

PACKAGE = Path(naturalness.__file__).parent
LIBRARY = ("data", "statistics", "text", "models", "metrics", "features", "judging", "pipelines", "adapting", "reports")
"""Rooms of the package that are called from Python."""


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and the parsers of all its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from parsers(child)


VALUED = [
    pytest.param(parser, action, id=f"{parser.prog} {action.option_strings[-1]}")
    for parser in parsers(build_parser())
    for action in parser._actions
    if action.option_strings and action.nargs != 0
]
"""Every option of every command that takes a value."""


def test_there_are_options() -> None:
    """The list of options is not empty, so the next test is not vacuous."""
    assert len(VALUED) > 150
    assert {parser.prog.split()[1] for parser, _ in (p.values for p in VALUED)} >= {"score", "train", "lm"}


@pytest.mark.parametrize(("parser", "action"), VALUED)
def test_a_repeated_option_is_an_error(parser: argparse.ArgumentParser, action: argparse.Action) -> None:
    """A repeated option adds to its list or is an error; its first value is never silently replaced."""
    name, values = action.option_strings[-1], argparse.Namespace()
    setattr(values, action.dest, None)
    action(parser, values, "first", name)
    if isinstance(action, argparse._AppendAction):
        action(parser, values, "second", name)
        assert getattr(values, action.dest) == ["first", "second"]
        return
    with pytest.raises(argparse.ArgumentError, match=f"given twice; expected once: {name} "):
        action(parser, values, "second", name)
    assert getattr(values, action.dest) == "first"
    again = argparse.Namespace()
    action(parser, again, "second", name)
    assert getattr(again, action.dest) == "second"


MEANINGS = {
    "--scale": 2,  # of a new project; of ratings
    "--output": 3,  # a table or a page, a folder, a project
}
"""Options whose value is called otherwise in some commands, and how often."""


def test_one_thing_has_one_name() -> None:
    """An option takes the same kind of value in every command, and no option has both a singular and a plural name."""
    values: dict[str, set[object]] = {}
    for parser, action in (p.values for p in VALUED):
        assert isinstance(parser, argparse.ArgumentParser) and isinstance(action, argparse.Action)
        values.setdefault(action.option_strings[-1], set()).add(action.metavar)
    assert {name: len(kinds) for name, kinds in values.items() if len(kinds) > 1} == MEANINGS
    assert not {name for name in values if f"{name}s" in values}
    assert {"--min-score", "--metrics", "--rating-columns", "--jobs", "--model"} <= set(values)


def test_a_model_has_its_short_form() -> None:
    """Every command with --model also has --fast."""
    for parser in parsers(build_parser()):
        names = {name for action in parser._actions for name in action.option_strings}
        assert ("--model" in names) == ("--fast" in names), parser.prog


def test_a_command_shows_parameters_as_options(tmp_path: Path, cli: Cli) -> None:
    """An error that names a parameter in Python names the corresponding option on the command line."""
    said = "no `text_column`; `input_format=csv`, `source_column=Source ID` or `x y` = 1"
    assert as_options(said) == "no --text-column; --input-format csv, --source-column 'Source ID' or `x y` = 1"
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    assert "Name the column of texts with --text-column\n" in cli(2, "train", path, "-o", tmp_path / "m").err


def raised(path: Path) -> list[str]:
    """Return the string literals in the `raise` statements of a file."""
    raises = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Raise))
    inner = (part for node in raises for part in ast.walk(node))
    return [part.value for part in inner if isinstance(part, ast.Constant) and isinstance(part.value, str)]


@pytest.mark.parametrize("room", LIBRARY)
def test_errors_of_the_library_name_no_options(room: str) -> None:
    """Errors raised by the library name parameters, which the command line shows as options."""
    files = (PACKAGE / room).rglob("*.py")
    spoken = [text for path in files for text in raised(path) if re.search(r"(^|[\s(])--[a-z]", text)]
    assert [text for text in spoken if "naturalness" not in text and "benepar" not in text] == []


def test_the_version_is_printed(capfd: Captured) -> None:
    """--version prints the version on standard output and exits with 0."""
    with pytest.raises(SystemExit) as stop:
        run_line("--version")
    assert stop.value.code == 0
    assert capfd.readouterr().out == f"naturalness {__version__}\n"


def test_without_a_command_the_help_is_shown(cli: Cli) -> None:
    """Without a command, the help lists every command once, in sections."""
    shown = cli(0, []).out
    heads = [line.removesuffix(":") for line in shown.splitlines() if line.endswith(":") and line[0] != " "]
    assert heads == [*SECTIONS, "options", "examples"]
    listed = [line.split()[0] for line in shown.splitlines() if line[:2] == "  " and line[2:3].islower()]
    listed = [word for word in listed if word != "naturalness"]
    assert tuple(listed) == COMMANDS
    assert max(map(len, shown.splitlines())) <= 80


EXAMPLES = [
    pytest.param(example, id=example)
    for parser in parsers(build_parser())
    if isinstance(parser, Parser)
    for example in parser.examples
]


def test_every_command_shows_examples() -> None:
    """The help of every command and subcommand ends with examples, one per line."""
    for parser in parsers(build_parser()):
        assert isinstance(parser, Parser) and parser.examples, parser.prog
        assert all(example.startswith(f"{parser.prog} ") or example == parser.prog for example in parser.examples)
        assert "\n".join(["examples:", *(f"  {line}" for line in parser.examples)]) in parser.format_help()


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_commands(example: str) -> None:
    """Each example uses only existing options and values."""
    program, *arguments = shlex.split(example.partition(" > ")[0])
    assert program == "naturalness"
    build_parser().parse_args(arguments)


NEEDY = [
    pytest.param(parser, id=parser.prog)
    for parser in parsers(build_parser())
    if " " in parser.prog and any(action.required and action.nargs != "*" for action in parser._actions)
]
"""Commands that do nothing without an argument."""


@pytest.mark.parametrize("parser", NEEDY)
def test_a_bare_command_shows_one_example(parser: Parser, capsys: Captured) -> None:
    """A missing argument is a one-line error that names the argument and shows an example."""
    with pytest.raises(SystemExit) as stop:
        run(parser.prog.split()[1:])
    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert error.startswith("error: expected ") and error.count("\n") == 1
    assert error.endswith(f"; for example: {parser.examples[0]}; see: {parser.prog} --help\n")


TYPOS = [
    # Commands, and those inside commands.
    ("scroe x", "unknown command 'scroe'; did you mean 'score'? See: naturalness --help"),
    ("featurs x", "unknown command 'featurs'; did you mean 'features'?"),
    # Options.
    ("score x --formt csv", "unknown option --formt; did you mean '--format'? See: naturalness score --help"),
    ("label texts.csv --jbos=2", "unknown option --jbos; did you mean '--jobs'? See: naturalness label --help"),
    # Arguments that are missing, or too many.
    ("train", "expected RATED and -o/--output; for example: naturalness train"),
    ("doctor texts.csv", "unexpected 'texts.csv'; expected options alone; see: naturalness doctor --help"),
    ("score x --fast y", "unexpected 'y'; expected INPUT, with no option between"),
    # Values that are chosen from a list.
    ("score x --format jsn", "argument --format: unknown value 'jsn'; did you mean 'json'?"),
    ("train texts.csv -o m --threshold acuracy", "found 'acuracy'; did you mean 'accuracy'? Expected a number from 0"),
    # Models.
    ("score x --model defalt", "no model at 'defalt'; did you mean 'default'?"),
    ("features x --features lm:wrods", "no language model 'wrods'; did you mean 'words'? Expected words, pieces, tags"),
    # Files, and their formats.
    ("score text.csv", "no file 'text.csv'; did you mean 'texts.csv'?"),
    (
        "features x -o out.cvs",
        "cannot tell the format of 'out.cvs' from its name; did you mean '.csv'? Expected one of",
    ),
    # Columns, and what stands between them.
    ("score texts.csv --text-column sentnce", "no column 'sentnce'; did you mean 'sentence'? It has: sentence, systm"),
    # Groups of features, metrics, fields, registers, scales.
    ("features x --features lexcal", "unknown feature group 'lexcal'; did you mean 'lexical'?"),
    ("score x --metrics slro", "unknown metric 'slro'; did you mean 'slor'?"),
    ("score x --register nwes", "unknown register 'nwes'; did you mean 'news'?"),
    ("annotate texts.csv -o p.project --text-column sentence --scale slidr", "did you mean 'slider'?"),
]
"""Lines as typed, and what they are told."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with tables and a model."""
    monkeypatch.chdir(tmp_path)
    tables = {"texts.csv": "sentence,systm\nIt rained.,a\n", "texts.txt": "It rained all day in the old town.\n"}
    for name, text in tables.items():
        Path(name).write_text(text)
    Path("mine/model").mkdir(parents=True)
    Path("mine/model/manifest.json").write_text("{}")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("typed", "meant"), TYPOS, ids=[typed for typed, _ in TYPOS])
def test_a_typo_gets_a_suggestion(typed: str, meant: str, capsys: Captured) -> None:
    """A typo is a one-line error with exit code 2 that suggests a correction or refers to the help."""
    if typed.startswith("annotate"):
        pytest.importorskip("uvicorn")
    try:
        code: object = run(typed.split())
    except SystemExit as stop:
        code = stop.code
    error = capsys.readouterr().err
    assert code == 2
    assert meant in error and error.startswith("error: ") and error.count("\n") == 1
