"""Adapt a model to texts of one kind by people, without ratings."""
