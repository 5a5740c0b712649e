"""Render Markdown as HTML, for instructions that people write. HTML in the text is escaped.

markdown-it-py renders CommonMark. Links may lead only to web addresses. Images are not supported, because they would
have to be loaded.
"""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

MAX_DEPTH = 12
"""The deepest level of nested lists, quotations and emphasis that is rendered; deeper levels become plain text."""
LAST_LEVEL = 6
"""The lowest level of headings, which are lowered by one level, because the page has its own title."""


def to_html(markdown: str) -> Markup:
    """Return Markdown as HTML for use inside a page.

    >>> to_html("# Rate *this*")
    Markup('<h2>Rate <em>this</em></h2>')
    """
    parser = _parser()
    tokens = parser.parse(markdown)
    for token in tokens:
        if token.type.startswith("heading_"):
            token.tag = f"h{min(int(token.tag[1]) + 1, LAST_LEVEL)}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs |= {"rel": "noopener noreferrer", "target": "_blank"}
    return Markup(parser.renderer.render(tokens, parser.options, {}).strip())


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        """Return whether an address is a web address; other links remain text."""
        return url.startswith(("http://", "https://"))


@cache
def _parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False, "xhtmlOut": False, "maxNesting": MAX_DEPTH})
    return parser.disable(["image", "html_block", "html_inline"])
