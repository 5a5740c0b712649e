"""`naturalness meaning`."""

from __future__ import annotations

import pytest

from naturalness.judging.meaning import SOUNDNESS_ALONE
from naturalness.judging.people import SELECTED
from naturalness.pipelines.scorer import open_model
from tests.support.commands import Cli, run_line


def test_the_sentences(cli: Cli) -> None:
    """The output states the label, the share of better texts among rated ones, and the share of lower-scoring human-
    written sentences."""
    label, raters, soundness, people = cli(0, "meaning 0.43").out.splitlines()
    assert label == "0.43 by model 'default': unnatural (natural from 0.5)."
    assert raters.startswith(
        "Raters placed 45 of 100 texts that scored from 0.4 to 0.5 in the better half of their set"
    )
    assert soundness == SOUNDNESS_ALONE
    assert people.startswith("Of 100 human-written sentences, ")


def test_false_alarms_by_register(cli: Cli) -> None:
    """Without a score, a table has a row for each register, and a row for the minimum over all unselected registers."""
    lines = [line.split() for line in cli(0, "meaning").out.splitlines() if line.strip()]
    assert lines[0][:3] + lines[0][-3:] == ["register", "0.5%", "below", "5.0%", "below", "sentences"]
    people = open_model().people
    assert people and [line[0] for line in lines[2:]] == [*people.registers, "minimum"]
    assert lines[2][-1] == "4,000"
    lowest = min(float(line[3]) for line in lines[2:-1] if line[0] not in SELECTED)
    assert 0.7 * lowest < float(lines[-1][6]) < lowest


@pytest.mark.parametrize("score", ["1.3", "-0.1", "high"])
def test_a_score_is_from_0_to_1(score: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A value outside 0 to 1 is an error that states the expected range."""
    with pytest.raises(SystemExit, match="2"):
        run_line("meaning --", score)
    assert f"expected a number between 0 and 1, found '{score}'" in capsys.readouterr().err
