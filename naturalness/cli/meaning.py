"""`naturalness meaning`: what a score promises."""

from __future__ import annotations

import argparse
import sys


def run(args: argparse.Namespace) -> int:
    """Print what a score of the model promises."""
    from naturalness.judging.meaning import meaning_of
    from naturalness.pipelines.scorer import open_model

    model = open_model(args.model)
    sys.stdout.write("\n".join([*meaning_of(model, args.score), ""]))
    return 0
