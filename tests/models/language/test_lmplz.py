"""KenLM's own tools: how they are called, and what is said when they fail."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from naturalness.errors import CorpusError, NaturalnessError
from naturalness.models.language.arpa import read_arpa
from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.lmplz import run_lmplz
from tests.support.reference_models import ASSETS, MODELS, Model, corpus

installed = pytest.mark.skipif(not shutil.which("lmplz"), reason="lmplz is absent")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for stand-ins of the tools; nothing else of theirs is on the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def stand_in(folder: Path, name: str, script: str) -> None:
    """A tool that does as told."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def estimated(lines: Iterable[str], arpa: Path, order: int = 5) -> None:
    """Estimated by the tool; nothing is reported."""
    run_lmplz(lines, arpa, order=order, folder=arpa.parent, advance=lambda n: None, report=lambda line: None)


def test_what_lmplz_is_given(tools: Path, tmp_path: Path) -> None:
    """Options and text: without reserved words and blank lines."""
    stand_in(tools, "lmplz", f"cat > {tmp_path}/text; echo $@ > {tmp_path}/options; echo working >&2")
    said: list[str] = []
    done: list[int] = []
    run_lmplz(
        ["a <s> b\n", "", "<unk>", "c é"],
        tmp_path / "out.arpa",
        order=4,
        folder=tmp_path,
        advance=done.append,
        report=said.append,
    )
    assert (tmp_path / "text").read_text(encoding="utf-8") == "a b\nc é\n"
    options = (tmp_path / "options").read_text(encoding="utf-8")
    for option in ("--order 4", "--memory 1G", "--discount_fallback"):
        assert option in options
    assert (sum(done), said) == (4, ["working"])


def test_a_tool_that_is_missing(tools: Path, tmp_path: Path) -> None:
    """The message names it and the way without it."""
    with pytest.raises(NaturalnessError, match=r"lmplz is not on the PATH.*kneser_ney"):
        estimated(["a"], tmp_path / "out.arpa")


def test_a_tool_that_fails(tools: Path, tmp_path: Path) -> None:
    """Before it has read the text, too: what it said is passed on, what it began is gone."""
    arpa = tmp_path / "out.arpa"
    stand_in(tools, "lmplz", f"echo begun > {arpa}; echo no room left >&2; exit 3")
    with pytest.raises(NaturalnessError, match=r"lmplz failed with status 3.*\n.*no room left"):
        estimated(["a b c"] * 200_000, arpa)
    assert not arpa.exists()


def test_a_text_that_fails(tools: Path, tmp_path: Path) -> None:
    """An error while reading the text ends the tool; a text without words is an error."""
    stand_in(tools, "lmplz", "cat > /dev/null")

    def lines() -> list[str]:
        yield "a b"
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        estimated(lines(), tmp_path / "out.arpa")
    with pytest.raises(CorpusError, match="no words"):
        estimated(["", "<s>"], tmp_path / "out.arpa")


@installed
@pytest.mark.parametrize(
    "reference", [model for model in MODELS if not model.prune], ids=lambda reference: reference.arpa
)
def test_the_files_here_are_those_of_lmplz(tmp_path: Path, reference: Model) -> None:
    """Where the tool is installed, it makes them again."""
    estimated(corpus(), tmp_path / "out.arpa", order=3)
    assert (tmp_path / "out.arpa").read_bytes() == (ASSETS / reference.arpa).read_bytes()


@installed
@pytest.mark.parametrize("order", [2, 5])
def test_both_ways_give_the_same(tmp_path: Path, order: int) -> None:
    """Ours and theirs, at the shortest order and a long one."""
    ours = estimate(corpus(), order=order)
    estimated(corpus(), tmp_path / "theirs.arpa", order=order)
    theirs = read_arpa(tmp_path / "theirs.arpa")
    for mine, other in zip(ours.logprobs, theirs.logprobs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=3e-7, atol=1e-7)
