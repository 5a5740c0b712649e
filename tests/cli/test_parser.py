"""What all commands have in common: how their options are read."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from naturalness import __version__
from naturalness.cli import build_parser, run


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
