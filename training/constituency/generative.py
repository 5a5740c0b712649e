"""Read the grammar off treebanks: `python -m training.constituency.generative TREEBANKS CORPORA`.

`--compare` writes nothing and prints what the development part of GUM says of the recipe and its
neighbours. Words are also counted in corpora, as the shipped pipeline tags them: two treebanks know
too few.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from naturalness.models.parsers.generative.grammar import Forms, Grammar, Symbols
from naturalness.models.parsers.generative.store import Content, open_grammar, write_grammar
from training.constituency.generative_counts import Events, Fitted, fit
from training.constituency.generative_data import Word, decisions_of, symbols_of, tagged, words_of
from training.constituency.generative_words import Words, fit_words
from training.constituency.treebank import TREES, Sentence, read_trees, training_trees
from training.manifest import ASSETS, CORPORA, record

COMMAND = "python -m training.constituency.generative TREEBANKS CORPORA"
FILE = "pcfg/grammar.npz"
TREEBANK_SOURCES = (
    {
        "name": "GUM constituency trees, documents without a non-commercial term",
        "licence": "annotation CC BY 4.0; texts CC BY 4.0 and public domain, by document",
    },
    {"name": "CRAFT 5 treebank", "licence": "CC BY 3.0"},
)
UNIT = 20
"""Weight of an event of GUM; others are in parts of it."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is counted, and how much it weighs."""

    craft: int = 1
    """Weight of an event of CRAFT, in parts of `UNIT`; 0 leaves it out."""
    corpora: int = 6
    columns: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    """Of the context of a child, in the order of backing off."""
    n_word_columns: int = 2
    """Places of a word's context: its tag, the label above it."""
    rule_least: tuple[int, ...] = (1, 1, 1, 2, 2, 2, 21)
    """Weight that is counted, by length of context: what CRAFT has once is not."""
    word_least: tuple[int, ...] = (61, 2, 21)


@dataclass(frozen=True, slots=True)
class Sources:
    """What there is to learn from and to fit constants on."""

    labels: list[str]
    tags: list[str]
    rules: Mapping[str, Events]
    """Decisions of `gum`, `craft` and `dev`."""
    words: Mapping[str, Mapping[Word, int]]
    """Words of these and of `corpora`."""


def load(treebanks: Path, corpora: Path) -> Sources:
    """Read and tag everything once."""
    trees = {
        "gum": training_trees(treebanks, "gum"),
        "craft": training_trees(treebanks, "craft"),
        "dev": training_trees(treebanks, "gum", "dev"),
    }
    labels, tags = symbols_of(trees["gum"] + trees["craft"])
    symbols = Symbols(labels, tags)
    rules = {name: _events(decisions_of(parsed, symbols)) for name, parsed in trees.items()}
    words = {name: Counter(words_of(parsed)) for name, parsed in trees.items()}
    return Sources(labels, tags, rules, {**words, "corpora": tagged(corpora)})


def _events(rows: list[tuple[int, ...]]) -> Events:
    table = np.array(rows, np.int64)
    return Events(table[:, :-1], table[:, -1], np.ones(len(table), np.int64))


def fit_rules(sources: Sources, recipe: Recipe) -> Fitted:
    """The table of children, and the probability of each held-out decision."""

    def part(name: str, weight: int) -> Events:
        events = sources.rules[name]
        columns = events.contexts[:, list(recipe.columns)]
        return Events(columns, events.outcomes, events.weights * weight)

    symbols = Symbols(sources.labels, sources.tags)
    seen = part("gum", UNIT)
    if recipe.craft:
        seen = seen + part("craft", recipe.craft)
    held_out = part("dev", 1)
    floors = np.full(len(held_out.outcomes), 1 / symbols.children)
    return fit(
        seen,
        held_out,
        floors,
        radix=(symbols.size,) * len(recipe.columns),
        outcomes=symbols.size,
        unit=UNIT,
        least=recipe.rule_least[: len(recipe.columns) + 1],
    )


