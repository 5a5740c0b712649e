"""The command lines of the README and the pages parse and run as printed."""

from __future__ import annotations

import glob
import gzip
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import build_parser, run
from naturalness.cli import serve as cli_serve
from naturalness.labelling import pool
from naturalness.models.checkers import languagetool
from naturalness.studio.annotate.pages.desk import Learning
from naturalness.studio.annotate.project import Project
from naturalness.studio.web import running
from tests.support import fake_languagetool
from tests.support.annotation_projects import rate as rate_text
from tests.support.documented import ROOT, Call, blocks, calls
from tests.support.documented_files import write_files
from tests.support.labelling import LocalWorker
from tests.support.repositories import git

QUICK = {"--repeats": "1", "--folds": "2"}
"""Options that make `train` quick, added to a line that does not have them."""
FEW_COLUMNS = "lexical__root_ttr,surface__n_characters,repetition__distinct_share"
"""Features for a line with --select and without --features: elimination fits each number of columns."""
MODEL = "naturalness train rated.csv -o my-model"
"""What makes the model that some pages presuppose."""
PRESUPPOSING = ("docs/commands.md", "docs/reports.md")
VERDICTS = ("check", "--min-score", "--false-alarms", "--fail-if-worse")
"""What may end a command with 1: texts that are not good enough."""
HUB = "needs torch, and a model of Hugging Face that a test cannot fetch; {} have small ones"
SPACY = "needs a pipeline that spaCy downloads; tests/features/test_pipelines.py has others"
BENEPAR = "needs benepar, torch and the parser that benepar downloads; tests/models/parsers have a small one"
FRENCH = "needs the French pipeline of spaCy, or what was made with it"
EDITOR = "waits for an editor; tests/integrations have one"
CANNOT = {
    ("docs/commands.md", "naturalness lsp"): EDITOR,
    ("docs/how-to.md", "naturalness train rated.csv --features embedding:hf:"): HUB.format("tests/features"),
    ("docs/neural.md", "naturalness features texts.txt --features lm:hf:"): HUB.format("tests/language_models"),
    ("docs/neural.md", "naturalness compare rated.csv --metrics nce:lm:hf:"): HUB.format("tests/language_models"),
    ("docs/neural.md", "naturalness features texts.txt --features embedding:"): HUB.format("tests/features"),
    ("docs/other-languages.md", "naturalness "): FRENCH,
    ("docs/own-models.md", "naturalness features rated.csv --features parser:benepar:"): BENEPAR,
    ("docs/own-models.md", "naturalness train rated.csv --nlp en_core_web_sm"): SPACY,
    ("docs/own-models.md", "naturalness train rated.csv --features all,embedding:"): HUB.format("tests/features"),
    ("docs/parsers.md", "naturalness features texts.csv --features parser:benepar:"): BENEPAR,
    ("docs/parsers.md", "naturalness train rated.csv --features all,parser:benepar:"): BENEPAR,
}
"""Page and start of a line that cannot run in tests, or not everywhere -> why not."""


def why_not(page: str, line: str) -> str | None:
    """Return the reason why a line cannot run here, or None if it can."""
    return next((why for (name, start), why in CANNOT.items() if name == page and line.startswith(start)), None)


PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted(ROOT.glob("docs/*.md")))]
CALLS = {page: lines for page in PAGES if (lines := [call for block in blocks(page, "sh") for call in calls(block)])}
"""Page -> the calls on it."""
RUNNING = [page for page, lines in CALLS.items() if not all(why_not(page, call.line) for call in lines)]


