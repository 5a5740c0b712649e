"""A report as JSON: what its page is made of, number by number."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from naturalness.pipelines.summary import rounded
from naturalness.reports.raters.report import Report
from naturalness.reports.raters.wording import advice, headline


def everything(report: Report) -> dict[str, Any]:
    """The report in plain data: numbers to six significant digits, None where undefined."""
    out: dict[str, Any] = rounded({"headline": headline(report), "advice": advice(report), **asdict(report)})
    return out
