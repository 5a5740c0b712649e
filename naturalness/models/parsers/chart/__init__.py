"""Exact charts over spans: the log-sum over all trees of a sentence, and the k best trees."""

from naturalness.models.parsers.chart.kbest import search

__all__ = ["search"]
