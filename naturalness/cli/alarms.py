"""`naturalness alarms`: the share of human-written sentences that score below a threshold, by register."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import print_json
from naturalness.cli.terminal import print_table
from naturalness.judging.fields import FALSE_ALARMS

if TYPE_CHECKING:
    from naturalness.judging.people import People

SHARES = (0.005, 0.01, FALSE_ALARMS, 0.05)
"""False-alarm rates, from 0 to 1, whose thresholds are shown."""
SCORES = (0.1, 0.2, 0.3, 0.5)
"""Default thresholds, from 0 to 1; the share of texts that score below each is shown."""


def run(args: argparse.Namespace) -> int:
    """Print a table of false-alarm rates."""
    from naturalness.pipelines.scorer import open_model

    model = open_model(args.model)
    people = model.known_people
    scores = args.scores or list(SCORES)
    if args.format == "json":
        print_json(_as_json(people, scores))
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
