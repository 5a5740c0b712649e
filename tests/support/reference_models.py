"""The back-off rule of ARPA models, and files that KenLM's tools made.

`tests/assets/language/corpus.txt` contains 320 sentences of made-up words from a seeded generator. From it `lmplz -o
3 --discount_fallback` made `order3.arpa`, with `--prune 0 1 2` `order3-pruned.arpa`, and with `--prune 0 0 1
--limit_vocab_file vocabulary.txt` `order3-vocabulary.arpa`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from naturalness.models.language.tables import Ngrams

ASSETS = Path(__file__).parents[1] / "assets" / "language"
Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """The options with which `lmplz` made a file, and the SHA-256 of `build_binary trie`'s output for it."""

    arpa: str
    prune: tuple[int, ...]
    trie: str


MODELS = (
    Model("order3.arpa", (), "f090d86818055df1b05a525223242e95ec768c43af44f2e8d1d5b80596124b7f"),
    Model("order3-pruned.arpa", (0, 1, 2), "c3aade421ce455e9470ca3396a7caaa3a8748e462f633f056047347e3a04bfb1"),
    Model("order3-vocabulary.arpa", (0, 0, 1), "e72d9f75a102708060f085d2003a391926e07aa5d9bc2f2f4c397e4fa7307eeb"),
)


def corpus() -> list[str]:
    """Return the sentences of the corpus."""
    return (ASSETS / "corpus.txt").read_text(encoding="utf-8").splitlines()


def read_arpa(path: Path) -> Ngrams:
    """Read a file of `lmplz` or `write_arpa`, in which unigrams are in order of id and no line is wrong."""
    sections = path.read_text(encoding="utf-8").split("-grams:\n")[1:]
    tables = [[line.split("\t") for line in section.split("\n\n")[0].split("\n")] for section in sections]
    ids = {row[1]: i for i, row in enumerate(tables[0])}
    return Ngrams(
        list(ids),
        tuple(np.array([[ids[word] for word in row[1].split(" ")] for row in table], np.uint32) for table in tables),
        tuple(np.array([row[0] for row in table], np.float32) for table in tables),
        tuple(np.array([row[2] for row in table], np.float32) for table in tables[:-1]),
    )


def as_table(model: Ngrams) -> dict[Gram, tuple[float, float]]:
    """Return log10 probability and back-off by n-gram, in the model's order."""
    table = {}
    for k, ids in enumerate(model.ids):
        for i, row in enumerate(ids):
            backoff = float(model.backoffs[k][i]) if k + 1 < model.order else 0.0
            gram = tuple(model.vocabulary[j] for j in row)
            table[gram] = float(model.logprobs[k][i]), backoff
    return table


def logprob(table: dict[Gram, tuple[float, float]], context: Gram, word: str) -> float:
    """Return log10 p(word | context) from the longest known n-gram and the back-offs of longer contexts."""
    gram = (*context, word)
    if gram in table:
        return table[gram][0]
    return table.get(context, (0.0, 0.0))[1] + logprob(table, context[1:], word)


def sums(model: Ngrams) -> list[float]:
    """Return the sum of the probabilities of all words after each context, computed with the back-off rule."""
    table = as_table(model)
    contexts = [(), *(gram for gram in table if len(gram) < model.order and gram[-1] not in ("</s>", "<unk>"))]
    words = [word for word in model.vocabulary if word != "<s>"]
    return [sum(10 ** logprob(table, context, word) for word in words) for context in contexts]


def token_logprobs(model: Ngrams, units: Sequence[str]) -> list[float]:
    """Return the log10 probability of each unit of a sentence and of its end."""
    table = as_table(model)
    known = [word if (word,) in table else "<unk>" for word in units]
    padded = ["<s>", *known, "</s>"]
    return [logprob(table, tuple(padded[max(0, i - model.order + 1) : i]), padded[i]) for i in range(1, len(padded))]
