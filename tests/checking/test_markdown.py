"""Which parts of Markdown are read."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.checking.plain import Comments
from naturalness.checking.sources import make_source
from naturalness.text.mapped import join_lines
from tests.support.markup import read

CASES = {
    "heading": ("# A *title* #\n\nText.\n", ["A title", "Text."]),
    "heading right above text": ("## Two\nText\ngoes on.", ["Two", "Text goes on."]),
    "heading underlined": ("Title\n=====\nText.\n\nOther\n---\n", ["Title", "Text.", "Other"]),
    "fence": ("Before.\n\n```py\nhe go\n\n# no\n```\nBehind.", ["Before.", "Behind."]),
    "fence of tildes in a list": ("- One.\n  ~~~\n  he go\n  ~~~\n- Two.", ["One.", "Two."]),
    "fence inside a longer one": ("````\n```\nhe go\n```\nhe go\n````\nYes.", ["Yes."]),
    "fence that is not closed": ("Yes.\n```\nhe go\n", ["Yes."]),
    "fence in a quotation": ("> Yes.\n> ```\n> he go\n> ```\n> Too.", ["Yes.", "Too."]),
    "indented code": ("Yes.\n\n    he go\n\nToo.", ["Yes.", "Too."]),
    "no code but a list": ("- One\n\n    and more.\n", ["One", "and more."]),
    "items": (
        "- One\n  goes on.\n* Two.\n1. Three.\n2) Four.\n- [x] Done.\n",
        ["One goes on.", "Two.", "Three.", "Four.", "Done."],
    ),
    "quotation": ("> Some words\n> of somebody.\n\n> [!NOTE]\n> Look.", ["Some words of somebody.", "Look."]),
    "admonition": ('!!! warning\n    Look here.\n\n??? note "Notes"\n    More words.', ["Look here.", "More words."]),
    "table": ("Before.\n\n| a | b |\n|---|:-:|\n| he go | x |\n\nBehind.", ["Before.", "Behind."]),
    "table without outer bars": ("a | b\n--- | ---\nhe go | x\n\nBehind.", ["Behind."]),
    "table without rows": ("Yes.\n\n| he | go |\n|---|---|", ["Yes."]),
    "no table": ("Use a | b here.\nYes.", ["Use a | b here. Yes."]),
    "front matter": ("---\ntitle: he go\n---\nYes.", ["Yes."]),
    "no front matter": ("Yes.\n\n---\n\nToo.", ["Yes.", "Too."]),
    "rule": ("One.\n\n* * *\n\nTwo.", ["One.", "Two."]),
    "links": (
        'See [the *old* docs](http://x.y/(a)_b "he go") and [it][1] or <http://z.y>.\n\n[1]: http://he.go',
        ["See the old docs and it or http://z.y."],
    ),
    "pictures": ("Look ![he go](a.png) there, [![he go](b.png)](c) too.", ["Look there, too."]),
    "notes": ("Yes[^1].\n\n[^1]: A note.", ["Yes.", "A note."]),
    "emphasis": (
        "A **bold *and* slanted** word_with_lines, __so__ ~~old~~ 2 * 3.",
        ["A bold and slanted word_with_lines, so old 2 * 3."],
    ),
    "code in a line": ("Call `go()` or ``a`b`` with `*x*`.", ["Call go() or a`b with *x*."]),
    "escapes and entities": (r"A \*star\* &amp; &lt;b&gt; &copy; &nosuch; x.", ["A *star* & <b> © &nosuch; x."]),
    "tags": ("A <b>bold</b> word, a < b.\n\n<div class='x'>\nText.\n</div>", ["A bold word, a < b.", "Text."]),
    "raw elements": ("Yes.\n<style>\nhe { go }\n</style>\n<pre>he\n\ngo</pre>\nToo.", ["Yes.", "Too."]),
    "raw element in a block": ("<div><pre>\nhe go\n</pre></div>\n\nYes.", ["Yes."]),
    "line breaks": ("One line  \nand two\\\nand three.", ["One line and two and three."]),
    "comments": ("Yes <!-- he go --> indeed.\n<!-- he\n\ngo --> Too.", ["Yes indeed.", "Too."]),
    "comment between lines": ("One line\n<!-- he go -->\ngoes on.", ["One line goes on."]),
    "switched off": (
        "Yes.\n<!-- naturalness: off -->\nHe go.\n\n# He go\n<!-- Naturalness:  ON -->\nToo.",
        ["Yes.", "Too."],
    ),
    "off to the end": ("Yes. <!-- naturalness:off --> He go.\n\nHe go.", ["Yes."]),
    "no switch in code": (
        "Write `<!-- naturalness: off -->` here.\n\n```\n<!-- naturalness: off -->\n```\nYes.",
        ["Write <!-- naturalness: off --> here.", "Yes."],
    ),
    "comment that is not closed": ("Write <!-- here.\n\nYes.", ["Write <!-- here.", "Yes."]),
    "lone mark of code": ("A ` stays.", ["A ` stays."]),
    "empty": ("", []),
    "carriage returns": ("One\r\nline.\r\n\r\n```\r\nhe go\r\n```\r\nTwo.\r\n", ["One line.", "Two."]),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=list(CASES))
def test_what_is_read(text: str, expected: list[str]) -> None:
    """Only prose is read; “he go” marks what must not be read."""
    assert read(text) == expected
    assert "he go" not in " ".join(read(text)).lower()


PIECES = [
    " ",
    "\n",
    "\r\n",
    "\n\n",
    "# ",
    "- ",
    "> ",
    "    ",
    "word",
    "```",
    "`",
    "**",
    "*",
    "_",
    "[",
    "](",
    ")",
    "!",
    "|",
    "|---|",
    "<!--",
    "-->",
    "<b>",
    "&amp;",
    "\\",
    "é",
    "😀",
]


def test_headings_and_items_are_no_paragraphs() -> None:
    """Headings and list items do not count as paragraphs, not even at the beginning of a text."""
    source = make_source("a.md", "# One\n\n- Two.\n\nThree.")
    found = [passage.is_paragraph for passage in source.markup.passages(source.text, Comments())]
    assert found == [False, False, True]


def test_many_pictures_after_an_open_bracket_take_no_time() -> None:
    """Ambiguous brackets do not lead to exponential time."""
    source = make_source("a.md", "Built with [care " + "![b](u) " * 60)
    started = time.perf_counter()
    (passage,) = source.markup.passages(source.text, Comments())
    assert source.markup.shown(join_lines(passage.lines)).text.split() == ["Built", "with", "[care"]
    assert time.perf_counter() - started < 5


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_text_is_read(pieces: list[str]) -> None:
    """Any text is read; positions increase, and each character of a word equals the one at its position in the file."""
    text = "".join(pieces)
    for name in ("a.md", "a.txt"):
        source = make_source(name, text)
        last = 0
        for passage in source.markup.passages(text, Comments()):
            shown = source.markup.shown(join_lines(passage.lines))
            assert list(shown.starts) == sorted(shown.starts)
            assert all(text[i] == c for i, c in zip(shown.starts, shown.text, strict=True) if c.isalpha())
            assert not shown.starts or shown.starts[0] >= last
            last = shown.ends[-1] if shown.ends else last
