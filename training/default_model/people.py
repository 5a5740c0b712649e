"""Sentences by people of every register, and how a model scores them: what false alarms are bounded by."""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterable, Set
from pathlib import Path

from naturalness.english.registers import LOWER_CASE, SPEECH
from training.registers import written_sets

PER_REGISTER = 4000
"""Of those whose bounds on false alarms hold by default: a share is known the better, the more there are."""
PER_SPECIAL = 1500
"""Of those that count where they are named: lower case, and speech."""
MIN_WORDS = 4
LEARNERS_SET = "GUG"
"""The rated set of sentences by learners."""


def sentences_by_people(corpora: Path, treebanks: Path, without: Set[str], seed: int = 0) -> dict[str, list[str]]:
    """As many sentences of each register that are not among those that taught; and some of all in lower case.

    *lower-case* ones have no capitals and no final mark. Titles, notes and speech are those of the treebanks'
    training parts; a third of speech is from the corpus of podcasts.
    """
    rng = random.Random(seed)
    chosen: dict[str, list[str]] = {}
    for path in sorted(corpora.glob("*.txt.xz")):
        if ".dev." in path.name:
            continue
        with lzma.open(path, "rt", encoding="utf-8") as file:
            chosen[path.name.partition(".")[0]] = reservoir(file, without, rng)
    plain = [text.lower().rstrip(".!?") for texts in chosen.values() for text in texts]
    chosen[LOWER_CASE] = rng.sample(plain, PER_SPECIAL)
    written = written_sets(treebanks, ("train",))
    written[SPEECH] = [*rng.sample(written[SPEECH], 2 * PER_SPECIAL // 3), *chosen["podcasts"][: PER_SPECIAL // 3]]
    return chosen | written


def reservoir(lines: Iterable[str], without: Set[str], rng: random.Random) -> list[str]:
    """A sample of the lines of four words or more, each with the same chance."""
    chosen: list[str] = []
    seen = 0
    for line in lines:
        text = line.strip()
        if len(text.split()) < MIN_WORDS or text in without:
            continue
        seen += 1
        if len(chosen) < PER_REGISTER:
            chosen.append(text)
        elif (slot := rng.randrange(seen)) < PER_REGISTER:
            chosen[slot] = text
    return chosen
