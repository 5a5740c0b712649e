"""Sample human-written sentences of every register; the quantiles of their scores bound false alarms."""

from __future__ import annotations

import random
from collections.abc import Set
from pathlib import Path

from naturalness.english.registers import LOWER_CASE, SPEECH
from training.default_model.damage import reservoir
from training.language.corpora import REGISTERS, sentences
from training.registers import written_sets

PER_REGISTER = 4000
"""Sentences of registers that bound false alarms by default; more give a more precise share."""
PER_SPECIAL = 1500
"""Sentences of lower case and speech, which count only on request."""
LEARNERS_SET = "GUG"
"""The rated set of sentences by learners."""


def sentences_by_people(corpora: Path, treebanks: Path, without: Set[str]) -> dict[str, list[str]]:
    """As many sentences of each register that are not among those that taught; and some of all in lower case.

    *lower-case* ones have no capitals and no final mark. Titles, notes and speech are those of the treebanks'
    training parts; a third of speech is from the corpus of podcasts.
    """
    rng = random.Random(0)
    chosen: dict[str, list[str]] = {}
    for register in sorted(REGISTERS):
        chosen[register] = reservoir(sentences(corpora, register), PER_REGISTER, rng, without)
    plain = [text.lower().rstrip(".!?") for texts in chosen.values() for text in texts]
    chosen[LOWER_CASE] = rng.sample(plain, PER_SPECIAL)
    written = written_sets(treebanks, ("train",))
    written[SPEECH] = [*rng.sample(written[SPEECH], 2 * PER_SPECIAL // 3), *chosen["podcasts"][: PER_SPECIAL // 3]]
    return chosen | written
