"""An annotation project: one SQLite file with texts, questions and ratings."""

from naturalness.studio.annotate.project.file import table_rows
from naturalness.studio.annotate.project.project import Project
from naturalness.studio.annotate.project.records import LABELS, POINTS, SLIDER, Answer, Question, Rating, Scale, Text

__all__ = ["LABELS", "POINTS", "SLIDER", "Answer", "Project", "Question", "Rating", "Scale", "Text", "table_rows"]
