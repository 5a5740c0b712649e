"""Unnatural sentences from natural ones, each damage with its kind and place."""

from naturalness.pipelines.generate.damage import Damage, Damaged
from naturalness.pipelines.generate.errors import KINDS, damage_docs
from naturalness.pipelines.generate.sequence import SequenceGlue

__all__ = ["KINDS", "Damage", "Damaged", "SequenceGlue", "damage_docs"]
