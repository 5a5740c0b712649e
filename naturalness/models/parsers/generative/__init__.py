"""A generative grammar, which gives the joint probability of a tree and its words."""

from naturalness.models.parsers.generative.grammar import Grammar, TreeLogprobs
from naturalness.models.parsers.generative.store import open_grammar

__all__ = ["Grammar", "TreeLogprobs", "open_grammar"]
