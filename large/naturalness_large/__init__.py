"""The large model of naturalness: files alone, which naturalness reads where this package is installed."""
