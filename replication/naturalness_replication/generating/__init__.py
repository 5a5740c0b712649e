"""Generators of unnatural sentences: damaged corpus sentences, and sentences composed from parts of a corpus."""

from naturalness.adapting.damage import Damage, Damaged
from naturalness.adapting.kinds import KINDS, damage_docs
from naturalness_replication.generating.chain import TagChain
from naturalness_replication.generating.drawing import token_count
from naturalness_replication.generating.grammar import GrammarSampler, parsed_trees
from naturalness_replication.generating.sequence import SequenceGlue, spaced_tokens
from naturalness_replication.generating.tagged import pos_tagged, supertagged

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
    "spaced_tokens",
    "supertagged",
    "token_count",
]
