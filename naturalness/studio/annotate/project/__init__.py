"""An annotation project: one SQLite file with texts, questions and ratings."""

from naturalness.studio.annotate.project.answers import AlreadyAnswered
from naturalness.studio.annotate.project.file import table_rows
from naturalness.studio.annotate.project.project import Project
from naturalness.studio.annotate.project.questions import SHARED
from naturalness.studio.annotate.project.records import (
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
    "Project",
    "Question",
    "Rating",
    "Scale",
    "Text",
    "table_rows",
]