def fit_lexicon(sources: Sources, recipe: Recipe) -> Words:
    """The tables of words."""
    weighted = Counter[Word]()
    for name, weight in (("gum", UNIT), ("craft", recipe.craft), ("corpora", recipe.corpora)):
        if weight:
            for word, n in sources.words[name].items():
                weighted[word] += n * weight
    return fit_words(
        weighted,
        sources.words["dev"],
        Symbols(sources.labels, sources.tags),
        unit=UNIT,
        least=recipe.word_least[: recipe.n_word_columns + 1],
    )


def build(sources: Sources, path: Path, recipe: Recipe) -> Grammar:
    """Fit and write; what is returned was read back."""
    rules, words = fit_rules(sources, recipe), fit_lexicon(sources, recipe)
    counts = {"rules": rules.counts, "counted": words.counted, "spelled": words.spelled, "cased": words.cased}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_grammar(path, Content(sources.labels, sources.tags, words.letters, Forms.of(words.forms), counts))
    return open_grammar(path)


def measure(grammar: Grammar, trees: Sequence[Sentence]) -> dict[str, float]:
    """Nats per word of each part, and the perplexity per word of trees with their words."""
    totals = np.zeros(3)
    for sentence in trees:
        totals += grammar.parts(sentence.root, sentence.words, sentence.tags)
    rules, words, spelling = (totals / -sum(len(s.words) for s in trees)).tolist()
    return {
        "rules": round(rules, 3),
        "words": round(words, 3),
        "spelling": round(spelling, 3),
        "perplexity": round(math.exp(rules + words + spelling)),
    }


def held_out(treebanks: Path) -> dict[str, list[Sentence]]:
    """What the grammar is measured on; the last two have non-commercial terms and train nothing."""
    return {
        "GUM dev": training_trees(treebanks, "gum", "dev"),
        "GUM test": training_trees(treebanks, "gum", "test"),
        "CRAFT held out": training_trees(treebanks, "craft", "dev"),
        "WSJ sample": list(read_trees(treebanks / TREES["wsj"])),
        "Natural Stories": list(read_trees(treebanks / TREES["stories"])),
    }


def compare(sources: Sources) -> None:
    """Print a table: the recipe and its neighbours on the development part of GUM, in nats."""
    n_words = sum(sources.words["dev"].values())
    weights = np.array(list(sources.words["dev"].values()))
    print("| grammar | rules | words | perplexity per word |\n| --- | ---: | ---: | ---: |")

    def nats(recipe: Recipe) -> tuple[float, float]:
        rules = -float(np.log(fit_rules(sources, recipe).probs).sum())
        return rules / n_words, -float(fit_lexicon(sources, recipe).logprobs @ weights) / n_words

    for name, recipe in neighbours(Recipe()).items():
        rules, words = nats(recipe)
        total = math.exp(rules + words)
        print(f"| {name} | {rules:.3f} | {words:.3f} | {total:.0f} |", flush=True)


def neighbours(base: Recipe) -> dict[str, Recipe]:
    """Recipes by what is different in them."""
    return {
        "shipped": base,
        "children: label, child before, parent, the one before": replace(base, columns=(0, 1, 2, 3)),
        "children: label, child before, the one before": replace(base, columns=(0, 1, 3)),
        "children: label, child before, parent": replace(base, columns=(0, 1, 2)),
        "children: label, child before": replace(base, columns=(0, 1)),
        "words: tag alone": replace(base, n_word_columns=1),
        "without CRAFT": replace(base, craft=0),
        "CRAFT at a fifth": replace(base, craft=4),
        "CRAFT in full": replace(base, craft=UNIT),
        "without words of corpora": replace(base, corpora=0),
        "words of corpora in full": replace(base, corpora=UNIT),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--compare", action="store_true", help="only print the table of choices")
    args = parser.parse_args()
    sources = load(args.treebanks, args.corpora)
    if args.compare:
        compare(sources)
        return
    grammar = build(sources, ASSETS / FILE, Recipe())
    figures = {name: measure(grammar, trees) for name, trees in held_out(args.treebanks).items()}
    record(
        "pcfg",
        kind="grammar",
        description="generative grammar: log-probability of a tree and its words",
        licence="CC BY-SA 4.0",
        sources=[*TREEBANK_SOURCES, *CORPORA],
        command=COMMAND,
        path=FILE,
        figures={"nats per word": figures},
    )
    print((ASSETS / FILE).stat().st_size, figures)


if __name__ == "__main__":
    main()
