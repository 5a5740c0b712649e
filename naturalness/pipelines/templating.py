"""Pages from the templates beside this file: escaped, and an error where a value is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def render(template: str, filters: Mapping[str, Callable[..., Any]], **values: Any) -> str:
    """A page from a template, its filters and its values."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    house = Environment(
        loader=PackageLoader("naturalness.pipelines", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    house.filters.update(filters)
    return house.get_template(template).render(**values).strip() + "\n"
