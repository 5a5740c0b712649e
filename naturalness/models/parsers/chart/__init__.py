"""Exact charts over spans: the trees of a sentence, the sum of their scores, the best of them."""

from naturalness.models.parsers.chart.kbest import search

__all__ = ["search"]
