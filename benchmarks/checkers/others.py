"""Other checkers as functions that say which sentences each of them flags, for whatever reason.

LanguageTool is found as the package finds it (`LTP_PATH`); Harper is a package of Node.js in a folder: `npm install
--prefix FOLDER harper.js`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from naturalness.models.checkers.languagetool import close, open_checker, version
from naturalness.text.matches import checked
from naturalness.text.parsing import parse

Flags = Callable[[Sequence[str]], list[bool]]
SCRIPT = Path(__file__).parent / "lint.mjs"
TYPOS = "TYPOS"
"""LanguageTool's category of spelling mistakes."""


def languagetool(texts: Sequence[str], *, spelling: bool) -> list[bool]:
    """Flag a text by any match of LanguageTool, or by one that is not about spelling."""
    try:
        results = checked(open_checker(), parse(texts))
    finally:
        close()
    return [any(spelling or match.category != TYPOS for match in result.matches) for result in results]


def harper(packages: Path, texts: Sequence[str], *, spelling: bool) -> list[bool]:
    """Flag a text by any lint of Harper, or by one that is not about spelling; Harper reads each text separately."""
    command = ["node", str(SCRIPT), "all" if spelling else "without-spelling"]
    output = subprocess.run(
        command, input=json.dumps(list(texts)), capture_output=True, text=True, check=True, cwd=packages
    ).stdout
    return [number > 0 for number in json.loads(output)]


def versions(packages: Path) -> dict[str, str]:
    """Return the versions of both."""
    package = packages / "node_modules" / "harper.js" / "package.json"
    return {"LanguageTool": version(), "Harper": json.loads(package.read_text(encoding="utf-8"))["version"]}


def others(packages: Path) -> Mapping[str, Flags]:
    """Return the checkers by name."""
    return {
        "LanguageTool": partial(languagetool, spelling=True),
        "LanguageTool without spelling": partial(languagetool, spelling=False),
        "Harper": partial(harper, packages, spelling=True),
        "Harper without spelling": partial(harper, packages, spelling=False),
    }
