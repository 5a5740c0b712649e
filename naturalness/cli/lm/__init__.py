"""`naturalness lm`: train, use and mix language models of your own."""
