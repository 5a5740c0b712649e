"""Adapt a model to one kind of text, from human-written texts of that kind, without ratings."""
