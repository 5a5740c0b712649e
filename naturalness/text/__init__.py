"""Normalise and parse texts, and view parsed texts as lists."""
