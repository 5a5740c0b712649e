"""`python -m naturalness_replication COMMAND`: the protocols of the four papers, and what they generate and train."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from naturalness import __version__
from naturalness.cli import main
from naturalness.cli.options import add_command
from naturalness.cli.parser import Parser

PAPERS = {
    "naturalness": "Groves, Tian & Douratsos (2018): learners, elimination, single features, transfer",
    "gleu": "Mutton, Dras, Wan & Dale (2007): parser metrics and GLEU on generated text",
    "slor": "Kann, Rothe & Filippova (2018): SLOR, NCE, PPL, ROUGE-LM and SVR",
    "gruen": "Zhu & Bhat (2020): steps of the ablation, systems, other metrics",
}
"""Commands that write the tables of a paper; each is a module of `papers`, which needs a clone of naturalness."""
COMMANDS = ("generate", "lstm")
DECLARED = Path(__file__).with_name("cli") / "commands"


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser for all commands, or for a single command."""
    parser = Parser(prog="python -m naturalness_replication", description="Four papers on naturalness, replicated.")
    parser.add_argument("--version", action="version", version=f"naturalness-replication {__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, description in PAPERS.items():
        commands.add_parser(name, help=description)
    for name in [command] if command in COMMANDS else COMMANDS:
        add_command(commands, name, DECLARED)
    return parser


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] in PAPERS:
        name = sys.argv.pop(1)
        sys.argv[0] = f"python -m naturalness_replication {name}"
        import_module(f"naturalness_replication.papers.{name}").main()
    else:
        main(build_parser)
