"""Training of n-gram models from texts, and mixing of language models."""
