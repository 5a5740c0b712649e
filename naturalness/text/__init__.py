"""Normalise and parse texts, and represent parsed texts as lists."""
