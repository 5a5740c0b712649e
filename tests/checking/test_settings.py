"""Settings of `check`: where they are found, how they are read, and which are refused."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from naturalness.checking.settings import SETTINGS, CheckSettings, find_settings, read_settings
from naturalness.errors import TableError, UnknownName
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from tests.support.explained import HandMade
from tests.support.lines import rows

WHOLE = """\
[check]
model = "models/mine"
register = "books"
false-alarms = 0.01
off = ["he-go", "length", "languagetool-en-a-vs-an"]
words = ["benepar", "Link Grammar"]
rules = true
exclude = ["old/*.md"]
voice = true
"""


def write(path: Path, text: str) -> Path:
    """Write a file, and make its folder if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_that_can_be_set(tmp_path: Path) -> None:
    """Every setting is read; paths are relative to the file."""
    path = write(tmp_path / "naturalness.toml", WHOLE)
    settings = read_settings(path)
    assert settings == CheckSettings(
        path,
        str(tmp_path / "models/mine"),
        "books",
        0.01,
        None,
        ("he-go", "length", "languagetool-en-a-vs-an"),
        ("benepar", "Link Grammar"),
        True,
        ((tmp_path, "old/*.md"),),
        voice=True,
    )
    assert read_settings(write(tmp_path / "x.toml", '[check]\nmodel = "fast"\nmin-score = 0.3')).model == "fast"
    others = {"excluded": "exclude"}
    names = [others.get(name, name.replace("_", "-")) for name in CheckSettings.__slots__ if name != "path"]
    assert set(names) == set(SETTINGS)


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    """The nearest file with a section for `check` applies, from a folder upwards."""
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write(tmp_path / "naturalness.toml", "\ufeff[check]\nmin-score = 0.1")
    assert find_settings(inner).min_score == 0.1
    write(tmp_path / "a" / "naturalness.toml", "[check]\nmin-score = 0.2")
    assert find_settings(inner).min_score == 0.2


REFUSED = r"""
false_alarms = 0.1 | unknown setting 'false_alarms'; did you mean 'false-alarms'?
colour = 1 | unknown setting 'colour'; choose from: model, register,
min-score = 2 | min-score = 2; expected a number between 0 and 1
min-score = true | min-score = True; expected a number between 0 and 1
false-alarms = 'few' | false-alarms = 'few'; expected a number between 0 and 1
off = 'he-go' | off = 'he-go'; expected a list of texts
off = ['he-goo'] | off: unknown code 'he-goo'; did you mean 'he-go'?
rules = 'yes' | rules = 'yes'; expected true or false
words = [1] | words = [1]; expected a list of texts
model = '' | model = ''; expected a text
min-score = 0.1\nfalse-alarms = 0.1 | sets both min-score and false-alarms; expected one of them
min-score =  | is not TOML (Invalid value
"""
"""A line of settings, and the message about it."""


@pytest.mark.parametrize(("text", "expected"), rows(REFUSED))
def test_what_is_refused(text: str, expected: str, tmp_path: Path) -> None:
    """A refused setting raises an error that names the file, what was found, and what was expected."""
    path = write(tmp_path / "naturalness.toml", "[check]\n" + text.replace("\\n", "\n"))
    with pytest.raises(TableError) as error:
        read_settings(path)
    assert str(error.value).startswith(str(path)) and expected in str(error.value)


def test_settings_in_pyproject_are_refused(tmp_path: Path) -> None:
    """The section of pyproject.toml that earlier versions read is an error; other sections are ignored."""
    write(tmp_path / "pyproject.toml", "[tool.naturalness.check]\nvoice = true\n")
    with pytest.raises(TableError, match=r"no longer read; move it to \[check\] of naturalness.toml"):
        find_settings(tmp_path)
    write(tmp_path / "pyproject.toml", "[tool.naturalness]\n")
    assert find_settings(tmp_path) == CheckSettings()


def test_an_unknown_or_missing_section(tmp_path: Path) -> None:
    """An unknown or missing section raises an error that names the expected section."""
    path = write(tmp_path / "naturalness.toml", "[chek]")
    with pytest.raises(TableError, match=r"unknown section \[chek\]; did you mean 'check'\?"):
        read_settings(path)
    for text in ("", "check = 1"):
        write(path, text)
        with pytest.raises(TableError, match=r"naturalness.toml has no section \[check\]; add it, or rename the file$"):
            find_settings(tmp_path)


@pytest.mark.parametrize("place", ["../mine", "/etc/mine", "link/mine"])
def test_paths_in_settings_stay_in_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Paths in settings must stay in their folder, unless the user names the file with --config."""
    path = write(tmp_path / "repository" / "naturalness.toml", f'[check]\nmodel = "{place}"')
    (path.parent / "link").symlink_to(tmp_path)
    monkeypatch.chdir(path.parent)
    with pytest.raises(TableError, match=r"model = '.*mine' lies outside the folder of the settings; .* --model, or"):
        find_settings(Path())
    assert str(read_settings(path).model).endswith("mine")
    path.write_text('[check]\nmodel = "inside/mine"')
    assert find_settings(Path()).model == str(path.parent / "inside/mine")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("min-score = 0x" + 5000 * "f", "is not TOML .*check with --config none"),
        ("words = [" + 5000 * "[", "is not TOML .*check with --config none"),
        ('model = "a\\u0000b"', "is not a path"),
    ],
    ids=["number", "lists", "path"],
)
def test_giants_are_refused(tmp_path: Path, text: str, message: str) -> None:
    """Huge numbers, deep lists and invalid paths raise an error that says what to do."""
    with pytest.raises(TableError, match=message):
        read_settings(write(tmp_path / "naturalness.toml", f"[check]\n{text}"))


def test_dots_in_strings_and_comments_are_no_keys(tmp_path: Path) -> None:
    """A text with many dots is read like any other."""
    many = " ".join(30 * ["e.g. e.g."])
    path = write(tmp_path / "naturalness.toml", f'[check]\nwords = ["{many}"] # {many}')
    assert read_settings(path).words == (many,)


def test_the_minimum_score() -> None:
    """The minimum is the score, the share of false alarms, 2 % by default, or a trained model's threshold."""
    model = load_model("fast")
    assert model.people is not None
    assert CheckSettings(min_score=0.3).min_score_of(model) == 0.3
    assert CheckSettings().min_score_of(model) == model.people.threshold(0.02)
    assert CheckSettings(false_alarms=0.1, register="news").min_score_of(model) == model.people.threshold(0.1, "news")
    assert CheckSettings().min_score_of(cast(NaturalnessModel, HandMade())) == HandMade.threshold
    with pytest.raises(UnknownName, match="unknown register 'new'"):
        CheckSettings(min_score=0.3, register="new").min_score_of(model)
