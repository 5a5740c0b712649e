"""Tables of voice from a user's own two sets of paragraphs."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from naturalness.errors import TrainingError
from naturalness.models.voice import open_voice
from tests.support.piles import PLAIN, STALE, pile
from training.voice.__main__ import main, read_pile

FRESH = "We left the harbour alone on Sunday because my aunt never liked it much, and there was some rain."
BOILERPLATE = "Ultimately, the harbour plays a crucial role in fostering collaboration and offers invaluable insights."


def write_csv(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Write a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with two sets, one as CSV and one as JSON lines."""
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "people.csv", [*pile(PLAIN, 220), {"text": "Too short to say.", "prompt": ""}])
    lines = [json.dumps({**row, "model": "gpt-9-mini"}) for row in pile(STALE, 210)]
    (tmp_path / "models.jsonl").write_text("\n".join([*lines, *lines[:2], "{"]), encoding="utf-8")
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    """Run the command."""
    monkeypatch.setattr(sys, "argv", ["voice", *arguments])
    main()


def test_the_command(desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes a table that `open_voice` reads, and reports figures on held-out prompts."""
    run(monkeypatch, "--people", "people.csv", "--models", "models.jsonl", "-o", "mine", "--topics", "Aunt")
    *lines, models, people = capsys.readouterr().out.splitlines()
    assert lines == [
        "paragraphs: 220 by people, 210 by chat models; unusable rows: 4",
        "kinds: 1, sources of people: 1, series of models: 1",
        "words and phrases: 795",
        "this table, on prompts that it has not seen: AUC 1.000, 100% found at 2 % false alarms",
        "the shipped table: AUC 1.000, 100% found at 2 % false alarms",
    ]
    assert models.startswith("strongest of chat models: ")
    assert "| invaluable |" in models
    assert people.startswith("strongest of people: ")
    assert "| trouble |" in people
    table = open_voice(Path("mine"))
    assert table.score(FRESH) > 0.99 > 0.01 > table.score(BOILERPLATE)
    assert len(table.items) == 795
    assert not any("aunt" in item.split() for item in table.items)
    assert {kind for rates in table.rates.values() for kind in rates} == {"all"}
    assert set(table.lines) == {10, 20, 50}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (pile(PLAIN, 199), "199 different paragraphs of 10 words or more by people, expected 200 or more; add texts"),
        (
            [{**row, "prompt": row["prompt"][:5]} for row in pile(PLAIN, 200)],
            "14 different values of 'prompt' in the paragraphs by people, expected 20 or more; add texts on other "
            "prompts",
        ),
    ],
)
def test_too_little_text(tmp_path: Path, rows: Sequence[Mapping[str, str]], message: str) -> None:
    """The error states the number of paragraphs found and expected."""
    write_csv(tmp_path / "people.csv", rows)
    with pytest.raises(TrainingError) as error:
        read_pile([str(tmp_path / "people.csv")], machine=False)
    assert str(error.value) == message
