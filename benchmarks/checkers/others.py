"""Other checkers as functions that say which sentences each of them flags, for whatever reason.

LanguageTool is found as the package finds it (`LTP_PATH`); proselint is a command on the PATH; Harper and write-good
are packages of Node.js in a folder: `npm install --prefix FOLDER harper.js write-good`.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
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


def proselint(texts: Sequence[str]) -> list[bool]:
    """Flag a text by any diagnostic of proselint, which reads a file with one sentence per paragraph."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.txt"
        file.write_text("\n\n".join(" ".join(text.split()) for text in texts) + "\n", encoding="utf-8")
        command = ["proselint", "check", "--output-format", "json", str(file)]
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    files = json.loads(output)["result"].values()
    lines = {diagnostic["pos"][0] for result in files for diagnostic in result.get("diagnostics", ())}
    return [1 + 2 * i in lines for i in range(len(texts))]


def node(name: str, packages: Path, texts: Sequence[str]) -> list[bool]:
    """Flag a text by any lint of a package of Node.js, which reads each sentence separately."""
    command = ["node", str(SCRIPT), *name.split()]
    output = subprocess.run(
        command, input=json.dumps(list(texts)), capture_output=True, text=True, check=True, cwd=packages
    ).stdout
    return [number > 0 for number in json.loads(output)]


def versions(packages: Path) -> dict[str, str]:
    """Return the versions of all four."""
    answer = subprocess.run(["proselint", "version"], capture_output=True, text=True, check=True).stdout
    of_packages = {
        name: json.loads((packages / "node_modules" / name / "package.json").read_text(encoding="utf-8"))["version"]
        for name in ("harper.js", "write-good")
    }
    return {"LanguageTool": version(), "proselint": answer.split()[-1], **of_packages}


def others(packages: Path) -> Mapping[str, Flags]:
    """Return the checkers by name."""
    return {
        "LanguageTool": partial(languagetool, spelling=True),
        "LanguageTool without spelling": partial(languagetool, spelling=False),
        "Harper": partial(node, "harper.js", packages),
        "Harper without spelling": partial(node, "harper.js without-spelling", packages),
        "proselint": proselint,
        "write-good": partial(node, "write-good", packages),
    }
