"""The steps of CONTRIBUTING.md work in a copy of the package."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from naturalness.cli import run

ROOT = Path(__file__).parents[1]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ASSETS = Path("naturalness/models/assets")
WALKED = ("naturalness", "tests", "docs")
RULE = """
[SNORE_LOUDLIER]
finds = "“loudlier”."
message = "the adverb is 'more loudly'"
suggest = ["more loudly"]
tokens.adverb = { lower = "loudlier" }
bad = ["My uncle snores loudlier than the dog.", "They sang loudlier than the birds."]
good = ["My uncle snores more loudly than the dog.", "They sang more loudly than the birds."]
"""
FEATURE = """word_length_min,length of the shortest word,characters of the shortest word,1..,longer words,\
this project,whole text,no words,length,no
"""
GROUP = """\"\"\"Final question marks.\"\"\"

from naturalness.features.base import MeasuredGroup


def measure(doc):
    \"\"\"Return one row, in the order of the table.\"\"\"
    return [doc.text.endswith("?")]


ASKING = MeasuredGroup("asking", "Whether a text ends in a question mark.", measure)
"""
TABLE = """name,words,formula,range,direction,source,several,undefined,cause,parsed
asks,final question mark,1 if the text ends in a question mark,"0, 1",a question,this project,whole text,never,style,no
"""
SENTENCES = "She reads a long book in the garden.\nHis aunt snores loudlier than the cat.\n"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a copy of the folders that the steps change, with links to the assets."""

    def skipped(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name == "__pycache__" or Path(folder, name) == ROOT / ASSETS]

    for folder in WALKED:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skipped)
    for folder in (ASSETS, Path("training")):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*.toml"), *ROOT.glob("*.cff")):
        shutil.copy(path, tmp_path)
    return tmp_path


def files_of(walk: str) -> set[str]:
    """Return the files that the table of a section lists."""
    section = CONTRIBUTING.split(f"## {walk}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE))


def contents(clone: Path) -> dict[str, str]:
    """Return a checksum of each file of a copy."""

    def paths() -> Iterator[Path]:
        for folder in WALKED:
            yield from (path for path in (clone / folder).rglob("*") if path.suffix in (".py", ".md", ".toml", ".csv"))

    return {str(path.relative_to(clone)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths()}


def replace(path: Path, old: str, new: str) -> None:
    """Replace a passage that occurs once in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def python(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy, with the copy's package."""
    environment = {**os.environ, "PYTHONPATH": str(clone), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)


def passes(clone: Path, *tests: str) -> bool:
    """Return whether tests of a copy pass."""
    done = python(clone, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)
    print(done.stdout[-2000:], done.stderr[-2000:])  # noqa: T201
    return done.returncode == 0


def add_feature(clone: Path) -> None:
    """Add a feature to the group `surface`, without its value in the tests."""
    last = "\npunctuation_share,"
    replace(clone / "naturalness/features/tables/surface.csv", last, f"\n{FEATURE}punctuation_share,")
    group = clone / "naturalness/features/surface.py"
    replace(group, "NAN, NAN, NAN, NAN, NAN, punctuation", "NAN, NAN, NAN, NAN, NAN, NAN, punctuation")
    replace(group, "max(lengths),", "max(lengths), min(lengths),")


def add_group(clone: Path) -> None:
    """Add a group of one feature."""
    folder = clone / "naturalness/features"
    (folder / "asking.py").write_text(GROUP, encoding="utf-8")
    (folder / "tables/asking.csv").write_text(TABLE, encoding="utf-8")
    last = 'damage = ["detector", "DetectorFeatures", "damage"]\n'
    replace(folder / "groups.toml", last, f'{last}asking = ["asking", "ASKING"]\n')


def add_rule(clone: Path) -> None:
    """Add a rule to a family."""
    with (clone / "naturalness/english/rules/families/double_marking.toml").open("a", encoding="utf-8") as file:
        file.write(RULE)


@pytest.mark.slow
def test_a_feature_a_group_and_a_rule_are_added(clone: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Only the listed files change, tests demand the feature's value, and shipped models score as before."""
    (clone / "texts.txt").write_text(SENTENCES)
    options = ("--model", "fast", "--format", "csv")
    assert run(["score", str(clone / "texts.txt"), *options]) == 0
    scored, before = capfd.readouterr(), contents(clone)
    add_feature(clone)
    add_group(clone)
    add_rule(clone)
    values = clone / "tests/features/values.toml"
    assert not passes(clone, "tests/features/test_values.py", "-k", "every_feature and surface")
    replace(values, "[surface.dogs]", "[asking.dogs]\nasks = 0\n\n[surface.dogs]")
    replace(values, "word_length_max = 6\n", "word_length_max = 6\nword_length_min = 1\n")
    assert python(clone, "docs/build.py").returncode == 0
    expected = {
        *(name.replace("GROUP", "surface") for name in files_of("Adding a feature")),
        *(f"naturalness/features/{name}" for name in ("asking.py", "tables/asking.csv", "groups.toml")),
        *(name.replace("FAMILY", "double_marking") for name in files_of("Adding a rule")),
    }
    assert {name for name, checksum in contents(clone).items() if before.get(name) != checksum} == expected
    tests = ("features/test_values.py", "features/test_contract.py", "english/rules/test_rules.py", "test_docs.py")
    tests += ("explaining/test_causes.py", "explaining/test_codes.py")
    chosen = "surface or every_group or causes or asking or SNORE_LOUDLIER or unique or generated or codes"
    assert passes(clone, *(f"tests/{name}" for name in tests), "-k", chosen)
    again = python(clone, "-m", "naturalness", "score", "texts.txt", *options)
    assert (again.returncode, again.stdout, again.stderr) == (0, scored.out, scored.err)
