"""`naturalness lm`: train, use and mix your own language models."""
