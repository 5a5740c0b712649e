"""Names in the code are specific: a variable's name states its content, a constant's what it limits or counts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "naturalness"
MODULES = sorted(PACKAGE.rglob("*.py"))
VAGUE = {"found", "told", "given", "made", "kept", "one", "own", "place", "places"}
"""Words that say how a value came about, not what it is; see the glossary of CONTRIBUTING.md."""
BARE = {
    "ENOUGH",
    "FEW",
    "FEWEST",
    "HIGHEST",
    "LARGEST",
    "LEAST",
    "LIMIT",
    "LONGEST",
    "LOWEST",
    "MANY",
    "MOST",
    "SHORTEST",
    "SMALLEST",
}
"""Names of constants that do not say of what."""
PARTICIPLES = {"joined", "listed", "located", "merged", "reported"}
"""Words that do not name a function: it is named for what it does or returns (`join_words`)."""
REQUIRED = {"connection_made"}
"""Names that a library calls: `asyncio.Protocol`."""


def stored_names(source: str) -> Iterator[tuple[str, int]]:
    """Yield each name that a module defines or assigns, with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname, node.lineno) for alias in node.names if alias.asname)


def is_vague(name: str) -> bool:
    """Return whether a name has a vague word, or is a constant without a subject."""
    words = [word for word in name.strip("_").split("_") if word]
    return name not in REQUIRED and (
        name.strip("_") in BARE or (not name.isupper() and bool(VAGUE & {word.lower() for word in words}))
    )


@pytest.mark.parametrize("name", ["kept", "_told", "kept_rows", "Given", "MOST", "_one"])
def test_vague_names_are_refused(name: str) -> None:
    """A vague word is refused alone and as part of a name, private or not."""
    assert is_vague(name)


@pytest.mark.parametrize("name", ["rows", "MOST_RATERS", "replace", "someone", "MIN_RATERS"])
def test_other_names_pass(name: str) -> None:
    """Only whole words of a name count."""
    assert not is_vague(name)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_names_are_specific(path: Path) -> None:
    """The package has no vague names."""
    vague = [f"{name} (line {line})" for name, line in stored_names(path.read_text(encoding="utf-8")) if is_vague(name)]
    assert not vague, f"name what it is: {', '.join(vague)}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_functions_are_verbs_or_nouns(path: Path) -> None:
    """No function is named by one of the bare participles."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    bare = [f"{node.name} (line {node.lineno})" for node in functions if node.name.strip("_") in PARTICIPLES]
    assert not bare, f"name it for what it does or returns: {', '.join(bare)}"
