"""Checkers: programs that find and locate the errors in a text."""
