"""Refusals of requests: a status and a message, sent as JSON or as a small page."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping

from starlette.responses import HTMLResponse, Response

from naturalness.pages.formats import with_capital

STYLE = (
    ":root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;"
    "margin:12vh auto;padding:0 1rem}input,button{font:inherit;padding:.35rem .6rem}"
    "label{display:block;margin:1rem 0 .25rem}"
)
STYLE_HASH = "sha256-" + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
"""Hash that allows the style in a content security policy."""
ASKING = (
    '<form method="get"><label for="token">Token</label>'
    '<input id="token" name="token" type="password" autocomplete="off" required autofocus> '
    "<button>Open</button></form>"
)


class Refusal(Exception):
    """Raised to answer a request with ``status``, the message ``words`` and extra ``headers``."""

    def __init__(self, status: int, words: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(words)
        self.status = status
        self.words = words
        self.headers = headers or {}


def as_json(refusal: Refusal) -> Response:
    """Return the response for programs: ``{"error": "..."}``."""
    body = json.dumps({"error": refusal.words}) + "\n"
    return Response(body, refusal.status, refusal.headers, "application/json")


def as_page(refusal: Refusal) -> Response:
    """Return the response for browsers; if a token is missing, the page has a field for it."""
    form = ASKING if refusal.status == 401 else ""
    # Messages begin with a small letter because a terminal prints them after "error:".
    sentence = f"{with_capital(refusal.words.removesuffix('.'))}."
    page = small_page("Request refused", f"<p>{html.escape(sentence)}</p>{form}")
    return HTMLResponse(page, refusal.status, refusal.headers)


def small_page(heading: str, inside: str, head: str = "") -> bytes:
    """Return a short page; all arguments are markup."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{heading}</title>{head}<style>{STYLE}</style></head>\n"
        f"<body><main><h1>{heading}</h1>{inside}</main></body></html>\n"
    ).encode("utf-8", "replace")
