"""`mix`: interpolate language models, with weights fitted to held-out text."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.cli.corpora import corpus
from naturalness.cli.inputs import print_json
from naturalness.cli.progress import stages

if TYPE_CHECKING:
    from naturalness_replication.language.mixing import Tuned


def run(args: argparse.Namespace) -> int:
    """Fit the weights, write the folder, and print the perplexity of each model."""
    from naturalness_replication.language.mixing import mix_language_models, summary_of

    with corpus(args.held_out, args) as texts, stages() as report:
        tuned = mix_language_models(
            args.models, texts, Path(args.output), name=args.name or "", nlp=args.nlp, force=args.force, report=report
        )
    if args.format == "json":
        summary = summary_of(tuned)
        for component, spec in zip(summary["components"], args.models, strict=True):
            component["model"] = spec
        print_json(summary)
    else:
        _print(tuned, args.output)
    return 0


def _print(tuned: Tuned, folder: str) -> None:
    from naturalness.cli.terminal import print_table

    rows = [
        [c.spec, f"{c.weight:.3f}", _number(c.perplexity), _number(c.shared), f"{c.unknown:.1%}"]
        for c in tuned.components
    ]
    mixed = ["mixture", "", _number(tuned.perplexity), _number(tuned.shared), f"{tuned.unknown:.1%}"]
    header = ("model", "weight", "perplexity", "on shared units", "unknown")
    print_table(header, [rows, [mixed]])
    sys.stdout.write(
        f"{tuned.texts:,} texts, {tuned.units:,} units, ends of sentences included; shared units "
        "are those that every model knows; only their figures are comparable\n"
        f"saved in {folder}\n"
    )


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.1f}"
