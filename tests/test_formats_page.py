"""docs/formats.md names exactly the fields, files and suffixes that commands write and read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from naturalness.data.formats import COMPRESSED, FORMATS, SUFFIXES
from naturalness.explaining.explanation import Explanation
from naturalness.files.resources import assets_folder
from naturalness.judging.fields import FIT, SINGLE, SOUND
from tests.support.documented import ROOT
from tests.support.documented_files import write_files
from tests.support.language_models import train

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
TEXT = "The old woman from the the village carried a heavy basket and a box."
ADAPTED = ("--model", "kind", "--register", "yours", "--format", "json")
Written = Callable[..., Any]


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading, row by row."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    return [re.split(r" *\| *", line)[1:-1] for line in re.findall(r"^\|.*\|$", section, re.M)[2:]]


def quoted(cell: str) -> list[str]:
    """Return the code spans of a cell."""
    return re.findall(r"`([^`]+)`", cell)


def described(heading: str) -> dict[str, set[str]]:
    """Return the fields of a table, each with the inner fields that its row names."""
    return {name: set(quoted(cells[-1])) for cells in rows(heading) for name in quoted(cells[0])}


def top(names: dict[str, set[str]]) -> set[str]:
    """Return the names of the fields at the top level."""
    return {name.removesuffix("[]") for name in names if "." not in name}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Work in a folder with an adapted model, a trained model, and a text to check."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder := tmp_path_factory.mktemp("desk"))
        write_files()
        train(Path("counts"))
        Path("one.txt").write_text(f"{TEXT}\n")
        Path("guide.md").write_text(f"{TEXT}\n\n<!-- naturalness: ignore style -->\n")
        assert run(["adapt", "replies.txt", "-o", "kind", "--from", "fast"]) == 0
        quick = ("--features", "surface,lm:counts", "--learner", "logistic-l2", "--repeats", "2", "--folds", "2")
        assert run(["train", "rated.csv", "-o", "trained", *quick]) == 0
        yield folder


@pytest.fixture
def written(desk: Path, capfd: pytest.CaptureFixture[str]) -> Written:
    """Return a function that runs a command and returns the JSON that it prints."""

    def answer(*arguments: str) -> Any:
        run(list(arguments))
        return json.loads(capfd.readouterr().out)

    return answer


@pytest.fixture
def explained(written: Written) -> dict[str, Any]:
    """Return an explanation with every field."""
    (explanation,) = written("explain", TEXT, "--edits", *ADAPTED)
    return dict(explanation)


@pytest.fixture
def checked(written: Written) -> dict[str, Any]:
    """Return the result of a check with a flaw."""
    return dict(written("check", "guide.md", "--edits", "--min-score", "0.9", *ADAPTED))


def test_suffixes_are_those_of_the_formats() -> None:
    """Each format has one row with all of its suffixes; compressed suffixes are listed too."""
    named = [quoted(cells[-1]) for cells in rows("Tables of texts")]
    assert sorted(suffix for suffixes in named for suffix in suffixes) == sorted(SUFFIXES)
    formats = [name for suffixes in named for name in {SUFFIXES[suffix] for suffix in suffixes}]
    assert sorted(formats) == sorted(FORMATS)
    (packed,) = re.findall(r"may be compressed \((.*?)\)", PAGE)
    assert quoted(packed) == list(COMPRESSED)


YOURS = ("--register", "yours")
OPTIONS: dict[str, list[tuple[str, ...]]] = {
    "score": [(), YOURS],
    "label": [(), YOURS, (*YOURS, "--fields", ",".join(SINGLE))],
}
"""Command -> options that add fields."""


def scored(column: int, options: tuple[str, ...]) -> set[str]:
    """Return the fields that the page lists for a command with these options."""
    cells_of = {"yes", *(f"`{option}`" for option in options)}
    return {name for cells in rows("Scores") if cells[column] in cells_of for name in quoted(cells[0])}


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS["score"])
def test_scores(options: tuple[str, ...], written: Written) -> None:
    """`score` writes the listed fields; shipped models lack the two axes."""
    for model, more in (("kind", set()), ("fast", {SOUND, FIT})):
        chosen = [{"yours": "plain"}.get(word, word) if more else word for word in options]
        (score,) = written("score", TEXT, "--model", model, "--format", "json", *chosen)
        assert {*score, *more} == scored(1, options)


@pytest.mark.slow
def test_explanations(explained: dict[str, Any]) -> None:
    """The page lists the fields of an explanation and of its parts; the command and Python agree."""
    names = described("Explanations")
    assert set(explained) == {field.name for field in fields(Explanation)} == top(names)
    (contribution, *_) = explained["contributions"]
    assert set(contribution) == names["contributions[]"]
    assert set(contribution["features"][0]) == names["contributions[].features[]"]
    for name in ("findings", "edits"):
        assert set(explained[name][0]) == names[f"{name}[]"]
    assert set(explained["standing"]) == names["standing"] - {"--register"}
    assert set(explained["axes"]) == names["axes"]


@pytest.mark.slow
def test_results_of_check(checked: dict[str, Any], explained: dict[str, Any]) -> None:
    """The page lists the fields of the results, and those that only a result has."""
    names = described("Results of check")
    assert set(checked) == top(names)
    (result,) = checked["results"]
    assert set(result) == explained.keys() | names["results[]"]
    for placed in (result, *result["findings"], *result["edits"]):
        assert set(placed["place"]) == names["results[].place"]
    for name in ("findings", "edits"):
        assert set(result[name][0]) == explained[name][0].keys() | {"place"}


OF = {"trained": "trained", "adapted": "kind", "shipped": str(assets_folder() / "fast")}
"""How a model was made, in the words of the page -> the folder of one."""


@pytest.mark.slow
@pytest.mark.parametrize("how", OF)
def test_files_of_a_model(how: str, desk: Path) -> None:
    """A model's folder has the files listed for its kind."""
    files = {path.name + "/" * path.is_dir() for path in (desk / OF[how]).iterdir()}
    named = set()
    for file, told in rows("A model"):
        kinds = re.match(r"in ([a-z ]+) models:", told)
        named |= set(quoted(file)) if not kinds or how in kinds[1] else set()
    assert files == named
