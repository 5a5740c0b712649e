"""Unnatural sentences: natural ones with recorded damages, and ones made of a corpus's parts."""

from naturalness.generating.chain import TagChain
from naturalness.generating.damage import Damage, Damaged
from naturalness.generating.drawing import token_count
from naturalness.generating.errors import KINDS, damage_docs
from naturalness.generating.grammar_sampler import GrammarSampler
from naturalness.generating.sequence import SequenceGlue, spaced_tokens
from naturalness.generating.supertags import supertagged
from naturalness.generating.tagged import pos_tagged
from naturalness.generating.treebank import parsed_trees, read_treebank

__all__ = [
    "KINDS",
    "Damage",
    "Damaged",
    "GrammarSampler",
    "SequenceGlue",
    "TagChain",
    "damage_docs",
    "parsed_trees",
    "pos_tagged",
    "read_treebank",
    "spaced_tokens",
    "supertagged",
    "token_count",
]
