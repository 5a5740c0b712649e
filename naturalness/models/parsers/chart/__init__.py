"""Exact charts over spans: the log-sum over all trees of a sentence, and the k best trees."""
