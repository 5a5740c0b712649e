"""The page of the server: a form for pasting a text."""

from __future__ import annotations

from pathlib import Path

from naturalness import __version__
from naturalness.judging.fields import LOG_ODDS
from naturalness.pages.templating import render
from naturalness.studio.serve.reading import MAX_EDITED_CHARACTERS, MAX_EDITS, Limits

PACKAGE = "naturalness.studio.serve"
TRY = (
    "The old man gave his book to the girl.",
    "He go to the school yesterday and she were happy.",
    "She the book gave brother her to.",
)
"""Example texts."""


def front_page(model: str, limits: Limits, unit: str) -> str:
    """Return the page with the form for a text."""
    return render(
        "serve.html.j2",
        package=PACKAGE,
        model=model,
        version=__version__,
        examples=TRY,
        characters=limits.characters,
        edits=MAX_EDITS,
        edited=MAX_EDITED_CHARACTERS,
        in_log_odds=unit == LOG_ODDS,
    )


def style() -> str:
    """Return the style of the page."""
    return render("serve.css.j2", package=PACKAGE)


def template_file(name: str) -> str:
    """Return a static file, such as the script of the page."""
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")
