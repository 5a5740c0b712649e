"""Markup files as `check` reads them."""

from __future__ import annotations

from naturalness.checking.plain import Comments
from naturalness.checking.sources import make_source
from naturalness.text.mapped import join_lines


def read(text: str, name: str = "a.md") -> list[str]:
    """Return the passages of a file without markup."""
    source = make_source(name, text)
    passages = source.markup.passages(text, Comments())
    lines = (source.markup.shown(join_lines(passage.lines)).text for passage in passages)
    return [line for line in lines if line]
