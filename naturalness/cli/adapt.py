"""`naturalness adapt`: adapt a model to one kind of text, using unrated human-written texts."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from naturalness.cli.corpora import corpus
from naturalness.cli.inputs import print_json
from naturalness.cli.progress import stages


def run(args: argparse.Namespace) -> int:
    """Adapt a model, save it, and print its accuracy."""
    from naturalness.adapting.adapt import adapt

    with corpus(args.corpus, args) as texts, stages() as report:
        figures = adapt(texts, Path(args.output), start=args.start, seed=args.seed, force=args.force, report=report)
    if args.format == "json":
        print_json(figures)
        return 0
    auc = figures["auc"]
    sys.stdout.write(
        f"{figures['texts']:,} texts: {figures['taught_tags']:,} for the model of parts of speech, "
        f"{figures['measured']:,} for the norms\n"
        f"distinguished from damaged copies (AUC): sound {auc['sound']:.3f}, fit {auc['fit']:.3f}, "
        f"both {auc['naturalness']:.3f}\n"
        f"saved in {args.output}: see card.md\n"
    )
    return 0
