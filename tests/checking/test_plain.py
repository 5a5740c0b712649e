"""Paragraphs of plain text, and comments that ignore codes."""

from __future__ import annotations

import pytest

from naturalness.checking.sources import make_source, sentences
from naturalness.errors import NaturalnessWarning
from tests.support.markup import read


def test_plain_text_is_read_in_paragraphs() -> None:
    """Plain text is read in paragraphs, and comments switch checking off and on."""
    off, on = "<!-- naturalness: off -->", "<!-- naturalness: on -->"
    text = f"One *line*\n  goes on.\n\n\n# Two\n{off}\nno\n{on}\nYes."
    assert read(text, "a.txt") == ["One *line* goes on.", "# Two", "Yes."]


IGNORED = """\
One here. <!-- naturalness: ignore he-go (a quotation) -->
Two
here. Three here.

<!-- naturalness: ignore small-i,
 he-are
 (both of
 them) -->

Four here.
Five here.

- Six here.
- Seven here. <!-- NATURALNESS: IGNORE -->

`<!-- naturalness: ignore he-go -->` is eight.
"""


def ignored(text: str, name: str) -> dict[str, list[str]]:
    """Return the codes that comments ignore, by the first word of each sentence."""
    return {sentence.text.split()[0]: sorted(sentence.ignored) for sentence in sentences(make_source(name, text))}


@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_comments_ignore_codes(name: str) -> None:
    """A comment covers its line or, if it stands alone, the paragraph below; comments in code do not count."""
    codes_by_word = ignored(IGNORED, name)
    assert (codes_by_word["One"], codes_by_word["Two"], codes_by_word["Three"]) == (["he-go"], [], [])
    assert codes_by_word["Four"] == codes_by_word["Five"] == ["he-are", "small-i"]
    assert codes_by_word["Seven"] == ["*"] if name == "a.md" else True
    assert not [codes for word, codes in codes_by_word.items() if word.startswith("`") and codes]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("ignore he-goo", "a.md:3: unknown code 'he-goo'; did you mean 'he-go'? (in a comment)"),
        ("of", "a.md:3: a comment says 'naturalness: of'; expected on, off, or ignore and codes"),
        ("off he-go", "a.md:3: a comment says 'naturalness: off he-go'; expected on, off, or ignore and codes"),
    ],
)
def test_unknown_codes_and_commands_in_comments(comment: str, expected: str) -> None:
    """An unknown code or command in a comment causes a warning with its line."""
    with pytest.warns(NaturalnessWarning) as warnings:
        sentences(make_source("a.md", f"One here.\n\n<!-- naturalness: {comment} -->\n\nTwo here."))
    assert [str(one.message) for one in warnings] == [expected]
