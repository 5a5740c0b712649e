"""Render pages from templates. Values are escaped, and a missing value raises an error."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.pages import formats

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE = "naturalness.pages"
TEMPLATES = Path(__file__).parent / "templates"
FORMATS = "between change code count decimal enumeration p_value percent plus_minus share short tenths with_capital"
"""The functions of `formats` that templates can use as filters and as functions."""


@cache
def environment(package: str = PACKAGE) -> Environment:
    """Return the environment for the templates of a package, which may include the shared templates in this folder."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in dict.fromkeys((package, PACKAGE))]),
        autoescape=lambda name: name is None or not name.endswith((".txt.j2", ".md.j2")),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    known = {name: getattr(formats, name) for name in FORMATS.split()} | {"is_defined": formats.defined}
    jinja.filters.update(known)
    jinja.globals.update(known)
    return jinja


def render(template: str, *, package: str = PACKAGE, **values: Any) -> str:
    """Return the page rendered from a template with these values.

    Templates may also use ``script``, the text of ``table.js``, and ``script_hash``. A page states this hash in its
    content security policy, which then allows only that script.
    """
    from markupsafe import Markup

    script, allowed = read_script()
    values = {"script": Markup(script), "script_hash": allowed, **values}
    return environment(package).get_template(template).render(**values).strip() + "\n"


def render_lines(template: str, **values: Any) -> list[str]:
    """Return the items of a plain-text template, rendered with these values, as one line each; omit empty items.

    In the template, an item begins with ``- `` and may extend over several lines.
    """
    text = environment().get_template(template).render(**values)
    return [" ".join(line.split()) for line in re.split(r"(?:^|\n)- ", text) if line.strip()]


def render_part(template: str, **values: Any) -> str:
    """Return an HTML fragment for a notebook. Lone surrogates are replaced, because UTF-8 cannot encode them."""
    return render(template, **values).encode("utf-8", "replace").decode("utf-8")


@cache
def read_script() -> tuple[str, str]:
    """Return the script for sortable tables, and its hash in the form that a content security policy uses."""
    import base64
    import hashlib

    # Universal newlines are needed, because the hash must match the script as it appears in the page.
    script = "\n" + (TEMPLATES / "table.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return script, f"sha256-{digest}"
