"""Quality and speed, each a command: `python -m benchmarks.NAME --help`."""
