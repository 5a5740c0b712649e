"""Run the commands of the replications."""

from __future__ import annotations

from naturalness.cli import run as run_with
from naturalness_replication.__main__ import build_parser


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code."""
    return run_with(arguments, build_parser)
