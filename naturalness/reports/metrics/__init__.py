"""Metrics against people: correlations with intervals, tests, subsets, agreement, one page."""
