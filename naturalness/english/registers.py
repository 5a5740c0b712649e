"""The register of an English text, guessed from how it is written: capitals, final mark, words of speech.

Titles, notes, text in lower case and speech break rules of edited prose on purpose; a score that takes
this for a fault is unfair to them. The guess reads the text alone, so that it is the same in any company.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from naturalness.files.resources import locate, opened_once

ASSET = "spoken"
PLAIN, LOWER_CASE, TITLES, NOTES, SPEECH = "plain", "lower-case", "titles", "notes", "speech"
AUTO = "auto"
"""Stands for the register that each text is guessed to be written in."""
GUESSED = (PLAIN, LOWER_CASE, TITLES, NOTES, SPEECH)
"""What a text is guessed to be; *plain* is anything else than the others."""
TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|[?!]|--|…")
WORD = re.compile(r"[^\W\d_][\w'’-]*")
FINAL_MARK = re.compile(r"[.!?…:;,][\"'”’)\]]*$")
MIN_WORDS = 3
"""A text of fewer words shows no register."""
LONG_WORD = 4
"""Letters of words that titles write with a capital."""
TITLE_SHARE = 0.6
"""Of the long words after the first, those with a capital in a title."""
SPOKEN_FROM = 0.5
"""Probability from which on a text is taken for speech."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A logistic model of which words a sentence has."""

    intercept: float
    words: Mapping[str, float]

    def probability(self, text: str) -> float:
        """Return how likely it is that the text was spoken, 0..1."""
        weights = [self.words.get(token, 0.0) for token in set(tokens_of(text))]
        # The exact sum, whatever the order of a set is in this process.
        log_odds = math.fsum([self.intercept, *weights])
        return 1 / (1 + math.exp(-log_odds))


def tokens_of(text: str) -> list[str]:
    """Return the words and marks that tell speech from writing, in lower case."""
    return TOKEN.findall(text.lower().replace("’", "'"))


@opened_once
def spoken() -> Spoken:
    """Return the shipped model (`training.registers`)."""
    plain = json.loads(locate(ASSET).read_text(encoding="utf-8"))
    return Spoken(plain["intercept"], plain["words"])


def form_of(text: str) -> str:
    """Return the register that capitals and the final mark of a text show; `PLAIN` where they show none."""
    words = WORD.findall(text)
    if len(words) < MIN_WORDS:
        return PLAIN
    if text == text.lower():
        return LOWER_CASE
    if FINAL_MARK.search(text.strip()):
        return PLAIN
    long = [word for word in words[1:] if len(word) >= LONG_WORD]
    capitals = sum(word[0].isupper() for word in long)
    return TITLES if long and capitals >= TITLE_SHARE * len(long) else NOTES


def register_of(text: str) -> str:
    """Return the register that a text is written in, one of `GUESSED`."""
    form = form_of(text)
    if form != PLAIN or len(WORD.findall(text)) < MIN_WORDS:
        return form
    return SPEECH if spoken().probability(text) >= SPOKEN_FROM else PLAIN
