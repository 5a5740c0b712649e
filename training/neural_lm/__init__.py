"""The small language model: a transformer that reads from left to right and in both directions."""
