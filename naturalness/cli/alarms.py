"""`naturalness alarms`: how many sentences by people fall below a score, register by register."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from naturalness.cli.options import FALSE_ALARMS, add_model_choice, add_result_format, fraction
from naturalness.cli.terminal import print_table

if TYPE_CHECKING:
    from naturalness.judging.people import People

SHARES = (0.005, 0.01, FALSE_ALARMS, 0.05)
"""False-alarm rates whose score is shown."""
SCORES = (0.1, 0.2, 0.3, 0.5)
"""Scores whose share of texts below is shown by default."""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "alarms",
        help="how many sentences by people fall below a score",
        description="For each register, how many sentences by people score below SCORE, and the score below which few "
        "of them lie: the false alarms of a threshold, before you choose one. The sentences come from the corpora, "
        "without those that taught the model's weights; of an adapted model they are texts that it was adapted to. The "
        "last line, the minimum in every register, leaves out learners' sentences, lower-case text, titles, notes and "
        "speech; score, label and check count them where their --register names them.",
        examples=("naturalness alarms", "naturalness alarms 0.25 0.4 --fast --format json"),
    )
    add_model_choice(parser)
    parser.add_argument("scores", nargs="*", type=fraction, metavar="SCORE", help="scores (default: 0.1 0.2 0.3 0.5)")
    add_result_format(parser.add_argument)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from naturalness.judging.people import require_people
    from naturalness.pipelines.scorer import open_model

    model = open_model(args.model, changed_assets=args.changed_assets)
    people = require_people(model.people, model.name)
    scores = args.scores or list(SCORES)
    if args.format == "json":
        sys.stdout.write(json.dumps(_as_json(people, scores), indent=1) + "\n")
        return 0
    header = (
        "register",
        *(f"{share:.1%} below" for share in SHARES),
        *(f"below {score:g}" for score in scores),
        "sentences",
    )
    rows = [
        [
            name,
            *(f"{register.score_at(share):.3f}" for share in SHARES),
            *(f"{register.below(score):.1%}" for score in scores),
            f"{register.sentences:,}",
        ]
        for name, register in people.registers.items()
    ]
    every = [
        "minimum in every register",
        *(f"{people.threshold(share):.3f}" for share in SHARES),
        *[""] * (len(scores) + 1),
    ]
    print_table(header, [rows, [every]])
    return 0


def _as_json(people: People, scores: list[float]) -> dict[str, Any]:
    return {
        "registers": {
            name: {
                "sentences": register.sentences,
                "below": {f"{score:g}": round(register.below(score), 6) for score in scores},
                "scores": {f"{share:g}": register.score_at(share) for share in SHARES},
            }
            for name, register in people.registers.items()
        },
        "every register": {f"{share:g}": people.threshold(share) for share in SHARES},
    }
