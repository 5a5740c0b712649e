"""What of reStructuredText and of plain text is read."""

from __future__ import annotations

import pytest

from tests.support.markup import read

CASES = {
    "titles": ("=====\nTitle\n=====\n\nOther\n-----\nText.\n", ["Title", "Other", "Text."]),
    "literal block": ("Do this::\n\n    he go\n\n    he go\n\nYes.", ["Do this:", "Yes."]),
    "literal block of its own": ("Yes.\n\n::\n\n  he go\n\nToo.", ["Yes.", "Too."]),
    "directives": (
        ".. code-block:: sh\n\n   he go\n\n.. note:: Look\n   here.\n\n   More.\n\nYes.",
        ["Look here.", "More.", "Yes."],
    ),
    "comments and targets": (".. he go\n   he go\n\n.. _he go:\n\nYes.", ["Yes."]),
    "items and fields": ("* One\n  goes on.\n#. Two.\n:param he: Three.\n", ["One goes on.", "Two.", "Three."]),
    "grid": ("Yes.\n\n+----+----+\n| he | go |\n+----+----+\n\nToo.", ["Yes.", "Too."]),
    "simple table": ("===  ===\nhe   go\n===  ===\nhe   go\n\nhe   go\n===  ===\n\nToo.", ["Too."]),
    "doctest": ("Yes.\n\n>>> he.go()\n\nToo.", ["Yes.", "Too."]),
    "inline": (
        "A *slanted* **bold** ``co*de`` :func:`role` `link <http://he.go>`_ ref_ [1]_ |sub|.",
        ["A slanted bold co*de role link ref sub."],
    ),
    "switched off": ("Yes.\n\n.. naturalness: off\n\nHe go.\n\n.. naturalness: on\n\nToo.", ["Yes.", "Too."]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=list(CASES))
def test_what_is_read(text: str, expected: list[str]) -> None:
    """Only prose is read; “he go” marks what must not be read."""
    assert read(text, "a.rst") == expected


def test_plain_text_is_read_as_it_stands() -> None:
    """Plain text is read in paragraphs, and comments switch checking off and on."""
    off, on = "<!-- naturalness: off -->", "<!-- naturalness: on -->"
    text = f"One *line*\n  goes on.\n\n\n# Two\n{off}\nno\n{on}\nYes."
    assert read(text, "a.txt") == ["One *line* goes on.", "# Two", "Yes."]
