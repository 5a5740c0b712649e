"""How likely a tree and its words are: a generative grammar that scores given trees."""

from naturalness.models.parsers.generative.grammar import Grammar, Parts
from naturalness.models.parsers.generative.store import open_grammar

__all__ = ["Grammar", "Parts", "open_grammar"]
