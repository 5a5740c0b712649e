"""Notebook output in a browser: readable in light and dark notebooks with styles of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from naturalness.explaining.explanation import Explanations
from naturalness.judging.scores import Scores
from tests.support.explained import BAD, GOOD, without

LAB = """
body { color: %s; background: %s; font-size: 14px; }
.lab table { border: none; color: #888; font-size: 12px; table-layout: fixed; margin-left: auto; }
.lab td, .lab th, .lab tr { vertical-align: middle; padding: .5em; }
:not(.markdown).lab td, :not(.markdown).lab th { text-align: right; }
.lab tbody tr:nth-child(odd) { background: #7a7a7a; }
"""
"""Rules like those of a notebook."""
GROUND = "[...document.querySelectorAll('%s')].map(e => getComputedStyle(e).backgroundColor)"
SCORES = Scores(np.array([0.1, 0.8]), ["unnatural", "natural"], ["", "a reason"], texts=["He go.", "He goes."])
PARTS = (BAD._repr_html_(), Explanations([BAD, GOOD, without("", "empty text")])._repr_html_(), SCORES._repr_html_())


def notebook(attributes: str, ink: str, page: str) -> str:
    """Return a page of outputs as a notebook builds it."""
    outputs = "".join(f'<div class="lab">{part}</div>' for part in PARTS)
    head = f'<meta charset="utf-8"><title>Notebook</title><style>{LAB % (ink, page)}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body {attributes}><main>{outputs}</main></body></html>'


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "host", ["", 'data-jp-theme-light="true"', 'data-jp-theme-light="false"', 'class="vscode-dark"']
)
def test_parts_are_readable(browser: Any, axe: Any, host: str, scheme: str) -> None:
    """The output follows the notebook's or else the system's theme, with enough contrast, names, and no overflow."""
    dark = scheme == "dark" if not host else "true" not in host
    page = browser.new_page(color_scheme=scheme, viewport={"width": 700, "height": 800})
    page.set_content(notebook(host, *(("#eee", "#111") if dark else ("#111", "#fff"))))
    assert set(page.evaluate(GROUND % ".naturalness")) == {"rgb(20, 24, 29)" if dark else "rgb(255, 255, 255)"}
    assert set(page.evaluate(GROUND % "tbody tr")) == {"rgba(0, 0, 0, 0)"}
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    rules = {name: {"enabled": False} for name in ("region", "page-has-heading-one", "heading-order")}
    results = axe.run(page, options={"rules": rules})
    assert results.violations_count == 0, results.generate_report()
    page.close()
