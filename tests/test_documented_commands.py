"""The command lines of the pages run as printed; those of the README, tour and tutorial run in `test_docs`."""

from __future__ import annotations

import glob
import gzip
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from naturalness.annotate.pages.desk import Measuring
from naturalness.annotate.project import PAIRS, Answer, Project
from naturalness.cli import run
from naturalness.cli import serve as cli_serve
from naturalness.models.checkers import languagetool
from naturalness.web import running
from tests.support import fake_languagetool
from tests.support.documented import ROOT, Call, blocks, calls
from tests.support.documented_files import write_files

ELSEWHERE = ("docs/tour.md", "docs/tutorial.md")
"""Pages whose lines run in `test_docs`."""
QUICK = ("--repeats", "2", "--folds", "2")
"""Splits and folds of `train`, whose defaults take long; put before the options, which may name other numbers."""
MODEL = ("train", *QUICK, "rated.csv", "-o", "my-model")
"""What makes the model that some pages presuppose."""
PRESUPPOSING = ("docs/commands.md", "docs/reports.md")
VERDICTS = ("check", "--min-score", "--false-alarms", "--fail-if-worse")
"""What may end a command with 1: texts that are not good enough."""
TORCH = "needs torch, and a model of Hugging Face that a test cannot fetch; {} have small ones"
RAY = "needs Ray and an object store or a cluster; tests/labelling run Ray where it is installed"
BENEPAR = "needs benepar, torch and the parser that benepar downloads; tests/models/parsers have a small one"
SPACY = "needs a pipeline that spaCy downloads; tests/features/test_pipelines.py has others"
FRENCH = "needs the French pipeline of spaCy, or what was made with it"
LINK = "needs the program link-parser; tests/models/parsers/link run it where it is installed"
CANNOT = {
    ("docs/commands.md", "naturalness lm lstm corpus.txt"): "needs torch; tests/cli/test_lm_lstm.py trains one",
    ("docs/gruen.md", "naturalness compare rated.csv --metrics gruen --masked-lm"): TORCH.format("tests/models"),
    ("docs/how-to.md", "naturalness train rated.csv --features embedding:hf:"): TORCH.format("tests/features"),
    ("docs/how-to.md", "naturalness train rated.csv --learner bigru"): "needs torch; tests/models/learners train one",
    ("docs/how-to.md", "naturalness compare rated.tsv --metrics bertscore:hf:"): TORCH.format("tests/models"),
    ("docs/how-to.md", "naturalness features rated.csv --parser benepar:"): BENEPAR,
    ("docs/how-to.md", "naturalness features rated.csv --nlp en_core_web_sm"): SPACY,
    ("docs/how-to.md", "naturalness doctor --nlp ./my-pipeline"): SPACY,
    ("docs/labelling.md", "naturalness label s3://"): RAY,
    ("docs/labelling.md", "naturalness label corpus.jsonl -o scored.jsonl --engine ray"): RAY,
    ("docs/labelling.md", "RAY_ADDRESS="): RAY,
    ("docs/labelling.md", "ray job submit"): RAY,
    ("docs/neural.md", "naturalness lm score hf:"): TORCH.format("tests/language_models"),
    ("docs/neural.md", "naturalness features texts.txt --features lm:hf:"): TORCH.format("tests/language_models"),
    ("docs/neural.md", "naturalness compare rated.csv --metrics nce:lm:hf:"): TORCH.format("tests/language_models"),
    ("docs/neural.md", "naturalness features texts.txt --features embedding:"): TORCH.format("tests/features"),
    ("docs/neural.md", "naturalness lm lstm"): "needs torch; tests/cli/test_lm_lstm.py trains one",
    ("docs/neural.md", "naturalness lm score lstm"): "needs the LSTM that torch trains",
    ("docs/neural.md", "naturalness features texts.txt --features lm:lstm"): "needs the LSTM that torch trains",
    ("docs/neural.md", "naturalness compare rated.csv --metrics slor:lm:lstm"): "needs the LSTM that torch trains",
    ("docs/other-languages.md", "naturalness "): FRENCH,
    ("docs/own-models.md", "naturalness doctor --nlp en_core_web_sm"): SPACY,
    ("docs/own-models.md", "naturalness train rated.csv --nlp en_core_web_sm"): SPACY,
    ("docs/own-models.md", "naturalness features rated.csv --parser benepar:"): BENEPAR,
    ("docs/own-models.md", "naturalness train rated.csv --features all,embedding:"): TORCH.format("tests/features"),
    ("docs/parsers.md", "naturalness features texts.csv --features constituency --parser benepar:"): BENEPAR,
    ("docs/parsers.md", "naturalness train rated.csv --parser benepar:"): BENEPAR,
    ("docs/parsers.md", "naturalness features texts.csv --features constituency --parser bllip:"): "needs bllipparser",
    ("docs/parsers.md", "naturalness features texts.csv --features all,link"): LINK,
    ("docs/gleu.md", "naturalness compare rated.csv --metrics gleu-link"): LINK,
}
"""Page and start of a line that cannot run in tests -> why not."""


