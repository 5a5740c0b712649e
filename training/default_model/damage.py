"""Corpus sentences and the same under one to three damages."""

from __future__ import annotations

import hashlib
import json
import lzma
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from naturalness.adapting.kinds import damage_docs
from naturalness.text.parsing import parse, pipeline_checksum

PER_REGISTER = 730
MIN_WORDS = 4
BATCH = 256


@dataclass(frozen=True, slots=True)
class Damaged:
    """Texts, how many damages each has, and which original each belongs to."""

    texts: tuple[str, ...]
    damages: NDArray[np.int64]
    originals: NDArray[np.int64]


def sample(corpora: Path, seed: int) -> list[str]:
    """As many sentences of each register, mixed."""
    rng = random.Random(seed)
    chosen: list[str] = []
    for path in sorted(corpora.glob("*.txt.xz")):
        if ".dev." in path.name:
            continue
        reservoir: list[str] = []
        seen = 0
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                text = line.strip()
                if len(text.split()) < MIN_WORDS:
                    continue
                seen += 1
                if len(reservoir) < PER_REGISTER:
                    reservoir.append(text)
                elif (slot := rng.randrange(seen)) < PER_REGISTER:
                    reservoir[slot] = text
        chosen += reservoir
    rng.shuffle(chosen)
    return chosen


def build(corpora: Path, seed: int = 0) -> Damaged:
    """Each sentence beside one damaged version of it."""
    originals = sample(corpora, seed)
    texts: list[str] = []
    damages: list[int] = []
    belongs: list[int] = []
    for start in range(0, len(originals), BATCH):
        docs = parse(originals[start : start + BATCH])
        for number, damaged in enumerate(damage_docs(docs, n_damages=(1, 3), seed=seed), start=start):
            texts.append(originals[number])
            damages.append(0)
            belongs.append(number)
            if damaged.damages:
                texts.append(damaged.text)
                damages.append(len(damaged.damages))
                belongs.append(number)
    return Damaged(tuple(texts), np.array(damages), np.array(belongs))


def build_once(corpora: Path, work: Path | None, seed: int = 0) -> Damaged:
    """The same, kept in ``work`` by the corpora's sizes, the seed and the pipeline."""
    if work is None:
        return build(corpora, seed)
    sizes = [f"{path.name}:{path.stat().st_size}" for path in sorted(corpora.glob("*.txt.xz"))]
    origin = [*sizes, str(seed), str(PER_REGISTER), pipeline_checksum()]
    path = work / f"damaged-{hashlib.sha256(' '.join(origin).encode()).hexdigest()[:16]}.json"
    if path.exists():
        stored = json.loads(path.read_text(encoding="utf-8"))
        return Damaged(tuple(stored["texts"]), *(np.array(stored[k]) for k in ("damages", "originals")))
    damaged = build(corpora, seed)
    stored = {"texts": damaged.texts, "damages": damaged.damages.tolist(), "originals": damaged.originals.tolist()}
    path.write_text(json.dumps(stored), encoding="utf-8")
    return damaged
