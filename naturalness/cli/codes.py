"""Explain one of the codes that `check` reports, or list them all, on the terminal."""

from __future__ import annotations

import sys

from naturalness.cli.terminal import page_width, paint_for, wrapped
from naturalness.errors import UnknownName
from naturalness.explaining.causes import cause_title
from naturalness.explaining.codes import Code, codes

GAP = 2
"""Spaces between a code and its description."""


def rule_text(name: str) -> str:
    """Return the explanation of a code or, if no name is given, the list of all codes grouped by cause."""
    if not name:
        return _list_text()
    if name not in codes():
        raise UnknownName("code", name, codes())
    code = codes()[name]
    paint, width = paint_for(sys.stdout), page_width()
    of_cause = f"  ({cause_title(code.cause)})" if code.cause != code.name else ""
    lines = [f"{paint(code.name, 'bold')}{of_cause}", *wrapped(f"{code.finds} {code.fix}", width, paint)]
    lines += ["", *wrapped(f"before  {code.before}", width, paint, then=" " * 8)]
    lines += wrapped(f"after   {code.after}", width, paint, then=" " * 8)
    lines += ["", f"Switch it off: --off {code.name}; on one line: <!-- naturalness: ignore {code.name} -->"]
    return "\n".join(lines) + "\n"


def _list_text() -> str:
    """Return the list of codes, one line each, grouped by cause."""
    room = max(len(_shown(code)) for code in codes().values()) + GAP
    return "".join(f"{_shown(code):<{room}}{code.finds}\n" for code in codes().values())


def _shown(code: Code) -> str:
    return code.name if code.cause == code.name else f"  {code.name}"
