"""Registers and thresholds of `score` and `check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from naturalness.pipelines.scorer import open_model
from tests.support.commands import Captured, Cli, run_line

GOOD = "The committee will meet again on Thursday morning."
BAD = "He go to the school yesterday and buyed a apples for for she."


def test_percentiles_within_a_register(cli: Cli) -> None:
    """--register adds the percentile among human-written sentences, as a line or a column."""
    lines = cli(0, "score", GOOD, BAD, "--register", "news").out.splitlines()
    assert "% of news sentences by people; " in lines[1] and len(lines) == 4
    assert lines[1].endswith(" regardless of register")
    good, bad = (
        row["percentile"]
        for row in json.loads(cli(0, "score", GOOD, BAD, "--register", "news", "--format", "json").out)
    )
    assert 0 <= bad < 5 < good <= 100


def test_the_score_regardless_of_register(cli: Cli) -> None:
    """With --register, JSON also has the score regardless of register, which equals the score without the option."""
    title, neither = json.loads(cli(1, "score", GOOD, "?", "--register", "titles", "--format", "json").out)
    (plain,) = json.loads(cli(0, "score", GOOD, "--format", "json").out)
    assert title["overall_naturalness"] == plain["naturalness"] < title["naturalness"]
    assert neither["overall_naturalness"] is None and "overall_naturalness" not in plain


def test_thresholds_by_false_alarms(capsys: Captured) -> None:
    """--false-alarms decides the exit code, and excludes --min-score."""
    assert run_line("score", GOOD, "--false-alarms", "0.02") == 0
    assert run_line("score", BAD, "--false-alarms", "0.02") == 1
    capsys.readouterr()
    with pytest.raises(SystemExit):
        run_line("score", BAD, "--false-alarms", "0.02", "--min-score", "0.2")


def test_the_minimum_of_check(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` uses the minimum over all registers, that of --register, or --min-score."""
    monkeypatch.chdir(tmp_path)  # away from the settings of this repository
    file = tmp_path / "a.md"
    file.write_text(f"{GOOD}\n\n{BAD}\n", encoding="utf-8")
    people = open_model().people
    assert people is not None
    said = cli(1, f"check {file} --format github").err
    assert f"1 below {people.threshold(0.02):.3g}" in said
    assert said.endswith("(at most 2 % of human-written sentences are, in any register)\n")
    said = cli(1, f"check {file} --register books --false-alarms 0.005").err
    assert f"below {people.threshold(0.005, 'books'):.3g} (at most 0.5 %" in said
    assert "human-written" not in cli(1, f"check {file} --min-score 0.5").err
