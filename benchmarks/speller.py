"""How many misspellings the speller corrects, and how many correct words it calls misspelt.

`python -m benchmarks.speller EDITS CORPORA`: misspellings in the third of the edited sentences that `training.speller`
does not read, each pair of words once per source; and the lower-case words of the held-out part of each register. The
column *one edit* is `WordList.correction`, which readability features use. No context is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.report import markdown_table, write
from naturalness.english.speller import odds, suggestions
from naturalness.english.wordlist import load_wordlist
from training.arguments import command_parser
from training.language.corpora import REGISTERS, sentences
from training.speller import LOWER, distance, misspellings

RANKS = (1, 3, 5)
COLUMNS = (
    "one edit",
    *(f"among {rank}" if rank > 1 else "first" for rank in RANKS),
    "called misspelt",
    "called, first",
)


class Outcome(NamedTuple):
    """What became of a misspelling."""

    source: str
    edits: int
    before: bool
    """Whether `WordList.correction` returns the right word."""
    rank: float
    """Rank of the right word among the suggestions, from 1; infinite where it is missing."""
    called: bool


def outcome(source: str, wrong: str, right: str) -> Outcome:
    """Return the outcome for a misspelling."""
    words = [suggestion.word for suggestion in suggestions(wrong)]
    rank = words.index(right) + 1 if right in words else np.inf
    before = load_wordlist().correction(wrong) == right
    return Outcome(source, distance(wrong, right), before, rank, odds(wrong) > 0)


def shares(outcomes: Sequence[Outcome]) -> list[float]:
    """Return percentages, one for each of `COLUMNS`."""
    rank, called = np.array([each.rank for each in outcomes]), np.array([each.called for each in outcomes])
    columns = [
        np.array([each.before for each in outcomes]),
        *(rank <= most for most in RANKS),
        called,
        called & (rank == 1),
    ]
    return [100 * float(np.mean(column)) for column in columns]


def alarms(corpora: Path) -> dict[str, tuple[int, Counter[str]]]:
    """Return, for each register, the number of lower-case words and those that are called misspelt."""
    found = {}
    for register in REGISTERS:
        lines = sentences(corpora, register, ".dev")
        words = Counter(word.replace("’", "'") for line in lines for word in LOWER.findall(line))
        found[register] = words.total(), Counter({word: n for word, n in words.items() if odds(word) > 0})
    return found


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "edits", "corpora")
    parser.add_argument("--words", action="store_true", help="print the words of the corpora that are called misspelt")
    options = parser.parse_args()
    pairs = list(misspellings(options.edits, held_out=True))
    every = [outcome(*pair) for pair in pairs]
    distinct = [outcome(*pair) for pair in sorted(set(pairs))]
    groups = {
        source: [each for each in distinct if each.source == source] for source in dict.fromkeys(p[0] for p in pairs)
    }
    groups["all"] = distinct
    groups |= {f"all, distance {n}": [each for each in distinct if each.edits == n] for n in (1, 2, 3)}
    groups["all, every occurrence"] = every
    rows = [[name, len(group), *shares(group)] for name, group in groups.items() if group]
    table = markdown_table(["misspellings", "words", *COLUMNS], rows)
    found = alarms(options.corpora)
    false = [[name, total, words.total(), 100 * words.total() / total] for name, (total, words) in found.items()]
    table += "\n" + markdown_table(["register", "lower-case words", "called misspelt", "%"], false)
    data = {
        "misspellings": {name: dict(zip(("words", *COLUMNS), row, strict=True)) for name, *row in rows},
        "called misspelt, %": {row[0]: row[3] for row in false},
    }
    write("speller", "Misspellings corrected", table, data, command="python -m benchmarks.speller EDITS CORPORA")
    if options.words:
        print(
            *(f"{word} ({suggestions(word, 1)[0].word})" for _, words in found.values() for word in sorted(words)),
            sep="\n",
        )


if __name__ == "__main__":
    main()
