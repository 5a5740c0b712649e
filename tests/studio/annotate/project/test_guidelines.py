"""Guidelines: what ships, what people write, and which hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.errors import ProjectError, UnknownName
from naturalness.studio.annotate.project import PAIRS, POINTS, Project, Scale
from naturalness.studio.annotate.project.guidelines import (
    MAX_CHARACTERS,
    TEMPLATES,
    USUAL_ENDS,
    named_guidelines,
    read_guidelines,
    template,
    usual_guidelines,
)
from tests.support.annotation_projects import TEXTS, Clock, rate

MINE = """# Would you say that? #
*never ... every day*

Be quick.
"""


@pytest.mark.parametrize("name", TEMPLATES)
def test_guidelines_that_ship(name: str) -> None:
    """Each asks a question and says how to answer it."""
    guidelines = read_guidelines(template(name))
    assert guidelines.question.endswith("?")
    assert len(guidelines.instructions) > 400
    assert named_guidelines(name) == template(name)


def test_a_heading_the_ends_and_the_rest() -> None:
    """The ends are a line in italics below the heading; without it they are the usual ones."""
    guidelines = read_guidelines(MINE)
    assert guidelines.question == "Would you say that?"
    assert guidelines.ends == ("never", "every day")
    assert guidelines.instructions == "Be quick."
    assert read_guidelines("# Fine?\n\nBe *very* … quick.").ends == USUAL_ENDS
    assert read_guidelines("# Fine?\n_bad … good_").instructions == ""
    assert read_guidelines("# Fine?").instructions == ""


@pytest.mark.parametrize("markdown", ["", "Be quick.", "#no space", "## Too small?"])
def test_guidelines_without_a_question(markdown: str) -> None:
    """The message shows how they begin."""
    with pytest.raises(ProjectError, match="heading that asks the question, such as '# How natural"):
        read_guidelines(markdown)


def test_guidelines_that_nobody_reads() -> None:
    """There is a limit."""
    with pytest.raises(ProjectError, match="at most 50,000"):
        read_guidelines("# Why?\n" + "a" * MAX_CHARACTERS)


def test_guidelines_by_name_or_file(tmp_path: Path) -> None:
    """An unknown name lists the choices; a file that is not there, or is no text, is named."""
    file = tmp_path / "mine.md"
    file.write_text("\ufeff" + MINE, encoding="utf-8")
    assert named_guidelines(str(file)) == MINE
    with pytest.raises(UnknownName, match="grammaticality"):
        named_guidelines("grammar")
    with pytest.raises(ProjectError, match="check the path"):
        named_guidelines(str(tmp_path / "none.md"))
    file.write_bytes(b"# Caf\xe9?")
    with pytest.raises(ProjectError, match="save the guidelines as UTF-8"):
        named_guidelines(str(file))


def test_which_guidelines_hold(tmp_path: Path) -> None:
    """Those of the scale until others are set; the last ones of several, with the time from which they hold."""
    clock = Clock()
    rows = [(text, {}) for text in TEXTS]
    with Project.create(tmp_path / "a", rows, Scale(PAIRS, -1, 1)) as project:
        assert project.settings.guidelines == usual_guidelines(project.scale)
        assert project.settings.guidelines.markdown == template("pairs")
    with Project.create(tmp_path / "b", rows, Scale(POINTS, 1, 6), clock=clock) as project:
        assert project.settings.guidelines.markdown == template("naturalness")
        assert project.settings.guidelines.at == ""
        project.settings.set_guidelines(template("naturalness"))
        assert project.settings.guidelines.at == ""
        rating = rate(project, "Ann", 0, 3.0)
        clock.move(60)
        project.settings.set_guidelines(MINE)
        assert project.settings.guidelines.at > rating.at
        with pytest.raises(ProjectError, match="heading"):
            project.settings.set_guidelines("Be quick.")
        with pytest.raises(ValueError, match="belongs to the file"):
            project.settings.set("guidelines", [])
    with Project.open(tmp_path / "b") as project:
        assert project.settings.guidelines.question == "Would you say that?"
