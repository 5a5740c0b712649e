"""The protocols of the four papers, one command each: `python -m naturalness_replication NAME --help`."""

from pathlib import Path

RESULTS = Path(__file__).parents[2] / "results"
"""The folder of the tables that the protocols write."""
