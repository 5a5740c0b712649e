"""Pages from templates: escaped, and an error where a value is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.pages import formats

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE = "naturalness.pages"
TEMPLATES = Path(__file__).parent / "templates"
FORMATS: Mapping[str, Callable[..., Any]] = {
    "between": formats.between,
    "bracketed": formats.bracketed,
    "change": formats.change,
    "code": formats.code,
    "count": formats.count,
    "decimal": formats.decimal,
    "is_defined": formats.defined,
    "p_value": formats.p_value,
    "percent": formats.percent,
    "plus_minus": formats.plus_minus,
    "share": formats.share,
    "short": formats.short,
    "with_capital": formats.with_capital,
}
"""How templates write numbers: as filters, and as functions that filters take."""


@cache
def environment(package: str = PACKAGE) -> Environment:
    """Return what reads the templates of a package, which may use those beside this file."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in dict.fromkeys((package, PACKAGE))]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    jinja.filters.update(FORMATS)
    jinja.globals.update(FORMATS)
    return jinja


def render(template: str, *, package: str = PACKAGE, **values: Any) -> str:
    """Return a page from a template of a package and its values.

    Beside them a template may use ``script``, the text of ``table.js``, and ``script_hash``, by
    which the page allows this script and no other.
    """
    from markupsafe import Markup

    script, allowed = read_script()
    values = {"script": Markup(script), "script_hash": allowed, **values}
    return environment(package).get_template(template).render(**values).strip() + "\n"


def render_part(template: str, **values: Any) -> str:
    """Return a part of a page, as a notebook shows it; halves of characters, which no file takes, are replaced."""
    return render(template, **values).encode("utf-8", "replace").decode("utf-8")


@cache
def read_script() -> tuple[str, str]:
    """Return the script of sortable tables, and its hash as a content security policy has it."""
    import base64
    import hashlib

    # Universal newlines: the hash must be that of what the page holds.
    script = "\n" + (TEMPLATES / "table.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return script, f"sha256-{digest}"
