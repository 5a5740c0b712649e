"""Texts: normalised, parsed, seen as lists."""
