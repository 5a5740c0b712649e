"""`naturalness annotate` on the command line; its pages are tested with the pages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from naturalness.cli.annotate import scale_named
from naturalness.errors import TableError
from naturalness.studio.annotate.project import LABELS, PAIRS, POINTS, SLIDER, Project, Scale
from tests.support.annotation_projects import rate
from tests.support.rated import sentences

Captured = pytest.CaptureFixture[str]
TEXTS = list(dict.fromkeys(text for text, _, _ in sentences(40)))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Servers that were to be run, instead of running them."""
    runs: list[dict[str, Any]] = []

    def pretend(app: Any, endpoint: Any, **options: Any) -> int:
        endpoint.socket.close()
        runs.append({"endpoint": endpoint, **options})
        return 0

    from naturalness.studio.annotate.pages.desk import Measuring
    from naturalness.studio.web import running

    monkeypatch.setattr(running, "run", pretend)
    monkeypatch.setattr(Measuring, "_run", lambda self: None)
    return runs


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of sentences, in the folder where commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    rows = [f'{n},"{text}"' for n, text in enumerate(TEXTS)]
    Path("texts.csv").write_text("\n".join(["id,sentence", *rows]), encoding="utf-8")
    return Path("texts.csv")


def make(*more: str) -> int:
    """A project of the table."""
    return run(
        [
            "annotate",
            "new",
            "texts.csv",
            "--text-column",
            "sentence",
            "-o",
            "a.project",
            "--model",
            "fast",
            "--port",
            "0",
            "--no-browser",
            *more,
        ]
    )


def rate_all(path: str, of: int = 30) -> None:
    """Rate some texts of a project."""
    with Project.open(path) as project:
        for number in range(of):
            rate(project, "Ann", number, float(number % 3))


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("natural", Scale(LABELS, 0.0, 2.0, ("unnatural", "not sure", "natural"))),
        ("points:1-6", Scale(POINTS, 1.0, 6.0)),
        ("slider", Scale(SLIDER, 0.0, 100.0)),
        ("pairs", Scale(PAIRS, -1.0, 1.0)),
        ("labels:bad, so-so,good", Scale(LABELS, 0.0, 2.0, ("bad", "so-so", "good"))),
    ],
)
def test_scales_by_name(name: str, scale: Scale) -> None:
    """As the option names them."""
    assert scale_named(name) == scale


@pytest.mark.parametrize("name", ["", "points", "points:1", "points:a-b", "labels:", "stars"])
def test_scales_that_are_none(name: str) -> None:
    """The error lists the choices."""
    with pytest.raises(TableError, match="points:1-6"):
        scale_named(name)


def test_two_raters_share_a_fifth_unless_told_otherwise(texts: Path, started: list[dict[str, Any]]) -> None:
    """A project that exists keeps its overlap."""
    assert make() == 0
    with Project.open("a.project") as project:
        assert project.settings.overlap == (2, 0.2)
        project.settings.set_overlap(1, 1.0)
    assert run(["annotate", "open", "a.project", "--no-browser", "--port", "0"]) == 0
    with Project.open("a.project") as project:
        assert project.settings.overlap == (1, 1.0)
    Path("a.project").unlink()
    assert make("--overlap", "3") == 0
    with Project.open("a.project") as project:
        assert project.settings.overlap == (3, 1.0)


def test_a_project_is_made_and_gone_on_with(texts: Path, started: list[dict[str, Any]], capsys: Captured) -> None:
    """The file has the texts and what was said; the address has a token, each time the same."""
    assert make("--scale", "points:1-5", "--overlap", "2", "--overlap-share", "0.25", "--goal", "20") == 0
    assert f"{len(TEXTS)} texts" in capsys.readouterr().err
    assert run(["annotate", "open", "a.project", "--no-browser", "--port", "0", "--overlap", "3"]) == 0
    with Project.open("a.project") as project:
        assert [text.text for text in project.texts()] == TEXTS
        assert project.scale == Scale(POINTS, 1.0, 5.0)
        assert project.settings.overlap == (3, 0.25)
        assert (project.settings.get("goal"), project.settings.get("model")) == (20, "fast")
    first, second = (one["access"].token for one in started)
    assert first == second and len(first) >= 16
    assert [one["browser"] for one in started] == [False, False]
    assert "Ctrl-C" in started[0]["announce"]("http://127.0.0.1:1/?token=x")


def test_columns_of_the_context(texts: Path, started: list[dict[str, Any]], capsys: Captured) -> None:
    """Named when the project is made, or later; one option after the other, or with commas."""
    assert make("--context-column", "id") == 0
    with Project.open("a.project") as project:
        assert project.context(1) == (("id", "1"),)
    for wrong, words in (("sentence", "the column of texts itself"), ("idd", "did you mean 'id'?")):
        assert run(["annotate", "open", "a.project", "--no-browser", "--port", "0", "--context-column", wrong]) == 2
        assert words in capsys.readouterr().err
    Path("b.csv").write_text("text,turn,hotel\nYes.,Is it open?,Sun\nNo.,Is it shut?,Sun\n", encoding="utf-8")
    both = ["--context-column", "turn", "--context-column", "hotel"]
    for project, options in (("b.project", both), ("c.project", ["--context-column", "turn,hotel"])):
        assert run(["annotate", "new", "b.csv", "-o", project, "--no-browser", "--port", "0", *options]) == 0
        with Project.open(project) as opened:
            assert opened.settings.context == ("turn", "hotel")


