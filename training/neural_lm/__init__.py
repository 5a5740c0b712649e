"""The small language model: a transformer that reads from the left, and both ways."""
