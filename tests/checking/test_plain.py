"""What of plain text is read."""

from __future__ import annotations

from tests.support.markup import read


def test_plain_text_is_read_as_it_stands() -> None:
    """Plain text is read in paragraphs, and comments switch checking off and on."""
    off, on = "<!-- naturalness: off -->", "<!-- naturalness: on -->"
    text = f"One *line*\n  goes on.\n\n\n# Two\n{off}\nno\n{on}\nYes."
    assert read(text, "a.txt") == ["One *line* goes on.", "# Two", "Yes."]
