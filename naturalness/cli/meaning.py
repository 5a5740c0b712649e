"""`naturalness meaning`: the meaning of a score, and how many human-written sentences fall below it."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from naturalness.cli.terminal import print_table
from naturalness.judging.fields import FALSE_ALARMS

if TYPE_CHECKING:
    from naturalness.judging.people import People

SHARES = (0.005, 0.01, FALSE_ALARMS, 0.05)
"""False-alarm rates, from 0 to 1, whose thresholds are shown."""


def run(args: argparse.Namespace) -> int:
    """Print what a score of the model promises or, without a score, a table of false-alarm rates."""
    from naturalness.judging.meaning import meaning_of
    from naturalness.pipelines.scorer import open_model

    model = open_model(args.model)
    if args.score is None:
        _print_alarms(model.known_people)
    else:
        sys.stdout.write("\n".join([*meaning_of(model, args.score), ""]))
    return 0


def _print_alarms(people: People) -> None:
    rows = [
        [name, *(f"{register.score_at(share):.3f}" for share in SHARES), f"{register.sentences:,}"]
        for name, register in people.registers.items()
    ]
    minimum = ["minimum in every register", *(f"{people.threshold(share):.3f}" for share in SHARES), ""]
    print_table(("register", *(f"{share:.1%} below" for share in SHARES), "sentences"), [rows, [minimum]])
