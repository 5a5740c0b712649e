"""Checkers: programs that find errors in a text and say where they are."""
