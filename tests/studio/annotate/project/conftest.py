"""Small projects, and a clock that tests set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from naturalness.studio.annotate.project import Project, Scale
from tests.support.annotation_projects import SCALE, TEXTS, Clock, Make


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands still."""
    return Clock()


@pytest.fixture
def make(tmp_path: Path, clock: Clock) -> Iterator[Make]:
    """Create projects, and close them; each text has one rater unless a test says otherwise."""
    projects: list[Project] = []

    def build(texts: Any = TEXTS, scale: Scale = SCALE, name: str = "p.project", **options: Any) -> Project:
        rows = [(row, {"text": row}) if isinstance(row, str) else row for row in texts]
        projects.append(Project.create(tmp_path / name, rows, scale, **{"clock": clock, "overlap": 1, **options}))
        return projects[-1]

    yield build
    for project in projects:
        project.close()
