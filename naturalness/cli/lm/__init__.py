"""`naturalness lm`: train, use and mix language models of your own."""

from __future__ import annotations

from typing import Any

from naturalness.cli.lm import lstm, mix, score, train


def add_command(commands: Any) -> None:
    """Add the commands to the parser."""
    parser = commands.add_parser(
        "lm",
        help="language models: train, score, mix",
        description="N-gram models of words, word pieces or part-of-speech tags. MODEL is words, "
        "pieces or tags (shipped; tags:3 for order 3), a folder made by train or mix, or an ARPA "
        "or KenLM file.",
        examples=("naturalness lm train corpus.txt -o my-lm", 'naturalness lm score my-lm "It rained all day."'),
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for module in (train, score, mix, lstm):
        module.add_command(actions)
