"""GRUEN: quality of a text of sentences, without a reference (Zhu & Bhat, Findings of EMNLP 2020).

Grammaticality, non-redundancy, focus and coherence, each measured on its own. Not in `METRICS` yet:
the assets `gruen` and `order`, written by `training.gruen` and `training.order`, do not ship.
"""
