"""The large model of naturalness: only files, which naturalness reads where this package is installed."""
