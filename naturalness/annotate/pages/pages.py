"""Pages from templates, escaped, and the files that they load, all of them in this package."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from naturalness.pages import templating

FILES = Path(__file__).parent / "static"
BASE = "base.css"
"""The style of all pages of the package, reports too."""
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
NAVIGATION = (("/", "Rate"), ("/learned", "Model"), ("/disagreements", "Disagreements"), ("/export", "Download"))
"""The pages, and what they are called."""


def render(template: str, **values: Any) -> str:
    """Return a page from a template and its values."""
    return templating.render(template, package="naturalness.annotate.pages", navigation=NAVIGATION, **values)


@cache
def files() -> dict[str, tuple[bytes, str]]:
    """Return the bytes and the type of each file that pages load, by name; nothing else is served."""
    contents = {
        path.name: (path.read_bytes(), f"{KINDS[path.suffix]}; charset=utf-8")
        for path in sorted(FILES.iterdir())
        if path.suffix in KINDS
    }
    style = templating.render("style.css.j2")
    return {**contents, BASE: (style.encode(), f"{KINDS['.css']}; charset=utf-8")}
