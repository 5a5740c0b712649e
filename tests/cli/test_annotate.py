"""`naturalness annotate`: create a project, open it again, and export the ratings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from naturalness.cli.annotate import scale_named
from naturalness.errors import TableError
from naturalness.studio.annotate.project import LABELS, POINTS, SLIDER, Project, Scale
from naturalness.studio.web.security import Guard
from tests.support.annotation_projects import rate
from tests.support.rated import sentences

Captured = pytest.CaptureFixture[str]
TEXTS = list(dict.fromkeys(text for text, _, _ in sentences(40)))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Record the servers that would run, instead of running them."""
    runs: list[dict[str, Any]] = []

    def pretend(app: Any, endpoint: Any, **options: Any) -> int:
        endpoint.socket.close()
        runs.append({"app": app, "endpoint": endpoint, **options})
        return 0

    from naturalness.studio.annotate.pages.desk import Learning
    from naturalness.studio.web import running

    monkeypatch.setattr(running, "run", pretend)
    monkeypatch.setattr(Learning, "_run", lambda self: None)
    return runs


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a table of sentences into the folder where commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    rows = [f'{n},"{text}"' for n, text in enumerate(TEXTS)]
    Path("texts.csv").write_text("\n".join(["id,sentence", *rows]), encoding="utf-8")
    return Path("texts.csv")


def annotate(file: str, *more: str) -> int:
    """Run the command on a free port, without a browser."""
    return run(["annotate", file, "--port", "0", "--no-browser", *more])


def make(*more: str) -> int:
    """Create a project from the table."""
    return annotate("texts.csv", "--text-column", "sentence", "-o", "a.project", "--model", "fast", *more)


def rate_all(path: str, of: int = 30) -> None:
    """Rate some texts of a project."""
    with Project.open(path) as project:
        for number in range(of):
            rate(project, "Ann", number, float(number % 3))


def overlap_of(project: Project) -> list[float]:
    """Return the number of raters of shared texts, and the share of these texts."""
    return [project.settings.get(key) for key in ("overlap", "overlap_share")]


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("natural", Scale(LABELS, 0.0, 2.0, ("unnatural", "not sure", "natural"))),
        ("points:1-6", Scale(POINTS, 1.0, 6.0)),
        ("slider", Scale(SLIDER, 0.0, 100.0)),
        ("labels:bad, so-so,good", Scale(LABELS, 0.0, 2.0, ("bad", "so-so", "good"))),
    ],
)
def test_scales_by_name(name: str, scale: Scale) -> None:
    """The name of a scale determines its kind, ends and labels."""
    assert scale_named(name) == scale


@pytest.mark.parametrize("name", ["", "points", "points:1", "points:a-b", "labels:", "stars"])
def test_unknown_scale_is_refused(name: str) -> None:
    """The error about an unknown scale lists the choices."""
    with pytest.raises(TableError, match="points:1-6"):
        scale_named(name)


def test_project_is_created_and_continued(texts: Path, started: list[dict[str, Any]], capsys: Captured) -> None:
    """Settings can be changed when a project is reopened, and its token stays the same."""
    assert make("--scale", "points:1-5") == 0
    assert f"{len(TEXTS)} texts in 'a.project'" in capsys.readouterr().err
    with Project.open("a.project") as project:
        assert [text.text for text in project.texts()] == TEXTS
        assert (project.scale, overlap_of(project)) == (Scale(POINTS, 1.0, 5.0), [2, 0.2])
        assert project.settings.get("model") == "fast"
    assert annotate("a.project", "--overlap", "3") == 0
    with Project.open("a.project") as project:
        assert (overlap_of(project), project.settings.get("model")) == ([3, 1.0], "fast")
    first, second = (one["access"].token for one in started)
    assert isinstance(started[0]["app"], Guard) and started[0]["app"].access.token == first
    assert first == second and len(first) >= 16
    assert [one["browser"] for one in started] == [False, False]
    assert "Ctrl-C" in started[0]["announce"]("http://127.0.0.1:1/?token=x")


