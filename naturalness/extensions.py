"""Parts that most runs do without, imported by name when asked for, so that the core imports none of them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

RECURRENT = "recurrent"
EXTENSIONS = {
    "benepar": "naturalness.models.parsers.benepar",
    "bllip": "naturalness.research.bllip",
    "explained page": "naturalness.explaining.page",
    "link": "naturalness.research.link",
    RECURRENT: "naturalness.research.recurrent",
}


def extension(name: str) -> ModuleType:
    """Import an extension."""
    return import_module(EXTENSIONS[name])
