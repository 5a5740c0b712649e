"""Answers checked against the schemas of our OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


def faults(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    """Yield a value's violations of a schema, whose references lead to the document."""
    jsonschema = pytest.importorskip("jsonschema", reason="needs the extra mcp")

    whole = {**schema, "components": document["components"]}
    yield from (error.message for error in jsonschema.Draft202012Validator(whole).iter_errors(value))
