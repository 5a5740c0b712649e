"""Learners on feature tables: their grids, tuning, and fitted models as arrays scored in numpy.

`table`, `prepared` and `arrays` need numpy alone; `tuning` and `elimination` need scikit-learn.
"""