def test_project_is_named_after_the_table(texts: Path, started: list[dict[str, Any]], capsys: Captured) -> None:
    """An existing project is not replaced; the message says how to continue it."""
    Path("b.csv").write_text("text,hotel\nYes.,Sun\nNo.,Sun\n", encoding="utf-8")
    assert annotate("b.csv", "--model", "none") == 0
    rate_all("b.project", 2)
    assert annotate("b.csv") == 2
    assert "continue it with: naturalness annotate b.project" in capsys.readouterr().err
    with Project.open("b.project") as project:
        assert len(project.ratings()) == 2


def test_guidelines_come_from_a_file(texts: Path, started: list[dict[str, Any]]) -> None:
    """Guidelines are read from a file and can be replaced later."""
    for question in ("Would you say that?", "Is it correct?"):
        Path("mine.md").write_text(f"# {question}\n", encoding="utf-8")
        arguments = ("--guidelines", "mine.md")
        assert (annotate("a.project", *arguments) if started else make(*arguments)) == 0
        with Project.open("a.project") as project:
            assert project.settings.guidelines.question == question


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("nothing.project", "nothing.project'; check the path"),
        ("texts.csv --export rated.csv", "texts.csv' is not an annotation project"),
        ("nothing.csv", "no file 'nothing.csv'"),
        ("texts.csv -o texts.csv", "'texts.csv' exists"),
        ("texts.csv -o b.project", "no column 'text'"),
        ("texts.csv -o b.project --text-column sentence --scale x", "scale"),
        (
            "texts.csv -o b.project --text-column sentence --scale labels:bad",
            "found labels 'bad'; expected two or more",
        ),
        ("texts.csv -o b.project --text-column sentence --scale points:6-1", "expected the lowest rating first"),
        ("texts.csv -o no/b.project --text-column sentence", "no folder"),
        ("texts.csv -o b.project --guidelines a.md", "check the path"),
        ("texts.csv -o b.project --model no-model", "no model at 'no-model'"),
        ("texts.csv -o b.project --port 99999999", "port"),
    ],
)
def test_mistakes_leave_no_file(texts: Path, capsys: Captured, arguments: str, words: str) -> None:
    """A mistake creates no file, and its message is one line that says what to do."""
    assert run(["annotate", *arguments.split(), "--no-browser"]) == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in Path().iterdir() if path.name != "state"] == ["texts.csv"]


def test_options_of_a_new_project_are_refused_for_an_existing_one(
    texts: Path, started: list[dict[str, Any]], capsys: Captured
) -> None:
    """The scale of a project cannot be changed."""
    assert make() == 0
    assert annotate("a.project", "--scale", "slider") == 2
    assert "--scale is for a new project; 'a.project' is an existing one" in capsys.readouterr().err


def test_export_writes_the_table_and_says_how_to_train(
    texts: Path, started: list[dict[str, Any]], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The export needs no server, and overwrites a table only with --force."""
    make()
    for name in ("starlette", "uvicorn"):
        monkeypatch.setitem(sys.modules, name, None)
    export = ["annotate", "a.project", "--export", "rated.csv"]
    assert run(export) == 2
    assert "rate some texts first" in capsys.readouterr().err
    rate_all("a.project")
    assert run(export) == 0
    said = capsys.readouterr().err
    assert "30 ratings of 30 texts" in said
    assert "naturalness train rated.csv --text-column sentence" in said
    assert Path("rated.csv").read_text(encoding="utf-8").count("\n") == 31
    assert run(export) == 2
    assert run([*export, "--force"]) == 0
    Path("b.project").unlink(missing_ok=True)
    assert annotate("texts.csv", "--text-column", "sentence", "-o", "b.project") == 2
    assert "pip install 'naturalness[web]'" in capsys.readouterr().err
    assert not Path("b.project").exists()
