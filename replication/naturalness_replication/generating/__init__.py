"""Generators of unnatural sentences, which are composed from parts of a corpus (Mutton et al. 2007)."""

from naturalness_replication.generating.chain import TagChain
from naturalness_replication.generating.drawing import token_count
from naturalness_replication.generating.grammar import GrammarSampler, parsed_trees
from naturalness_replication.generating.sequence import SequenceGlue, spaced_tokens
from naturalness_replication.generating.tagged import pos_tagged, supertagged

__all__ = [
    "GrammarSampler",
    "SequenceGlue",
    "TagChain",
    "parsed_trees",
    "pos_tagged",
    "spaced_tokens",
    "supertagged",
    "token_count",
]
