"""The hand-written pages, their code blocks, and their command lines."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
VARIABLE = re.compile(r"([A-Z_]+)=(.*)")
READERS = ("cat", "zcat")


@dataclass(frozen=True)
class Call:
    """One call of the command in a line of a shell."""

    line: str
    arguments: tuple[str, ...]
    variables: dict[str, str]
    """Set before the command."""
    read: str = ""
    """The file that is piped into it."""
    written: str = ""
    """The name of the file that takes its standard output."""

    @property
    def outputs(self) -> list[Path]:
        """Return the paths of the files that the call writes."""
        named = [word for option, word in pairwise(self.arguments) if option in ("-o", "--export")]
        if self.arguments[:2] == ("assets", "sample") and not named:
            named = [f"{self.arguments[2]}.csv"]
        return [Path(name) for name in [*named, self.written] if name]


def blocks(page: str, kind: str) -> list[str]:
    """Return the code blocks of one kind on a page."""
    return re.findall(rf"```{kind}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def example(page: str, word: str) -> tuple[str, str]:
    """Return the Python block that contains a word, and the output shown below it on the page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    pairs = re.findall(r"```python\n((?:(?!```).)*)```\n\n```text\n(.*?)```", text, re.DOTALL)
    ((code, output),) = [pair for pair in pairs if word in pair[0]]
    return code, output


def calls(block: str) -> list[Call]:
    """Return the calls of the command in a block, line by line."""
    return [call for line in block.splitlines() if (call := _call(line))]


def _call(line: str) -> Call | None:
    """Return the call in a line; None if the line runs another program."""
    if "naturalness " not in line:
        return None
    words = shlex.split(line, comments=True)
    if "naturalness" not in words:
        return None
    start = words.index("naturalness")
    before, arguments = words[:start], words[start + 1 :]
    written = ""
    if ">" in arguments:
        *arguments, _, target = arguments
        written = Path(target).name
    variables = {match[1]: match[2] for word in before if (match := VARIABLE.fullmatch(word))}
    read = before[1] if before and before[0] in READERS else ""
    return Call(line, tuple(arguments), variables, read, written)
