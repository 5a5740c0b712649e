"""The command line, with one file per command. Errors are printed and the exit code is set only in this file.

Standard output is for data, standard error for progress and messages. Exit codes: 0 success; 1 failed
rows, no rows, or a check that found something; 2 wrong usage, a missing file or model, a bug; 130 interrupted;
143 terminated (SIGTERM).
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import IO, Any, NoReturn, cast

from naturalness import __version__
from naturalness.cli.options import add_command
from naturalness.cli.parser import Parser, as_options
from naturalness.errors import NaturalnessError, NaturalnessWarning, printable

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "use": ("score", "explain", "check", "label", "serve", "lsp", "mcp"),
    "teach": ("annotate", "train", "adapt", "evaluate"),
    "compare": ("report", "compare", "meaning"),
    "research": ("features", "lm"),
    "set up": ("doctor", "assets"),
}
"""The commands, as the help groups them; each is a module of this package."""
COMMANDS = tuple(name for names in SECTIONS.values() for name in names)


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser for all commands, or for a single command, which needs fewer imports."""
    parser = Parser(
        prog="naturalness",
        description="How natural an English sentence sounds, and why.",
        examples=(
            'naturalness score "She gave to her brother old the book."',
            "naturalness check README.md docs/*.md",
            "naturalness label texts.csv -o scored.csv",
        ),
        sections=SECTIONS,
    )
    parser.add_argument("--version", action="version", version=f"naturalness {__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in [command] if command in COMMANDS else COMMANDS:
        add_command(commands, name)
    return parser


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """Show each `NaturalnessWarning` once, on one line; leave other warnings to Python."""
    others, shown = warnings.showwarning, set()

    def show(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, *rest: Any, **named: Any
    ) -> None:
        if not issubclass(category, NaturalnessWarning):
            others(message, category, filename, lineno, *rest, **named)
        elif str(message) not in shown:
            shown.add(str(message))
            sys.stderr.write(f"warning: {printable(as_options(str(message)))}\n")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


Build = Callable[[str | None], argparse.ArgumentParser]


def parser_for(typed: Sequence[str], build: Build = build_parser) -> argparse.ArgumentParser:
    """Return the parser of the command named in the arguments, or the parser of all commands."""
    return build(next((word for word in typed if not word.startswith("-")), None))


def run(arguments: Sequence[str] | None = None, build: Build = build_parser) -> int:
    """Run a command and return its exit code; if no command is given, show the help."""
    from naturalness.cli.terminal import Guarded

    out, err = (cast("IO[str]", Guarded(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        return _run(arguments, build)


def _run(arguments: Sequence[str] | None, build: Build) -> int:
    typed = sys.argv[1:] if arguments is None else arguments
    if not typed:
        sys.stdout.write(build(None).format_help())
        return 0
    args = parser_for(typed, build).parse_args(typed)
    try:
        with _warnings_in_a_line():
            code: int = args.run(args)
        sys.stdout.flush()
        return code
    except NaturalnessError as error:
        if args.debug:
            raise
        # One line without control characters, since the message may quote any file.
        sys.stderr.write("error: " + printable(as_options(" ".join(str(error).split("\n")))) + "\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130
    except BrokenPipeError:
        # The reader of our output (head, less) has exited, so no message can reach it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ImportError, OSError) as error:
        if args.debug:
            raise
        problem, advice = str(error), "run: pip check"
        if isinstance(error, OSError):
            where = f" ({error.filename})" if error.filename else ""
            problem, advice = f"{error.strerror or error}{where}", "check path and free space"
        sys.stderr.write(f"error: {printable(problem)}; {advice}\n")
        return 2


def stop(number: int, frame: FrameType | None) -> NoReturn:
    """Raise SystemExit on a signal, so that unfinished files and folders are removed."""
    signal.signal(number, signal.SIG_IGN)  # a second signal would interrupt the removal
    raise SystemExit(128 + number)


def main(build: Build = build_parser) -> NoReturn:
    """Run the `naturalness` command, or that of another package."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # The shell closed the stream: `>&-`.
            # Left open on purpose: it replaces a standard stream of the whole process.
            setattr(sys, name, Path(os.devnull).open("r+"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A terminal without curly quotes shows a question mark instead of failing.
        getattr(stream, "reconfigure", lambda errors: None)(errors="replace")
    signal.signal(signal.SIGTERM, stop)
    if "_ARGCOMPLETE" in os.environ:  # a shell requests completions
        import argcomplete

        argcomplete.autocomplete(parser_for(os.environ.get("COMP_LINE", "").split()[1:], build))
    try:
        code = run(build=build)
    except Exception:  # a bug; the code 1 would say that flaws were found
        sys.stderr.writelines(f"{printable(line)}\n" for line in traceback.format_exc().split("\n"))
        code = 2
    sys.exit(code)
