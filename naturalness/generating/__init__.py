"""Unnatural sentences: natural ones with recorded damage, and ones made of parts of a corpus."""

from naturalness.generating.chain import TagChain
from naturalness.generating.damage import Damage, Damaged
from naturalness.generating.drawing import token_count
from naturalness.generating.grammar import GrammarSampler
from naturalness.generating.kinds import KINDS, damage_docs
from naturalness.generating.sequence import SequenceGlue, spaced_tokens
from naturalness.generating.tagged import pos_tagged, supertagged
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
