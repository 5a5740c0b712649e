"""A project of annotation: one SQLite file that holds texts, questions and ratings."""

from naturalness.web.project.answers import AlreadyAnswered
from naturalness.web.project.creating import table_rows
from naturalness.web.project.project import Progress, Project
from naturalness.web.project.questions import SHARED
from naturalness.web.project.records import (
    KINDS,
    LABELS,
    PAIRS,
    POINTS,
    SLIDER,
    Answer,
    Question,
    Rating,
    Scale,
    Text,
)

__all__ = [
    "KINDS",
    "LABELS",
    "PAIRS",
    "POINTS",
    "SHARED",
    "SLIDER",
    "AlreadyAnswered",
    "Answer",
    "Progress",
    "Project",
    "Question",
    "Rating",
    "Scale",
    "Text",
    "table_rows",
]
