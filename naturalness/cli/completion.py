"""`naturalness completion`: completion in the shell, by argcomplete."""

from __future__ import annotations

import argparse
import sys

from naturalness.files.resources import require_package

ASKING = "_ARGCOMPLETE"
"""Variable that a shell sets when it asks for completions."""


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    require_package("argcomplete", user="completion", extra="completion")
    from argcomplete.shell_integration import shellcode

    sys.stdout.write(shellcode(["naturalness"], shell=args.shell))
    return 0


def answer(parser: argparse.ArgumentParser) -> None:
    """Print the completions that a shell asks for, and exit."""
    import argcomplete

    add_completers(parser)
    argcomplete.autocomplete(parser)


def add_completers(parser: argparse.ArgumentParser) -> None:
    """Give options and arguments without choices a completer, in all commands; the others complete files."""
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
    """Return shipped models, or language models in commands of `lm`, and the folders."""
    from argcomplete.completers import DirectoriesCompleter

    shipped = ("words", "pieces", "tags", "neural") if " lm " in parser.prog else ("default", "fast", "large")
    return [*shipped, *DirectoriesCompleter()(prefix)]


def called(line: str) -> str | None:
    """Return the command of an unfinished line, if it is the first word after the program's name."""
    words = line.split()
    return words[1] if len(words) > 1 else None
