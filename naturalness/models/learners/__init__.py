"""Learners for feature tables: parameter grids, tuning, and fitted models compiled to arrays.

Scoring (`prepared`, `units`, `compiled`) needs only numpy; `tuning` and `elimination` need scikit-learn.
"""
