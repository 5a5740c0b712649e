"""Parts of the package that most runs do not need; they are imported by name when requested, never by the core."""

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
    """Import and return the extension with this name, a key of `EXTENSIONS`."""
    return import_module(EXTENSIONS[name])
