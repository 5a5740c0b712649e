"""Render Markdown as HTML, for instructions that people write. HTML in the text is escaped.

markdown-it-py renders CommonMark and tables. Links may lead only to web addresses. Images are not supported, because
they would have to be loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

MAX_DEPTH = 12
"""The deepest level of nested lists, quotations and emphasis that is rendered; deeper levels become plain text."""
SHIFT, LAST_LEVEL = 1, 6
"""The number of levels by which headings are lowered (the page has its own title), and the lowest level."""


def to_html(markdown: str) -> Markup:
    """Return Markdown as HTML for use inside a page.

    >>> to_html("# Rate *this*")
    Markup('<h2>Rate <em>this</em></h2>')
    """
    parser = _parser()
    tokens = parser.parse(markdown)
    for i, token in enumerate(tokens):
        if token.type.startswith("heading_"):
            token.tag = f"h{min(int(token.tag[1]) + SHIFT, LAST_LEVEL)}"
        elif token.type in ("th_open", "td_open"):
            _adapt_cell(*tokens[i : i + 3])
        for child in token.children or ():
            if child.type == "link_open":
                # markdown-it does not pass empty addresses to `validateLink`, so ``[a]()`` is turned into text here.
                hidden = not child.attrs["href"]
                child.attrs |= {"rel": "noopener noreferrer", "target": "_blank"}
            if child.type in ("link_open", "link_close"):
                child.hidden = hidden
    return Markup(parser.renderer.render(tokens, parser.options, {}).strip())


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:
        """Return whether an address is a web address; other links remain text."""
        return url.startswith(("http://", "https://"))


@cache
def _parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False, "xhtmlOut": False, "maxNesting": MAX_DEPTH})
    parser.enable("table").disable(["image", "html_block", "html_inline"])
    for name in ("fence", "code_block"):
        parser.add_render_rule(name, _code)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    return parser


def _adapt_cell(opened: Token, content: Token, closed: Token) -> None:
    """Set the scope of a header cell, and turn an empty header cell into a data cell."""
    is_header = opened.type == "th_open" and bool(content.content)
    opened.attrs = {"scope": "col"} if is_header else {}
    opened.tag = closed.tag = "th" if is_header else "td"


def _code(renderer: object, tokens: Sequence[Token], i: int, options: object, env: object) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[i].content)}</code></pre>\n'


def _table_open(renderer: object, tokens: Sequence[Token], i: int, options: object, env: object) -> str:
    """Return the opening tags of a scrolling table region whose accessible name lists the header cells."""
    end = next(k for k in range(i, len(tokens)) if tokens[k].type == "thead_close")
    cells = [tokens[k + 1].content for k in range(i, end) if tokens[k].type == "th_open"]
    titles = escape(", ".join(filter(None, cells)))
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Table: {titles}"><table>\n'


def _table_close(renderer: object, tokens: Sequence[Token], i: int, options: object, env: object) -> str:
    return "</table></div>\n"
