"""What all commands have in common: how their options are read."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator

import pytest

from naturalness import __version__
from naturalness.cli import COMMANDS, SECTIONS, build_parser, run
from naturalness.cli.parser import Parser


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of all its commands."""
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
    """So that the next test cannot pass for want of any."""
    assert len(VALUED) > 150
    assert {parser.prog.split()[1] for parser, _ in (p.values for p in VALUED)} >= {
        "score",
        "label",
        "train",
        "compare",
        "lm",
        "annotate",
    }


@pytest.mark.parametrize(("parser", "action"), VALUED)
def test_no_value_is_dropped_in_silence(parser: argparse.ArgumentParser, action: argparse.Action) -> None:
    """An option that comes twice adds to its list, or is an error."""
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


def test_an_option_that_comes_twice_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Under its other name, too."""
    with pytest.raises(SystemExit) as stop:
        build_parser().parse_args(["train", "t.csv", "--rating-column", "a", "--rating-columns", "b"])
    assert stop.value.code == 2
    assert capsys.readouterr().err == (
        "error: argument --rating-columns/--rating-column: given twice; expected once: "
        "--rating-columns A,B; see: naturalness train --help\n"
    )


def test_the_version_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """On standard output, exit 0."""
    with pytest.raises(SystemExit) as stop:
        run(["--version"])
    assert stop.value.code == 0
    assert capfd.readouterr().out == f"naturalness {__version__}\n"


def test_without_a_command_the_help_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    """In groups, every command in one of them."""
    assert run([]) == 0
    shown = capfd.readouterr().out
    heads = [line.removesuffix(":") for line in shown.splitlines() if line.endswith(":") and line[0] != " "]
    assert heads == [*SECTIONS, "options"]
    listed = [line.split()[0] for line in shown.splitlines() if line[:2] == "  " and line[2:3].islower()]
    assert tuple(listed) == COMMANDS
    assert max(map(len, shown.splitlines())) <= 80


EXAMPLES = [
    pytest.param(example, id=example)
    for parser in parsers(build_parser())
    if isinstance(parser, Parser)
    for example in parser.examples
]


def test_every_command_shows_examples() -> None:
    """Below its options, in lines of their own."""
    for parser in parsers(build_parser()):
        if parser.prog.count(" ") and not parser.prog.startswith("naturalness assets "):
            assert isinstance(parser, Parser) and parser.examples, parser.prog
            assert "\n".join(["examples:", *(f"  {line}" for line in parser.examples)]) in parser.format_help()


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_commands(example: str) -> None:
    """With options and values that there are."""
    program, *arguments = shlex.split(example)
    assert program == "naturalness"
    build_parser().parse_args(arguments)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("scroe", "unknown command 'scroe'; did you mean 'score'?; see: naturalness --help"),
        ("expalin x", "unknown command 'expalin'; did you mean 'explain'?"),
        ("chekc a.md", "did you mean 'check'?"),
        ("lable a.csv b.csv", "did you mean 'label'?"),
        ("anotate a.csv", "did you mean 'annotate'?"),
        ("trian a.csv", "did you mean 'train'?"),
        ("evalute m a.csv", "did you mean 'evaluate'?"),
        ("reprot m a.csv", "did you mean 'report'?"),
        ("feature x", "did you mean 'features'?"),
        ("docter", "did you mean 'doctor'?"),
        ("lm trian a.txt -o m", "did you mean 'train'?; see: naturalness lm --help"),
        ("score x --formt csv", "unknown option --formt; did you mean '--format'?; see: naturalness score --help"),
        ("score x --txt-column t", "did you mean '--text-column'?"),
        ("score x --format jsn", "argument --format: unknown value 'jsn'; did you mean 'json'?"),
        ("label a.csv b.csv --wrokers=2", "unknown option --wrokers; did you mean '--workers'?"),
        ("label a.csv b.csv --engine locl", "did you mean 'local'?"),
        ("train a.csv -o m --lerner svm", "did you mean '--learner'?"),
        ("train a.csv -o m --select ref", "did you mean 'rfe'?"),
        ("check a.md --minscore 0.2", "did you mean '--min-score'?"),
        ("explain x --edit-s", "did you mean '--edits'?"),
    ],
)
def test_a_typo_leads_to_the_right_word(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line that says where to read on."""
    with pytest.raises(SystemExit) as stop:
        build_parser().parse_args(typed.split())
    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert meant in error and error.count("\n") == 1
