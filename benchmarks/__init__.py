"""Measurements of quality and speed; each is a command: `python -m benchmarks.NAME --help`."""
