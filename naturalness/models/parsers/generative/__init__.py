"""A generative grammar, which gives the joint probability of a tree and its words."""

from naturalness.models.parsers.generative.grammar import Grammar, Parts
from naturalness.models.parsers.generative.store import open_grammar

__all__ = ["Grammar", "Parts", "open_grammar"]
