"""Rebuild the generative grammar: `python -m training.constituency.generative TREEBANKS CORPORA`.

Words are also counted in corpora tagged by the shipped pipeline, since two treebanks contain too few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness.models.parsers.generative.grammar import Symbols
from naturalness.models.parsers.generative.store import Names
from training.arguments import command_parser
from training.constituency.generative_counts import Events, Fitted, events, fit
from training.constituency.generative_data import Word, decisions_of, symbols_of, tagged, words_of
from training.constituency.generative_words import Words, fit_words
from training.constituency.grammar_file import write_grammar
from training.constituency.treebank import training_trees
from training.manifest import ASSETS, record

FILE = "pcfg/grammar.npz"
UNIT = 20
"""Weight of an event of GUM; the others are fractions of it."""


WEIGHTS = {"gum": UNIT, "craft": 1, "corpora": 6}
"""Weight of an event of each source."""
RULE_LEAST = (1, 1, 1, 2, 2, 2, 21)
"""Least weight that is kept, by length of context: events that occur once in CRAFT are dropped."""
WORD_LEAST = (61, 2, 21)


@dataclass(frozen=True, slots=True)
class Sources:
    """Training events, and held-out events to fit constants on."""

    labels: list[str]
    tags: list[str]
    rules: Mapping[str, Events]
    """Decisions of `gum`, `craft` and `dev`."""
    words: Mapping[str, Mapping[Word, int]]
    """Words of these and of `corpora`."""


def load(treebanks: Path, corpora: Path) -> Sources:
    """Read the treebanks, and tag the corpora."""
    trees = {
        "gum": training_trees(treebanks, "gum"),
        "craft": training_trees(treebanks, "craft"),
        "dev": training_trees(treebanks, "gum", "dev"),
    }
    labels, tags = symbols_of(trees["gum"] + trees["craft"])
    symbols = Symbols(labels, tags)
    rules = {name: events(decisions_of(parsed, symbols)) for name, parsed in trees.items()}
    words = {name: Counter(words_of(parsed)) for name, parsed in trees.items()}
    return Sources(labels, tags, rules, {**words, "corpora": tagged(corpora)})


def fit_rules(sources: Sources) -> Fitted:
    """Fit the table of children, and return the probability of each held-out decision."""

    def part(name: str, weight: int) -> Events:
        events = sources.rules[name]
        return Events(events.contexts, events.outcomes, events.weights * weight)

    symbols = Symbols(sources.labels, sources.tags)
    held_out = part("dev", 1)
    return fit(
        part("gum", UNIT) + part("craft", WEIGHTS["craft"]),
        held_out,
        np.full(len(held_out.outcomes), 1 / symbols.children),
        radix=(symbols.size,) * (len(RULE_LEAST) - 1),
        outcomes=symbols.size,
        unit=UNIT,
        least=RULE_LEAST,
    )


def fit_lexicon(sources: Sources) -> Words:
    """Fit the tables of words."""
    weighted = Counter[Word]()
    for name, weight in WEIGHTS.items():
        for word, n in sources.words[name].items():
            weighted[word] += n * weight
    symbols = Symbols(sources.labels, sources.tags)
    return fit_words(weighted, sources.words["dev"], symbols, unit=UNIT, least=WORD_LEAST)


def build(sources: Sources, path: Path) -> None:
    """Fit and write the grammar."""
    rules, words = fit_rules(sources), fit_lexicon(sources)
    counts = {"rules": rules.counts, "counted": words.counted, "spelled": words.spelled, "cased": words.cased}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_grammar(path, Names(sources.labels, sources.tags, words.letters, sorted(words.forms)), counts)


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "treebanks", "corpora").parse_args()
    sources = load(args.treebanks, args.corpora)
    build(sources, ASSETS / FILE)
    record("pcfg", {"labels": len(sources.labels), "tags": len(sources.tags)})


if __name__ == "__main__":
    main()
