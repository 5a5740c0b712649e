"""What pages share: the script is allowed by its hash, and pieces escape what they are given."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from naturalness.pipelines.templating import read_script, render

EVIL = "<script>alert('\"&')</script>"


def test_the_script_is_allowed_by_its_hash() -> None:
    """A policy names the bytes between the tags, and no other script runs."""
    script, allowed = read_script()
    digest = hashlib.sha256(script.encode()).digest()
    assert allowed == "sha256-" + base64.b64encode(digest).decode()
    assert "</script" not in script
    assert not re.search(r"https?:|fetch|localStorage|innerHTML|eval", script)


def test_tables_escape_and_name_what_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells, titles and names are text, whatever stands in them."""
    import jinja2

    source = (
        '{% import "parts.html.j2" as parts %}'
        '{{ parts.table(bad, ["name", bad], [[bad, 1], ["b", bad]], caption=bad, words=(1,), '
        "sort=true, filter=bad) }}"
    )
    real = jinja2.PackageLoader("naturalness.pipelines", "templates")
    both = jinja2.ChoiceLoader([jinja2.DictLoader({"piece": source}), real])
    monkeypatch.setattr("jinja2.PackageLoader", lambda *names: both)
    made = render("piece", {}, bad=EVIL)
    assert "<script" not in made
    assert made.count("&lt;script&gt;") == 6
    assert "<table data-sort data-filter=" in made
    assert '<th scope="col" class="words">' in made
    assert '<th scope="row">b</th><td class="words">' in made
