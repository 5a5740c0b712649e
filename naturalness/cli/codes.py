"""Explain one of the codes that `check` reports, on the terminal."""

from __future__ import annotations

import sys

from naturalness.cli.terminal import page_width, paint_for, wrapped
from naturalness.explaining.causes import cause_title
from naturalness.explaining.codes import codes, unknown_code


def rule_text(name: str) -> str:
    """Return the explanation of a code."""
    if name not in codes():
        raise unknown_code(name)
    code = codes()[name]
    paint, width = paint_for(sys.stdout), page_width()
    of_cause = f"  ({cause_title(code.cause)})" if code.cause != code.name else ""
    lines = [f"{paint(code.name, 'bold')}{of_cause}", *wrapped(f"{code.finds} {code.fix}", width, paint)]
    lines += ["", *wrapped(f"before  {code.before}", width, paint, then=" " * 8)]
    lines += wrapped(f"after   {code.after}", width, paint, then=" " * 8)
    lines += ["", f"Switch it off: --off {code.name}; on one line: <!-- naturalness: ignore {code.name} -->"]
    return "\n".join(lines) + "\n"
