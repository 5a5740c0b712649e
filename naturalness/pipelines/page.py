"""A model's report as one HTML page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def make_page(summary: Mapping[str, Any], notes: Mapping[str, Any]) -> str:
    """To come."""
    return "<!doctype html>"
