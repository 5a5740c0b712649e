"""`naturalness completion`: shell completion, using argcomplete."""

from __future__ import annotations

import argparse
import sys

from naturalness.files.resources import require_package

ASKING = "_ARGCOMPLETE"
"""Environment variable that a shell sets when it requests completions."""


def run(args: argparse.Namespace) -> int:
    """Print the completion script of a shell."""
    require_package("argcomplete", user="completion", extra="completion")
    from argcomplete.shell_integration import shellcode

    sys.stdout.write(shellcode(["naturalness"], shell=args.shell))
    return 0


def answer(parser: argparse.ArgumentParser) -> None:
    """Print the completions that a shell requests, and exit."""
    import argcomplete

    add_completers(parser)
    argcomplete.autocomplete(parser)


def add_completers(parser: argparse.ArgumentParser) -> None:
    """Attach completers to all options and arguments that have no fixed choices, in every command; the default
    completer suggests file names."""
    from argcomplete.completers import DirectoriesCompleter

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                add_completers(command)
        elif action.choices is None and action.metavar == "MODEL":
            action.completer = _models  # type: ignore[attr-defined]
        elif action.choices is None and action.metavar == "FOLDER":
            action.completer = DirectoriesCompleter()  # type: ignore[attr-defined]


def _models(prefix: str, parser: argparse.ArgumentParser, **_: object) -> list[str]:
    """Return the names of shipped models (in `lm` commands, of language models), and matching folders."""
    from argcomplete.completers import DirectoriesCompleter

    shipped = ("words", "pieces", "tags", "neural") if " lm " in parser.prog else ("default", "fast", "large")
    return [*shipped, *DirectoriesCompleter()(prefix)]


def called(line: str) -> str | None:
    """Return the first word after the program's name in an unfinished command line; None if there is none."""
    words = line.split()
    return words[1] if len(words) > 1 else None
