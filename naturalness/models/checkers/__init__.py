"""Checkers: what is wrong with a text, and where."""
