"""Count the words of the corpora: `python -m training.wordlist CORPORA`.

A word is kept when it occurs at least 6 times in two or more registers, or 25 times in one, so that
the typing errors of single sources stay out. Words are in lower case; clitics are cut off.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from pathlib import Path

from training.arguments import command_parser
from training.language.corpora import REGISTERS, sentences
from training.manifest import ASSETS, record

WORD = re.compile(r"n't\b|'(?:s|m|d|ll|re|ve)\b|[^\W\d_]+?(?=n't\b)|[^\W\d_]+(?:\.[^\W\d_]\b)*")


def build(corpora: Path) -> tuple[dict[str, int], int]:
    """Return counts of the listed words, and of all tokens."""
    total: Counter[str] = Counter()
    registers: Counter[str] = Counter()
    for register in REGISTERS:
        lines = sentences(corpora, register)
        counts = Counter(word for line in lines for word in WORD.findall(line.lower().replace("’", "'")))
        total.update(counts)
        registers.update(word for word, n in counts.items() if n > 1)
    frequent = {word: n for word, n in total.items() if n >= 25 or (n >= 6 and registers[word] >= 2)}
    return frequent, sum(total.values())


def write(counts: dict[str, int], total: int, out: Path) -> None:
    """Write gzipped lines in alphabetical order, the same bytes every time."""
    lines = [f"{total}\n", *(f"{word}\t{n}\n" for word, n in sorted(counts.items()))]
    with out.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
        file.write("".join(lines).encode())


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "corpora").parse_args()
    counts, total = build(args.corpora)
    write(counts, total, ASSETS / "wordlist.txt.gz")
    record("wordlist", {"words": len(counts), "tokens counted": total})
    print(f"{len(counts)} words of {total} tokens")


if __name__ == "__main__":
    main()
