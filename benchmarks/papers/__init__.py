"""The four papers rebuilt, a command each: `python -m benchmarks.papers.NAME --help`."""
