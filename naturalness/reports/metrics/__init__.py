"""Comparisons of metrics with ratings: correlations with intervals, tests, subsets, agreement, and their page."""
