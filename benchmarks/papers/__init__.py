"""Replications of the four papers, one command each: `python -m benchmarks.papers.NAME --help`."""
