"""What learns from feature tables: learners with their grids, and their arrays, scored in numpy.

`table`, `prepared` and `arrays` need numpy alone; `tuning` and `elimination` need scikit-learn.
"""
