"""Markup files as `check` reads them."""

from __future__ import annotations

from naturalness.checking.plain import Comments
from naturalness.checking.sources import make_source
from naturalness.text.mapped import joined


def read(text: str, name: str = "a.md") -> list[str]:
    """Return the passages of a file without markup."""
    source = make_source(name, text)
    passages = (source.markup.shown(joined(passage.lines)).text for passage in source.markup.passages(text, Comments()))
    return [text for text in passages if text]
