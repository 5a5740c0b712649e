"""Explanations of scores as plain data: causes, places, and edits."""
