"""The protocol of Groves, Tian & Douratsos (2018)."""

from naturalness_replication.papers.naturalness.protocol import main

__all__ = ["main"]
