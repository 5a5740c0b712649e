"""Comparison of `check` with other checkers on the same sentences."""
