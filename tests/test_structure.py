"""Structure of the code: imports point down, files are small, and the import is light."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.commands import printed

PACKAGE = Path(__file__).parents[1] / "naturalness"
MODULES = sorted(PACKAGE.rglob("*.py"))
# From the ground up: each room may import itself and what stands before it.
ROOMS = (
    "errors",
    "arrays",
    "progress",
    "statistics",
    "files",
    "text",
    "english",
    "data",
    "models",
    "metrics",
    "features",
    "pages",
    "judging",
    "explaining",
    "pipelines",
    "labelling",
    "checking",
    "adapting",
    "integrations",
    "reports",
    "studio",
    "cli",
    "__main__",
)


def name_of(path: Path) -> str:
    """Return the dotted name of a module; of a package, that of its ``__init__``."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


NAMES = {name_of(path): path for path in MODULES}


@cache
def imports(path: Path) -> frozenset[str]:
    """Return the modules of the package that a module imports anywhere, including for types."""
    return imported(path, ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path: Path, nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the modules of the package that import statements name."""
    modules = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: import by the full name"
            wanted = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for full in wanted:
            parts = full.split(".")[1:] if full.startswith("naturalness.") else []
            while parts:
                name = ".".join(parts)
                if name in NAMES or f"{name}.__init__" in NAMES:
                    modules.add(name if name in NAMES else f"{name}.__init__")
                    break
                parts.pop()
    return frozenset(modules - {name_of(path)})


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    """No module imports from a higher layer."""
    room = name_of(path).split(".")[0]
    if room != "__init__":
        below = ROOMS[: ROOMS.index(room) + 1]
        assert {name.split(".")[0] for name in imports(path)} <= set(below)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_core_imports_no_replication(path: Path) -> None:
    """No module of the package mentions the replications."""
    assert "naturalness_replication" not in path.read_text(encoding="utf-8")


def test_the_core_does_not_import_the_servers() -> None:
    """Only the two commands of the servers import `studio`."""
    users = {name for name, path in NAMES.items() if any(other.split(".")[0] == "studio" for other in imports(path))}
    assert {name for name in users if not name.startswith("studio.")} == {"cli.annotate", "cli.serve"}


def test_every_folder_has_a_layer() -> None:
    """The table of layers lists every folder of the package."""
    assert {name.split(".")[0] for name in NAMES} - {"__init__"} == set(ROOMS)


def imported_siblings(package: str) -> dict[str, set[str]]:
    """Return, for each file or folder of a package, its siblings that it imports."""
    start = f"{package}." if package else ""
    edges: dict[str, set[str]] = {}
    for name, path in NAMES.items():
        if name.startswith(start):
            room = name.removeprefix(start).split(".")[0]
            siblings = {other.removeprefix(start).split(".")[0] for other in imports(path) if other.startswith(start)}
            edges.setdefault(room, set()).update(siblings - {room})
    return edges


PACKAGES = sorted({".".join(name.split(".")[:-1]) for name in NAMES})


@pytest.mark.parametrize("package", PACKAGES, ids=lambda name: name or "naturalness")
def test_no_import_cycles(package: str) -> None:
    """Imports within a folder form no cycle."""
    try:
        tuple(TopologicalSorter(imported_siblings(package)).static_order())
    except CycleError as error:
        pytest.fail(f"circle in naturalness.{package}: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_files_have_one_subject(path: Path) -> None:
    """Each file has at most 600 lines, and a docstring about its subject."""
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 600
    assert ast.get_docstring(ast.parse(text))


def test_import_is_light() -> None:
    """Neither the import nor the command parser loads spaCy, numpy or another heavy package."""
    code = (
        "import sys, naturalness, naturalness.cli; naturalness.cli.build_parser();"
        "heavy = {'spacy', 'sklearn', 'xgboost', 'pyarrow', 'kenlm', 'pandas', 'torch', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert printed(code).strip() == "[]"


def test_import_takes_under_a_third_of_a_second() -> None:
    """The fastest of three imports takes less than 0.3 s, without the start of Python."""

    def seconds(code: str) -> float:
        runs = []
        for _ in range(3):
            started = time.perf_counter()
            printed(code)
            runs.append(time.perf_counter() - started)
        return min(runs)

    assert seconds("import naturalness") - seconds("pass") < 0.3
