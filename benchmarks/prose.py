"""Share of texts without a score because they are not recognised as English prose.

`python -m benchmarks.prose RATINGS CORPORA` counts the distinct texts of the rated sets and the sentences of the
held-out parts of the corpora that get each reason, and the lines of Python's standard library that are recognised as
code. The counts of rated texts include real code, addresses and other languages.
"""

from __future__ import annotations

import io
import random
import sysconfig
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.report import markdown_table, write
from benchmarks.rule_texts import corpus_lines
from naturalness.english.code import is_code
from naturalness.english.foreign import DOUBTS, doubt
from training.arguments import command_parser
from training.default_model.sets import read_rows

SEED, CODE_LINES, MIN_WORDS = 0, 5000, 3


def rated_texts(folder: Path) -> set[str]:
    """Return the distinct texts of the rated sets."""
    return {row["text"] for path in sorted(folder.glob("*.tsv*")) for row in read_rows(path) if row.get("text")}


def sentences(folder: Path) -> Iterator[str]:
    """Yield the lines of the held-out parts of the corpora."""
    for path in sorted(folder.glob("*.dev.txt.xz")):
        yield from corpus_lines(path)


def code_lines() -> list[str]:
    """Return lines of the standard library with at least `MIN_WORDS` words, without comments and long strings."""
    lines = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        text = path.read_text(encoding="utf-8")
        prose: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.start[0] != token.end[0]:
                prose.update(range(token.start[0], token.end[0] + 1))
        numbered = enumerate(text.split("\n"), 1)
        lines += [line for i, line in numbered if i not in prose and len(line.split()) >= MIN_WORDS]
    return random.Random(SEED).sample(lines, CODE_LINES)


def counts(texts: Iterable[str]) -> tuple[int, dict[str, int]]:
    """Return the number of texts, and how many get each doubt."""
    found = Counter(map(doubt, texts))
    return found.total(), {name: found[name] for name in DOUBTS}


def main() -> None:
    """Run the command."""
    options = command_parser(__doc__, "ratings", "corpora").parse_args()
    sets = {
        "texts of the rated sets": counts(rated_texts(options.ratings)),
        "held-out sentences of the corpora": counts(sentences(options.corpora)),
    }
    rows = [[name, n, *found.values(), sum(found.values())] for name, (n, found) in sets.items()]
    lines = code_lines()
    share = sum(map(is_code, lines)) / len(lines)
    table = markdown_table(["", "texts", *DOUBTS, "all"], rows)
    table += f"\nOf {len(lines):,} lines of code, {share:.1%} are recognised.\n"
    write(
        "prose",
        "Texts that are not English prose",
        table,
        {"sets": sets, "code": share},
        command="python -m benchmarks.prose RATINGS CORPORA",
        seed=SEED,
    )


if __name__ == "__main__":
    main()
