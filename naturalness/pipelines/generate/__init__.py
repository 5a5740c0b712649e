"""Unnatural sentences: natural ones with recorded damages, and ones made of a corpus's parts."""

from naturalness.pipelines.generate.chain import TagChain
from naturalness.pipelines.generate.damage import Damage, Damaged
from naturalness.pipelines.generate.drawing import token_count
from naturalness.pipelines.generate.errors import KINDS, damage_docs
from naturalness.pipelines.generate.grammar_sampler import GrammarSampler
from naturalness.pipelines.generate.sequence import SequenceGlue, spaced_tokens
from naturalness.pipelines.generate.supertags import supertagged
from naturalness.pipelines.generate.tagged import pos_tagged
from naturalness.pipelines.generate.treebank import parsed_trees, read_treebank

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