@pytest.mark.parametrize("page", CALLS)
def test_commands_are_parsed(page: str) -> None:
    """The parser accepts every line, including those that cannot run here."""
    for call in CALLS[page]:
        assert build_parser().parse_args(call.arguments).command == call.arguments[0], call.line


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store that all pages share, so that a text is measured once."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def desk(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in a new folder with all shipped files, a LanguageTool, and servers that stop at once."""
    for package, extra in (("uvicorn", "web"), ("mcp_types", "mcp")):
        pytest.importorskip(package, reason=f"needs the extra {extra}")
    listen = running.listen
    pytest.importorskip("language_tool_python", reason="needs the extra languagetool")

    languagetool.close()
    monkeypatch.delenv(languagetool.VARIABLE, raising=False)

    def serve(app: Any, endpoint: running.Endpoint, **options: Any) -> int:
        endpoint.socket.close()
        return 0

    for name, value in fake_languagetool.install(tmp_path / "programs").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(pool, "Worker", LocalWorker)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("NATURALNESS_STORE", str(store))
    # One module is read when a command runs, the other was when it was imported.
    for module, name in ((running, "run"), (cli_serve, "serve")):
        monkeypatch.setattr(module, "listen", lambda host, port, **options: listen(host, None, **options))
        monkeypatch.setattr(module, name, serve)
    monkeypatch.setattr(Learning, "_run", lambda self: None)
    monkeypatch.setattr("naturalness.integrations.mcp.serve", lambda tools: None)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "first")
    yield
    languagetool.close()


def execute(call: Call) -> int:
    """Run a call as a shell would; return its exit status."""
    arguments = [path for word in call.arguments for path in (sorted(glob.glob(word)) or [word])]  # noqa: PTH207
    if arguments[0] == "train":
        quick = QUICK | ({"--features": FEW_COLUMNS} if "--select" in arguments else {})
        arguments += [word for option in quick.items() if option[0] not in arguments for word in option]
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for name, value in call.variables.items():
            patch.setenv(name, value)
        if call.read:
            opened = gzip.open if call.read.endswith(".gz") else open
            patch.setattr(sys, "stdin", stack.enter_context(opened(call.read, "rt", encoding="utf-8")))
        if call.written:
            stack.enter_context(redirect_stdout(stack.enter_context(Path(call.written).open("w", encoding="utf-8"))))
        status = run(arguments)
    if arguments[0] == "annotate" and "-o" in arguments:
        rate(call.outputs[0])
    return status


def rate(path: Path) -> None:
    """Rate the texts of a project."""
    with Project.open(path) as project:
        low, high = project.scale.low, project.scale.high
        for text in project.texts():
            rate_text(project, "Ann", text.number, low if text.number % 2 else high)


def clear(call: Call) -> None:
    """Remove the files that an earlier line wrote under the same names."""
    for path in call.outputs if "--force" not in call.arguments else ():
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)


def is_independent(call: Call) -> bool:
    """Return whether a call neither reads nor writes a file of the page."""
    return not (call.outputs or call.read or any(Path(word).exists() for word in call.arguments))


def faults(page: str, passed: set[str]) -> Iterator[str]:
    """Run the lines of a page in order; yield those that fail or do not write what they name.

    ``passed`` collects independent lines, which are not repeated on another page.
    """
    samples: set[str] = set()
    for block in blocks(page, "sh"):
        write_files(samples=samples)
        for call in calls(block):
            if why_not(page, call.line) or call.line in passed:
                continue
            clear(call)
            status = execute(call)
            if call.arguments[:2] == ("assets", "sample"):
                samples.update(map(str, call.outputs))
            if status > any(word in VERDICTS for word in call.arguments):
                yield f"{status}: {call.line}"
            elif is_independent(call):
                passed.add(call.line)
            yield from (f"no {path}: {call.line}" for path in call.outputs if not path.exists())


@pytest.fixture(scope="module")
def passed() -> set[str]:
    """Return the independent lines that have run."""
    return set()


@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNING)
def test_commands_run(page: str, desk: None, passed: set[str]) -> None:
    """Each line has the exit status that its page implies, and writes the files that it names."""
    if page in PRESUPPOSING:
        write_files()
        assert [execute(call) for call in calls(MODEL)] == [0]
    assert list(faults(page, passed)) == []
