"""A project of annotation: one SQLite file that holds texts, questions and ratings."""
