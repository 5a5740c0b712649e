"""Mutation testing: change one comparison, constant or and/or at a time, and check whether a test fails.

``python -m benchmarks.mutation`` draws mutants of the modules in `MODULES`, runs the tests beside them in a copy of the
tree and writes results/mutation.json and .md. ``--again`` only retries those that survived last time.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import RESULTS, markdown_table, write
from training.arguments import command_parser
from training.tables import read_table

ROOT = Path(__file__).parent.parent
SECONDS = 120
"""The timeout after which a mutant counts as killed, since it caused an endless loop."""
COPIED = ("naturalness", "tests", "benchmarks", "training", "pyproject.toml")
_TABLE = read_table(__file__, "mutation.toml")
MODULES: Mapping[str, Sequence[str]] = _TABLE["modules"]
"""Modules, and the quickest tests that are theirs."""
EQUIVALENT: Mapping[str, Mapping[str, str]] = _TABLE["equivalent"]
"""Equivalent mutants by module and change, with the reason; judged by hand."""
OPERATORS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a module."""

    change: str
    """Line number, original and replacement."""
    source: str
    """Source of the mutated module."""


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its lines."""
    return [*_mutants(ast.parse(source))]


def _mutants(tree: ast.Module) -> Iterator[Mutant]:
    annotations = {
        inner
        for node in ast.walk(tree)
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(part, ast.AST)
        for inner in ast.walk(part)
    }
    nodes = [node for node in ast.walk(tree) if hasattr(node, "lineno")]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if node in annotations:
            continue
        before = ast.unparse(node)
        for undo in _changes(node):
            change = f"{node.lineno}: {before} -> {ast.unparse(node)}"
            yield Mutant(change, ast.unparse(tree))
            for name, value in undo.items():
                setattr(node, name, value)


def _changes(node: ast.AST) -> Iterator[dict[str, Any]]:
    """Apply each change to a node in turn, and yield the original fields."""
    if isinstance(node, ast.Compare):
        before = node.ops
        for i, operator in enumerate(before):
            node.ops = [*before[:i], OPERATORS[type(operator)](), *before[i + 1 :]]
            yield {"ops": before}
    elif isinstance(node, ast.BoolOp):
        was = node.op
        node.op = ast.Or() if isinstance(was, ast.And) else ast.And()
        yield {"op": was}
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        number = node.value
        for step in (1, -1):
            node.value = number + step
            yield {"value": number}


def survivors(module: str, wanted: Sequence[str] | None, copy: Path, many: int, seed: int) -> tuple[int, list[str]]:
    """Return the number of mutants tried, and the survivors."""
    path = copy / "naturalness" / f"{module}.py"
    source = path.read_text(encoding="utf-8")
    every = mutants(source)
    chosen = random.Random(f"{seed}:{module}").sample(every, min(many, len(every)))
    if wanted is not None:
        chosen = [mutant for mutant in every if mutant.change in wanted]
    if not _passes(copy, MODULES[module]):
        raise SystemExit(f"the tests of {module} fail without a change")
    left = []
    for mutant in chosen:
        _replace(path, mutant.source)
        if _passes(copy, MODULES[module]):
            left.append(mutant.change)
    _replace(path, source)
    return len(chosen), sorted(left, key=lambda change: int(change.partition(":")[0]))


def _replace(path: Path, text: str) -> None:
    path.unlink()  # it is a link to the file of the tree
    path.write_text(text, encoding="utf-8")


def _passes(copy: Path, tests: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    # With CI, hypothesis draws the same examples each time and has no deadline.
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def copy_tree(folder: Path) -> Path:
    """Copy this tree with hard links, so that single files can be replaced."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, copy_function=_link, ignore=ignore)
        else:
            _link(str(ROOT / name), str(folder / name))
    return folder


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copyfile(source, target)


def row_of(module: str, entry: Mapping[str, Any]) -> list[Any]:
    """Return the table row of a module."""
    same = [change for change in entry["survived"] if change in EQUIVALENT.get(module, {})]
    return [
        module,
        entry["mutants"],
        entry["mutants"] - len(entry["survived"]),
        len(entry["first"]),
        len(entry["survived"]) - len(same),
        len(same),
    ]


def table_of(modules: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table, the survivors and the equivalent mutants with their reasons."""
    rows = [row_of(module, entry) for module, entry in modules.items()]
    rows.append(["together", *(sum(row[i] for row in rows) for i in range(1, 6))])
    head = ("module", "mutants", "killed", "survived at first", "survive now", "equivalent")
    lines = [markdown_table(head, rows)]
    for module, entry in modules.items():
        for change in entry["survived"]:
            reason = EQUIVALENT.get(module, {}).get(change)
            lines.append(f"- {module} {change}" + (f": equivalent, {reason}" if reason else ""))
    tests = [f"- {module}: {', '.join(entry['tests'])}" for module, entry in modules.items()]
    return "\n".join([*lines, "", "Tests:", "", *tests]) + "\n"


def modules_of(path: Path) -> dict[str, Any]:
    """Return the stored results of each module."""
    modules: dict[str, Any] = {}
    if path.is_file():
        modules = json.loads(path.read_text(encoding="utf-8"))["modules"]
    return modules


def main() -> None:
    """Run mutants and write the survivors."""
    parser = command_parser(__doc__)
    parser.add_argument("modules", nargs="*", help="of MODULES; all without any")
    parser.add_argument("-n", type=int, default=12, help="mutants of each module (12)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--again", action="store_true", help="those that survived last time")
    options = parser.parse_args()
    path = RESULTS / "mutation.json"
    before = modules_of(path)
    with tempfile.TemporaryDirectory(prefix="naturalness-mutation-") as folder:
        copy = copy_tree(Path(folder))
        for module in options.modules or MODULES:
            wanted = before[module]["survived"] if options.again else None
            many, left = survivors(module, wanted, copy, options.n, options.seed)
            entry = {"mutants": many, "first": left}
            # Read anew: another run may have written of other modules meanwhile.
            done = modules_of(path)
            done[module] = {**(before[module] if options.again else entry), "survived": left, "tests": MODULES[module]}
            ordered = {name: done[name] for name in MODULES if name in done}
            write(
                "mutation",
                "Mutants detected by tests",
                table_of(ordered),
                {"modules": ordered},
                command="python -m benchmarks.mutation",
                seed=options.seed,
                n=options.n,
            )


if __name__ == "__main__":
    main()
