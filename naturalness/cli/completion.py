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

    argcomplete.autocomplete(parser)


def called(line: str) -> str | None:
    """Return the first word after the program's name in an unfinished command line; None if there is none."""
    words = line.split()
    return words[1] if len(words) > 1 else None
