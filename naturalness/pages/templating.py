"""Pages from the templates beside this file: escaped, and an error where a value is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = "naturalness.pages"
TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, filters: Mapping[str, Callable[..., Any]], *, package: str = PACKAGE, **values: Any) -> str:
    """A page from a template, its filters and its values.

    Another ``package`` brings templates of its own, which may use those beside this file.

    Beside them a template may use ``script``, the text of ``table.js``, and ``script_hash``, by
    which the page allows this script and no other.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    house = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in dict.fromkeys((package, PACKAGE))]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    house.filters.update(filters)
    script, allowed = read_script()
    values = {"script": Markup(script), "script_hash": allowed, **values}
    return house.get_template(template).render(**values).strip() + "\n"


@cache
def read_script() -> tuple[str, str]:
    """The script of sortable tables, and its hash as a content security policy has it."""
    import base64
    import hashlib

    # Universal newlines: the hash must be that of what the page holds.
    script = "\n" + (TEMPLATES / "table.js").read_text(encoding="utf-8")
    told = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return script, f"sha256-{told}"
