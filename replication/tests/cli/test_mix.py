"""`mix`: whole outputs and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from replication.tests.support.commands import run
from tests.support.language_models import HARBOUR, KITCHEN, train

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in; KenLM's tools are not on the PATH."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "harbour.txt").write_text("\n".join(HARBOUR) + "\n")
    return tmp_path


def test_models_are_mixed(home: Path, capfd: Captured) -> None:
    """A table of what each is worth; the folder scores."""
    train(home / "a", HARBOUR)
    train(home / "b", KITCHEN)
    assert run(["mix", "a", "b", "--held-out", "harbour.txt", "-o", "both"]) == 0
    out, err = capfd.readouterr()
    lines = [line.split() for line in out.splitlines() if line.strip()]
    assert lines[0] == ["model", "weight", "perplexity", "on", "shared", "units", "unknown"]
    assert [line[0] for line in lines[2:5]] == ["a", "b", "mixture"]
    assert (len(lines[2]), lines[2][4], len(lines[4]), lines[4][3]) == (5, "0.0%", 4, "0.0%")
    assert out.endswith("are those that every model knows; only their figures are comparable\nsaved in both\n")
    assert err == "score\n"
    command = ["mix", "a", "b", "--held-out", "harbour.txt", "-o", "both", "--format", "json"]
    assert run([*command, "--force"]) == 0
    summary = json.loads(capfd.readouterr().out)
    assert [part["model"] for part in summary["components"]] == ["a", "b"]
    assert sum(part["weight"] for part in summary["components"]) == pytest.approx(1)


def test_a_mixture_over_its_own_model_is_refused(home: Path, capfd: Captured) -> None:
    """The model stays; one model under two names is no mixture."""
    train(home / "a", HARBOUR)
    train(home / "b", KITCHEN)
    command = ["mix", "a", "b", "--held-out", "harbour.txt", "--force"]
    assert run([*command, "-o", "b"]) == 2
    assert capfd.readouterr().err == ("error: 'b' is the place of 'b', which the mixture needs; name another folder\n")
    assert (home / "b" / "model.arpa").exists()
    assert run(["mix", "a", "./a", "--held-out", "harbour.txt", "-o", "c"]) == 2
    assert capfd.readouterr().err == (
        "error: 'a' and './a' are the same model; expected two different models or more\n"
    )


def test_one_model_is_no_mixture(home: Path, capfd: Captured) -> None:
    """Two models are needed."""
    assert run(["mix", "m", "--held-out", "harbour.txt", "-o", "x"]) == 2
    assert capfd.readouterr().err.startswith("error: found m; expected two different")
