"""Adapt a model to one kind of text, given texts by people but no ratings."""
