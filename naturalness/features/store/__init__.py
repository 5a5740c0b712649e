"""A store that keeps measured features between runs."""
