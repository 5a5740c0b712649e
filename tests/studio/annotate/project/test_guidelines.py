"""Guidelines: the shipped ones, and those of users."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.errors import ProjectError
from naturalness.studio.annotate.project import POINTS, Project, Scale
from naturalness.studio.annotate.project.guidelines import (
    MAX_CHARACTERS,
    USUAL_ENDS,
    guidelines_in,
    read_guidelines,
    usual_guidelines,
)
from tests.support.annotation_projects import TEXTS, Clock, rate

MINE = "# Would you say that? #\n*never ... every day*\n\nBe quick.\n"


def test_shipped_guidelines_ask_a_question() -> None:
    """The shipped guidelines have a question and instructions."""
    assert usual_guidelines().question == "How natural does this sentence sound?"
    assert len(usual_guidelines().instructions) > 400


def test_guidelines_have_a_question_ends_and_instructions() -> None:
    """A line in italics below the heading names the ends of the scale, which otherwise have default names."""
    guidelines = read_guidelines(MINE)
    assert guidelines.question == "Would you say that?"
    assert guidelines.ends == ("never", "every day")
    assert guidelines.instructions == "Be quick."
    assert read_guidelines("# Fine?\n\nBe *very* … quick.").ends == USUAL_ENDS
    assert read_guidelines("# Fine?\n_bad … good_").instructions == ""
    assert read_guidelines("# Fine?").instructions == ""


@pytest.mark.parametrize("markdown", ["", "Be quick.", "#no space", "## Too small?"])
def test_guidelines_without_a_question_are_refused(markdown: str) -> None:
    """Guidelines without a question are refused with a message that shows how guidelines begin."""
    with pytest.raises(ProjectError, match="heading that asks the question, such as '# How natural"):
        read_guidelines(markdown)


def test_guidelines_come_from_a_file(tmp_path: Path) -> None:
    """A file that is missing, not UTF-8 or too long is refused."""
    file = tmp_path / "mine.md"
    file.write_text("\ufeff" + MINE, encoding="utf-8")
    assert guidelines_in(str(file)) == MINE
    with pytest.raises(ProjectError, match="check the path"):
        guidelines_in(str(tmp_path / "none.md"))
    file.write_bytes(b"# Caf\xe9?")
    with pytest.raises(ProjectError, match="save the guidelines as UTF-8"):
        guidelines_in(str(file))
    file.write_text("# Why?\n" + "a" * MAX_CHARACTERS)
    with pytest.raises(ProjectError, match="at most 50,000"):
        guidelines_in(str(file))


def test_latest_guidelines_are_in_force(tmp_path: Path) -> None:
    """The shipped guidelines apply until others are set; setting the same ones changes nothing."""
    clock = Clock()
    rows = [(text, {}) for text in TEXTS]
    with Project.create(tmp_path / "b", rows, Scale(POINTS, 1, 6), clock=clock) as project:
        project.settings.set_guidelines(usual_guidelines().markdown)
        assert (project.settings.guidelines.markdown, project.settings.guidelines.at) == (
            usual_guidelines().markdown,
            "",
        )
        rating = rate(project, "Ann", 0, 3.0)
        clock.move(60)
        project.settings.set_guidelines(MINE)
        assert project.settings.guidelines.at > rating.at
        with pytest.raises(ProjectError, match="heading"):
            project.settings.set_guidelines("Be quick.")
    with Project.open(tmp_path / "b") as project:
        assert project.settings.guidelines.question == "Would you say that?"