def why_not(page: str, line: str) -> str | None:
    """Why a line cannot run; None where it can."""
    return next((why for (name, start), why in CANNOT.items() if name == page and line.startswith(start)), None)


def can_run(page: str) -> bool:
    """Whether any line of a page runs here."""
    lines = [call.line for block in blocks(page, "sh") for call in calls(block)]
    return page not in ELSEWHERE and not all(why_not(page, line) for line in lines)


PAGES = [page for path in sorted(ROOT.glob("docs/*.md")) if can_run(page := f"docs/{path.name}")]


@pytest.mark.parametrize(("page", "start"), CANNOT)
def test_what_cannot_run_is_on_its_page(page: str, start: str) -> None:
    """The table has no line that is gone."""
    assert any(call.line.startswith(start) for block in blocks(page, "sh") for call in calls(block))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was measured on one page is not measured on the next."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def desk(tmp_path: Path, store: Path, large: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder to work in, with all that is shipped, a LanguageTool, one core, and servers that stop at once."""
    pytest.importorskip("uvicorn", reason="needs the extra web")
    listen = running.listen
    languagetool.close()
    monkeypatch.delenv(languagetool.VARIABLE, raising=False)

    def serve(app: Any, endpoint: running.Endpoint, **options: Any) -> int:
        endpoint.socket.close()
        return 0

    for name, value in fake_languagetool.install(tmp_path / "programs").items():
        monkeypatch.setenv(name, value)
    # The fixture `large` does not reach the processes of workers.
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "large"), prepend=os.pathsep)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("NATURALNESS_STORE", str(store))
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0}, raising=False)
    for module in (running, cli_serve):  # the one is read when a command runs, the other was when it was imported
        monkeypatch.setattr(module, "listen", lambda host, port, **options: listen(host, None, **options))
        monkeypatch.setattr(module, "run", serve)
    monkeypatch.setattr(Measuring, "_run", lambda self: None)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    yield
    languagetool.close()


def execute(call: Call) -> int:
    """Run a call as a shell would; return its exit status."""
    arguments = [path for word in call.arguments for path in (sorted(glob.glob(word)) or [word])]  # noqa: PTH207
    if arguments[0] == "train":
        arguments[1:1] = QUICK
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
    if arguments[:2] == ["annotate", "new"]:
        rate(call.outputs[0])
    return status


def rate(path: Path) -> None:
    """Rate the texts of a project, as a person would on its page."""
    with Project.open(path) as project:
        low, high = project.scale.low, project.scale.high
        for text in project.texts() if project.scale.kind != PAIRS else ():
            question = project.ask("Ann", [text.number], reason="random", wording="drawn at random")
            assert question is not None
            project.answer(question, Answer(low if text.number % 2 else high))


def clear(call: Call) -> None:
    """Remove what an earlier line wrote by the same name."""
    for path in call.outputs if "--force" not in call.arguments else ():
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)


def faults(page: str) -> Iterator[str]:
    """Run the lines of a page in order; yield those that fail or do not write what they name."""
    for block in blocks(page, "sh"):
        write_files(large="generate" in block)
        for call in calls(block):
            if why_not(page, call.line):
                continue
            clear(call)
            status = execute(call)
            if status > any(word in VERDICTS for word in call.arguments):
                yield f"{status}: {call.line}"
            yield from (f"no {path}: {call.line}" for path in call.outputs if not path.exists())


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_commands_run(page: str, desk: None) -> None:
    """Each with the exit status that the page implies, and with the files that it names."""
    if page in PRESUPPOSING:
        write_files()
        assert run(MODEL) == 0
    assert list(faults(page)) == []
