"""Train sub-word vectors (floret) on the corpora, for words that are in no treebank."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import floret

from training.language.corpora import REGISTERS, sentences

TOKEN = re.compile(r"\w+(?=n't\b)|n't\b|'(?:s|m|d|ll|re|ve)\b|\w+(?:['.]\w+)*|[^\w\s]", re.IGNORECASE)
LINES_PER_REGISTER = 500_000


def write_tokens(corpora: Path, out: Path) -> None:
    """Write one sentence per line, in lower case, with tokens separated."""
    with out.open("w", encoding="utf-8") as file:
        for register in sorted(REGISTERS):
            for line in islice(sentences(corpora, register), LINES_PER_REGISTER):
                file.write(" ".join(TOKEN.findall(line.lower().replace("’", "'"))) + "\n")


def train_vectors(corpora: Path, work: Path) -> Path:
    """Train and write the table that `student.build` reads."""
    tokens, out = work / "tokens.txt", work / "vectors.floret"
    write_tokens(corpora, tokens)
    model = floret.train_unsupervised(
        str(tokens),
        model="cbow",
        mode="floret",
        hashCount=2,
        bucket=20000,
        minn=4,
        maxn=5,
        minCount=10,
        dim=96,
        epoch=2,
        thread=1,  # with more, every run gives other vectors
        ws=3,
        lr=0.05,
        neg=5,
        verbose=1,
    )
    model.save_floret_vectors(str(out))
    return out
