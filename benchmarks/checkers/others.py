"""Other checkers as functions that return their reports on sentences.

LanguageTool is found as the package finds it (`LTP_PATH`); Harper is a package of Node.js in a folder: `npm install
--prefix FOLDER harper.js`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from naturalness.explaining.rewriting import Change, replaced
from naturalness.models.checkers.languagetool import LanguageToolChecker, close, version
from naturalness.text.matches import Match, checked
from naturalness.text.parsing import tokenise

Reports = Callable[[Sequence[str]], list[list[Match]]]
SCRIPT = Path(__file__).parent / "lint.mjs"
SPELLING = ("TYPOS", "Spelling")
"""LanguageTool's and Harper's categories of spelling mistakes."""


def languagetool(texts: Sequence[str]) -> list[list[Match]]:
    """Return the matches of LanguageTool; its server is started and stopped."""
    try:
        return [list(result.matches) for result in checked(LanguageToolChecker(), list(tokenise(texts)))]
    finally:
        close()


def harper(packages: Path, texts: Sequence[str]) -> list[list[Match]]:
    """Return the lints of Harper, which reads each text separately."""
    output = subprocess.run(
        ["node", str(SCRIPT)], input=json.dumps(list(texts)), capture_output=True, text=True, check=True, cwd=packages
    ).stdout
    return [
        [
            Match(start, end, "HARPER", kind, "", () if first is None else (first,))
            for start, end, kind, first in sorted(rows)
        ]
        for rows in json.loads(output)
    ]


def corrections(reports: Reports) -> Callable[[Sequence[str]], list[str]]:
    """Return a function that applies the first suggestion of each match; of overlapping matches, the first counts."""
    return lambda texts: [replaced(text, _changes(each)) for text, each in zip(texts, reports(texts), strict=True)]


def _changes(matches: Sequence[Match]) -> list[Change]:
    parts: list[Change] = []
    for match in matches:
        if match.suggestions and (not parts or match.start >= max(parts[-1][1], parts[-1][0] + 1)):
            parts.append((match.start, match.end, match.suggestions[0]))
    return parts


def versions(packages: Path) -> dict[str, str]:
    """Return the versions of both checkers."""
    package = packages / "node_modules" / "harper.js" / "package.json"
    return {"LanguageTool": version(), "Harper": json.loads(package.read_text(encoding="utf-8"))["version"]}


def others(packages: Path) -> Mapping[str, Reports]:
    """Return the checkers by name."""
    return {"LanguageTool": languagetool, "Harper": partial(harper, packages)}
