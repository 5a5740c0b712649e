"""What the acceptability head learns from: damaged corpus sentences, and ratings of other sets."""

from __future__ import annotations

import csv
import gzip
import lzma
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from naturalness.models.pieces import END, START, Pieces
from naturalness.text.parsing import parse, tokenise
from naturalness.text.view import view
from training.default_model.sets import SETS, read_set
from training.detector.drafts import MAX_WORDS, MIN_WORDS, Draft, Sentence, Word
from training.detector.kinds.machine import generated
from training.detector.mixture import Source, damage, soundness
from training.detector.network import PLACES

PER_REGISTER = 2_500
"""Corpus sentences of each register."""
RATED = ("Lau BNC", "style transfer", "E2E", "INLG 2016", "FED")
"""Rated sets that teach: none that GRUEN is measured on, none whose licence forbids it."""
PAIRS = "e2e_naturalness.pairs.tsv.gz"
LIKE_A_GENERATOR = 0.4
"""Share of damage that is of `kinds`."""
BOTH_DAMAGED = 0.25
MIN_DIFFERENCE = 0.15
"""Between two ratings' ranks, from which one text is said to be the better."""
Row = list[int]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts as rows of pieces, the better first, and how good each is on 0..1."""

    better: Row
    worse: Row
    targets: tuple[float, float]


def corpus_sentences(corpora: Path, seed: int = 0) -> list[Sentence]:
    """As many of each register, with tags and arcs of the package's own pipeline."""
    rng = random.Random(seed)
    lines: list[str] = []
    for path in sorted(corpora.glob("*.txt.xz")):
        if ".dev." in path.name:
            continue
        with lzma.open(path, "rt", encoding="utf-8") as file:
            known = [line.strip() for line in file if MIN_WORDS <= line.count(" ") < MAX_WORDS]
        lines += rng.sample(known, min(PER_REGISTER, len(known)))
    sentences = []
    for doc in parse(lines):
        tokens = view(doc)
        if len(tokens.sentences) == 1 and MIN_WORDS <= len(tokens.texts) <= MAX_WORDS:
            rows = zip(tokens.lower, tokens.tags, tokens.deps, tokens.heads, strict=True)
            sentences.append(tuple(Word(t, x, d, h, i) for i, (t, x, d, h) in enumerate(rows)))
    return sentences


def row_of(words: Sequence[str], pieces: Pieces) -> Row:
    """Pieces of words between start and end."""
    ids = [pieces.rows[START], *(p for word in words for p in pieces.of_word(word))]
    return [*ids[: PLACES - 1], pieces.rows[END]]


def damaged_pairs(source: Source, pieces: Pieces, seed: int) -> Iterator[Pair]:
    """Without end: a sentence, as written or lightly damaged, and the same more damaged."""
    rng = random.Random(seed)
    while True:
        better = Draft.of(rng.choice(source.sentences))
        if rng.random() < BOTH_DAMAGED:
            damage(better, 1, rng, source)
        worse = better.copy()
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            if rng.random() < LIKE_A_GENERATOR:
                generated(worse, rng, rng.choice(source.sentences))
            else:
                damage(worse, 1, rng, source)
        if len(worse.kinds) > len(better.kinds):
            rows = [row_of([w.text for w in draft.words], pieces) for draft in (better, worse)]
            yield Pair(rows[0], rows[1], (soundness(better), soundness(worse)))


def rated_pairs(ratings: Path, pieces: Pieces, seed: int) -> Iterator[Pair]:
    """Without end: two texts of one set, the better rated first; sets in equal shares."""
    rng = random.Random(seed)
    known = [_rated(ratings, name, pieces) for name in RATED]
    chosen = _preferred(ratings / PAIRS, pieces)
    while True:
        number = rng.randrange(len(known) + 1)
        if number == len(known):
            yield rng.choice(chosen)
            continue
        (a, x), (b, y) = rng.sample(known[number], 2)
        if abs(x - y) >= MIN_DIFFERENCE:
            yield Pair(a, b, (x, y)) if x > y else Pair(b, a, (y, x))


def _rows(texts: Sequence[str], pieces: Pieces) -> list[Row]:
    return [row_of([t.text.lower() for t in doc if not t.is_space], pieces) for doc in tokenise(texts)]


def _rated(ratings: Path, name: str, pieces: Pieces) -> list[tuple[Row, float]]:
    rated = read_set(ratings / SETS[name].file)
    return list(zip(_rows(rated.texts, pieces), rated.places.tolist(), strict=True))


def _preferred(path: Path, pieces: Pieces) -> list[Pair]:
    """Pairs of texts of which judges liked one better; they say nothing about either alone."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows: list[Mapping[str, str]] = list(csv.DictReader(file, delimiter="\t"))
    good, bad = (_rows([row[side] for row in rows], pieces) for side in ("good", "bad"))
    return [Pair(g, b, (float("nan"), float("nan"))) for g, b in zip(good, bad, strict=True)]