def test_guidelines_are_named_written_and_edited(texts: Path, started: list[dict[str, Any]], capsys: Captured) -> None:
    """A name to begin with, a file to edit; the export says if ratings are older than the last change."""
    assert make("--guidelines", "grammaticality") == 0
    write = ["annotate", "guidelines", "a.project", "-o", "mine.md"]
    assert run(write) == 0
    assert "edit 'mine.md', then: naturalness annotate open a.project --guidelines mine.md" in capsys.readouterr().err
    assert run(write) == 2
    assert run([*write, "--force"]) == 0
    mine = Path("mine.md").read_text(encoding="utf-8")
    assert mine.startswith("# How grammatical is this sentence?")
    rate_all("a.project", 4)
    Path("mine.md").write_text(mine.replace("grammatical", "correct"), encoding="utf-8")
    assert run(["annotate", "open", "a.project", "--guidelines", "mine.md", "--no-browser", "--port", "0"]) == 0
    capsys.readouterr()
    assert run(["annotate", "export", "a.project", "-o", "rated.csv"]) == 0
    assert "4 ratings are older than the guidelines, which changed at 20" in capsys.readouterr().err
    assert len(started) == 2


def test_a_full_disk_leaves_the_old_guidelines(
    texts: Path, started: list[dict[str, Any]], request: pytest.FixtureRequest
) -> None:
    """They may hold an hour of work."""
    assert make() == 0
    Path("mine.md").write_text("old")
    request.getfixturevalue("full_disk")
    assert run(["annotate", "guidelines", "a.project", "-o", "mine.md", "--force"]) == 2
    assert Path("mine.md").read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["open", "texts.csv"], "naturalness annotate new texts.csv -o texts.project"),
        (["open", "nothing.project"], "nothing.project'; check the path"),
        (["new", "nothing.csv", "-o", "b.project"], "no file 'nothing.csv'"),
        (["new", "texts.csv", "-o", "texts.csv"], "'texts.csv' exists"),
        (["new", "texts.csv", "-o", "b.project"], "no column 'text'"),
        (["new", "texts.csv", "-o", "b.project", "--text-column", "sentence", "--scale", "x"], "scale"),
        (
            ["new", "texts.csv", "-o", "b.project", "--text-column", "sentence", "--scale", "labels:bad"],
            "found one label, 'bad'; expected two or more, the worst first",
        ),
        (["new", "texts.csv", "-o", "no/b.project", "--text-column", "sentence"], "no folder"),
        (
            ["new", "texts.csv", "-o", "b.project", "--text-column", "sentence", "--guidelines", "grammar"],
            "grammaticality",
        ),
        (["new", "texts.csv", "-o", "b.project", "--guidelines", "a.md"], "check the path"),
        (["new", "texts.csv", "-o", "b.project", "--model", "no-model"], "no model at 'no-model'"),
        (["new", "texts.csv", "-o", "b.project", "--port", "99999999"], "port"),
    ],
)
def test_what_cannot_be(texts: Path, capsys: Captured, arguments: list[str], words: str) -> None:
    """One line that says what to do; nothing is left behind."""
    assert run(["annotate", *arguments, "--no-browser"]) == 2
    assert words in capsys.readouterr().err
    assert not Path("b.project").exists()


def test_a_project_is_not_made_twice(texts: Path, started: list[dict[str, Any]], capsys: Captured) -> None:
    """The message says how to go on with the one that is there."""
    make()
    rate_all("a.project")
    assert make() == 2
    assert "continue it with: naturalness annotate open a.project" in capsys.readouterr().err
    with Project.open("a.project") as project:
        assert len(project.ratings()) == 30


def test_export_writes_the_table_and_says_how_to_train(
    texts: Path, started: list[dict[str, Any]], capsys: Captured
) -> None:
    """No server is run; a file that is there is kept unless one says otherwise."""
    make()
    assert run(["annotate", "export", "a.project", "-o", "rated.csv"]) == 2
    assert "rate first" in capsys.readouterr().err
    rate_all("a.project")
    assert run(["annotate", "export", "a.project", "-o", "rated.csv"]) == 0
    said = capsys.readouterr().err
    assert "30 ratings of 30 texts" in said
    assert "naturalness train rated.csv --text-column sentence" in said
    assert len(started) == 1
    assert Path("rated.csv").read_text(encoding="utf-8").count("\n") == 31
    assert run(["annotate", "export", "a.project", "-o", "rated.csv"]) == 2
    assert run(["annotate", "export", "a.project", "-o", "rated.csv", "--force"]) == 0


def test_what_the_page_needs_is_named(texts: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """Without the extra no project is made, and the line to type is told."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert make() == 2
    assert "pip install 'naturalness[web]'" in capsys.readouterr().err
    assert not Path("a.project").exists()


def test_export_needs_no_server(texts: Path, started: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The table can be written where the extra is not installed."""
    make()
    rate_all("a.project", 3)
    for name in ("starlette", "uvicorn"):
        monkeypatch.setitem(sys.modules, name, None)
    assert run(["annotate", "export", "a.project", "-o", "rated.jsonl"]) == 0
