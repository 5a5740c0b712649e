"""Markdown becomes HTML, without the markup in the text."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.pages.markdown import to_html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("Be quick,\nand kind.\n\nRest.", "<p>Be quick,\nand kind.</p>\n<p>Rest.</p>"),
        ("# A #\n### B", "<h2>A</h2>\n<h4>B</h4>"),
        (
            "**a** and *b* and _c_ and `d < e`",
            "<p><strong>a</strong> and <em>b</em> and <em>c</em> and <code>d &lt; e</code></p>",
        ),
        ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"),
        ("snake_case_name, 2 * 3 * 4, \\*bare\\*", "<p>snake_case_name, 2 * 3 * 4, *bare*</p>"),
        ("- a\n- b\n  more\n\n  para", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b\nmore</p>\n<p>para</p>\n</li>\n</ul>"),
        ("1. a\n   - b\n2. c", "<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ol>"),
        ("text\n- a", "<p>text</p>\n<ul>\n<li>a</li>\n</ul>"),
        ("- a\n\nend", "<ul>\n<li>a</li>\n</ul>\n<p>end</p>"),
        ("> a\n> b", "<blockquote>\n<p>a\nb</p>\n</blockquote>"),
        ("```\n*a*\n```\nb", "<pre><code>*a*\n</code></pre>\n<p>b</p>"),
        ("---", "<hr>"),
        (
            "[site](https://example.org/a?b=1&c=2)",
            '<p><a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer" target="_blank">site</a></p>',
        ),
        ("| a |\n|---|", "<p>| a |\n|---|</p>"),
        ("[bad](javascript:alert(1))", "<p>[bad](javascript:alert(1))</p>"),
        (
            "![x](https://example.org/x.png)",
            '<p>!<a href="https://example.org/x.png" rel="noopener noreferrer" target="_blank">x</a></p>',
        ),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("", ""),
    ],
)
def test_blocks(markdown: str, html: str) -> None:
    """Each kind of block becomes HTML; headings are lowered, and links lead to the web."""
    assert to_html(markdown) == html


ALLOWED = re.compile(
    r"</?(?:p|h[2-6]|ul|ol|li|blockquote|strong|em|code|hr|br|pre)>|<ol start=\"\d+\">"
    r'|<code class="language-[^"<>]*">|<a href="(?:https?://[^"<>]+)?" rel="noopener noreferrer" target="_blank">|</a>'
)
BLOCKS = ["#", "-", "1.", ">", "```", "\n", "\n\n", "  "]
SIGNS = st.sampled_from([*BLOCKS, "*", "**", "_", "`", "[", "](", "https://a", ")", "<b>", '"', "&", "a", "word"])


@given(st.lists(SIGNS, max_size=40).map("".join))
def test_whatever_is_written_is_escaped(markdown: str) -> None:
    """The HTML has only our tags, for any text."""
    assert not re.search("[<>]", ALLOWED.sub("", to_html(markdown)))


def test_depth_and_length_are_bounded() -> None:
    """Hostile files take little time."""
    long = ["> " * 5000 + "a", "- " * 5000, "[a](" * 5000, "# " + "#" * 20_000 + "x"]
    long += [sign * 20_000 for sign in "*`[_#|"]
    started = time.perf_counter()
    for markdown in long:
        to_html(markdown)
    assert time.perf_counter() - started < 10
