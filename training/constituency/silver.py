"""Corpus sentences with the teacher's trees: more, and more varied, examples than the treebanks."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from naturalness.models.parsers.tree import Span
from training.constituency.batches import Example
from training.constituency.learning import label
from training.constituency.network import SpanScorer
from training.english.silver import SHARES
from training.language.corpora import token_lines

SENTENCES = 60_000
LONGEST = 45
CHUNK = 2_000


def sample(tokens: Path, n: int, seed: int = 0) -> list[list[str]]:
    """Tokenised sentences by register, in the shares of the tagger's own silver text."""
    rng = random.Random(seed)
    found: list[list[str]] = []
    for register, share in SHARES.items():
        lines = [line for line in token_lines(tokens, register) if 2 <= line.count(" ") < LONGEST]
        found += [
            line.split(" ") for line in rng.sample(lines, min(len(lines), math.ceil(n * share)))
        ]
    rng.shuffle(found)
    return found


def write_silver(model: SpanScorer, sentences: Sequence[list[str]], path: Path) -> None:
    """Label sentences, a chunk at a time; goes on where it stopped."""
    done = sum(1 for _ in path.open(encoding="utf-8")) if path.exists() else 0
    with path.open("a", encoding="utf-8") as out, tqdm(total=len(sentences), initial=done) as bar:
        for start in range(done, len(sentences), CHUNK):
            chunk = sentences[start : start + CHUNK]
            for words, (found, logprob) in zip(chunk, label(model, chunk), strict=True):
                row = {"words": words, "spans": found, "logprob": round(logprob, 4)}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
            bar.update(len(chunk))


def read_silver(path: Path) -> Iterator[Example]:
    """The sentences with their trees; tags are not known."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            words = row["words"]
            spans = [Span(*span) for span in row["spans"]]
            yield Example(words, [""] * len(words), spans, 0)
