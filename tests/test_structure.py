"""How the code hangs together: imports point one way, files stay small, the import stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "naturalness"
MODULES = sorted(PACKAGE.rglob("*.py"))
# Each layer may import itself and what stands to its left; `data` knows only errors and storage.
LAYERS = ("errors", "storage", "normalisation", "resources", "archive", "parsing", "view", "models",
          "features", "pipelines", "web", "cli", "__main__")  # fmt: skip


def imported(path: Path) -> set[str]:
    """Top-level rooms of the package that a module imports, anywhere in it."""
    rooms = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path == PACKAGE / "__init__.py":
        # What it names for type checkers it opens only when asked for.
        tree.body = [node for node in tree.body if not isinstance(node, ast.If)]
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        rooms |= {n.split(".")[1] for n in names if n.startswith("naturalness.")}
    return rooms


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    """No module imports from a layer to its right."""
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if room == "__init__":
        assert imported(path) == set()
    elif room == "data":
        assert imported(path) <= {"data", "errors", "storage"}
    else:
        tables = {"data"} if room in ("web", "cli") else set()
        allowed = {*LAYERS[: LAYERS.index(room) + 1]} | tables
        assert imported(path) <= allowed


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_files_have_one_subject(path: Path) -> None:
    """At most 600 lines, with a docstring that says what the file is about."""
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 600
    assert ast.get_docstring(ast.parse(text))


def test_import_is_light() -> None:
    """Neither spaCy nor numpy nor any other heavy package comes with the import."""
    code = (
        "import sys, naturalness, naturalness.cli;"
        "heavy = {'spacy', 'sklearn', 'xgboost', 'pyarrow', 'kenlm', 'pandas', 'torch', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_import_takes_under_a_third_of_a_second() -> None:
    """The best of three, the start of Python itself taken off."""

    def seconds(code: str) -> float:
        runs = []
        for _ in range(3):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            runs.append(time.perf_counter() - started)
        return min(runs)

    assert seconds("import naturalness") - seconds("pass") < 0.3
