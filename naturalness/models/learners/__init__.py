"""Learners for feature tables: their grids, their tuning, and fitted models as arrays that numpy scores.

Scoring (`prepared`, `units`, `compiled`) needs only numpy; `tuning` and `elimination` need scikit-learn.
"""
