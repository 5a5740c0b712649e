"""Files and a model made by hand for `check`."""

from __future__ import annotations

from typing import cast

from naturalness.checking.checker import CheckedFiles, FileChecker
from naturalness.checking.sources import make_source
from naturalness.pipelines.scorer import NaturalnessModel
from tests.support.explained import BAD, FINE, TEXT, HandMade

MARKDOWN = f"# Notes\n\n😀 {FINE} He **go**\r\nto school 語 yesterday. Well, 42, %50.\n\n- {TEXT}\n\n1 2 3.\n"
"""The same flaw twice, once with markup, a line end and wide letters in and before it."""


def checked(
    text: str = MARKDOWN, name: str = "docs/a b.md", *, edits: int = 1, model: HandMade | None = None
) -> CheckedFiles:
    """Return the findings in a file with this text."""
    scorer = cast(NaturalnessModel, model or HandMade([BAD]))
    return FileChecker(scorer, edits=edits).check([make_source(name, text)])
