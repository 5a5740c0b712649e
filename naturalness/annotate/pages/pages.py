"""Pages from templates, escaped; and the files that they load, all of them in this package."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

FILES = Path(__file__).parent / "static"
BASE = "base.css"
"""The style of all pages of the package, reports too."""
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
PLACES = (("/", "Rate"), ("/learned", "Model"), ("/disagreements", "Disagreements"), ("/export", "Download"))
"""The pages, and what they are called."""


@cache
def _house() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("naturalness.annotate.pages", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def render(template: str, **values: Any) -> str:
    """A page from a template and its values."""
    return _house().get_template(template).render(places=PLACES, **values).strip() + "\n"


@cache
def files() -> dict[str, tuple[bytes, str]]:
    """Bytes and type of each file that pages load, by its name: nothing else can be asked for."""
    from jinja2 import Environment, PackageLoader

    shared = Environment(loader=PackageLoader("naturalness.pages", "templates"), autoescape=True)
    found = {
        path.name: (path.read_bytes(), f"{KINDS[path.suffix]}; charset=utf-8")
        for path in sorted(FILES.iterdir())
        if path.suffix in KINDS
    }
    style = shared.get_template("style.css.j2").render()
    return {**found, BASE: (style.encode(), f"{KINDS['.css']}; charset=utf-8")}
