"""The ways of CONTRIBUTING.md lead somewhere: walked in a copy of the package, with the clone alone."""

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
from naturalness.text.parsing import source_of


def measure(doc):
    \"\"\"Return one row, in the order of the table.\"\"\"
    return [source_of(doc).text.endswith("?")]


ASKING = MeasuredGroup("asking", "Whether a text ends in a question mark.", measure)
"""
TABLE = """name,words,formula,range,direction,source,several,undefined,cause,parsed
asks,final question mark,1 if the text ends in a question mark,"0, 1",a question,this project,whole text,never,style,no
"""
SENTENCES = "She reads a long book in the garden.\nHis aunt snores loudlier than the cat.\n"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of what the ways touch, its assets those of the clone."""

    def skipped(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name == "__pycache__" or Path(folder, name) == ROOT / ASSETS]

    for folder in WALKED:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skipped)
    for folder in (ASSETS, Path("large"), Path("training")):
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
    """Replace the only passage of that text in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new), encoding="utf-8")


def python(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy, with the package of that copy."""
    environment = {**os.environ, "PYTHONPATH": str(clone), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)


def passes(clone: Path, *tests: str) -> bool:
    """Return whether tests of a copy pass."""
    done = python(clone, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)
    print(done.stdout[-2000:], done.stderr[-2000:])  # noqa: T201
    return done.returncode == 0


def scores(clone: Path) -> subprocess.CompletedProcess[str]:
    """Score two sentences with the fast model of a copy."""
    (clone / "texts.txt").write_text(SENTENCES)
    done = python(clone, "-m", "naturalness", "score", "texts.txt", "--model", "fast", "--format", "csv")
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.slow
def test_a_feature_is_added(clone: Path) -> None:
    """Its group, its value and the built page change; shipped models score as before."""
    before, scored = contents(clone), scores(clone)
    group = clone / "naturalness/features/surface.py"
    last = "\npunctuation_share,"
    replace(clone / "naturalness/features/tables/surface.csv", last, f"\n{FEATURE}punctuation_share,")
    replace(group, "NAN, NAN, NAN, NAN, NAN, punctuation", "NAN, NAN, NAN, NAN, NAN, NAN, punctuation")
    replace(group, "max(lengths),", "max(lengths), min(lengths),")
    assert not passes(clone, "tests/features/test_values.py")
    values = clone / "tests/features/test_values.py"
    replace(values, '"word_length_max": 6,', '"word_length_max": 6, "word_length_min": 1,')
    assert python(clone, "docs/build.py").returncode == 0
    changed = {name for name, checksum in contents(clone).items() if before.get(name) != checksum}
    assert changed == {name.replace("GROUP", "surface") for name in files_of("Adding a feature")}
    tests = ("tests/features/test_values.py", "tests/explaining/test_causes.py", "tests/test_docs.py")
    assert passes(clone, *tests, "-k", "surface or every_group or columns or generated or n_words")
    again = scores(clone)
    assert (again.stdout, again.stderr) == (scored.stdout, scored.stderr)


@pytest.mark.slow
def test_a_group_is_added(clone: Path) -> None:
    """Three files change, besides a test and the built page; no default changes."""
    before, scored = contents(clone), scores(clone)
    folder = clone / "naturalness/features"
    (folder / "asking.py").write_text(GROUP, encoding="utf-8")
    (folder / "tables/asking.csv").write_text(TABLE, encoding="utf-8")
    table = folder / "__init__.py"
    replace(table, "    PROSE,\n)", "    PROSE,\n    ASKING,\n)")
    line = "from naturalness.features.base"
    replace(table, line, f"from naturalness.features.asking import ASKING\n{line}")
    assert python(clone, "docs/build.py").returncode == 0
    changed = {name for name, checksum in contents(clone).items() if before.get(name) != checksum}
    package = {name for name in changed if name.startswith("naturalness/")}
    assert package == {f"naturalness/features/{name}" for name in ("asking.py", "tables/asking.csv", "__init__.py")}
    assert passes(clone, "tests/features/test_contract.py", "tests/explaining/test_causes.py", "-k", "asking or causes")
    assert scores(clone).stdout == scored.stdout


@pytest.mark.slow
def test_a_rule_is_added(clone: Path) -> None:
    """One file and the built page change; shipped models score as before."""
    before, scored = contents(clone), scores(clone)
    with (clone / "naturalness/english/rules/double_marking.toml").open("a", encoding="utf-8") as file:
        file.write(RULE)
    assert python(clone, "docs/build.py").returncode == 0
    changed = {name for name, checksum in contents(clone).items() if before.get(name) != checksum}
    assert changed == {name.replace("FAMILY", "double_marking") for name in files_of("Adding a rule")}
    tests = ("tests/english/rules/test_rules.py", "tests/explaining/test_codes.py", "tests/test_docs.py")
    assert passes(clone, *tests, "-k", "SNORE_LOUDLIER or unique or generated or codes")
    again = scores(clone)
    assert (again.stdout, again.stderr) == (scored.stdout, scored.stderr)
