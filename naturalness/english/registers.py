"""Guess the register of an English text from its capitals, final punctuation and spoken-language words.

Titles, notes, lower-case text and speech break the rules of edited prose on purpose, and a score should not count
this as a fault. The guess depends only on the text, so it is the same in any batch.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from naturalness.files.resources import locate, opened_once

ASSET = "spoken"
PLAIN, LOWER_CASE, TITLES, NOTES, SPEECH = "plain", "lower-case", "titles", "notes", "speech"
AUTO = "auto"
"""The setting that judges each text within the register guessed for it."""
GUESSED = (PLAIN, LOWER_CASE, TITLES, NOTES, SPEECH)
"""The registers that can be guessed; *plain* is the default."""
TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|[?!]|--|…")
WORD = re.compile(r"[^\W\d_][\w'’-]*")
FINAL_MARK = re.compile(r"[.!?…:;,][\"'”’)\]]*$")
MIN_WORDS = 3
"""The smallest number of words for a guess other than *plain*."""
LONG_WORD = 4
"""The smallest number of letters in a word that is expected to be capitalised in a title."""
TITLE_SHARE = 0.6
"""The smallest share of a text's long words, not counting the first word, that must be capitalised in a title."""
SPOKEN_FROM = 0.5
"""The smallest probability at which a text is guessed to be speech."""


class Spoken(NamedTuple):
    """A logistic model of whether a text was spoken, based on its words."""

    intercept: float
    words: Mapping[str, float]

    def probability(self, text: str) -> float:
        """Return the probability that the text was spoken, 0..1."""
        weights = [self.words.get(token, 0.0) for token in set(tokens_of(text))]
        # Sets have no fixed order; fsum is exact, so the result is the same in every process.
        log_odds = math.fsum([self.intercept, *weights])
        return 1 / (1 + math.exp(-log_odds))


def tokens_of(text: str) -> list[str]:
    """Return the lower-case words and punctuation marks that the model reads."""
    return TOKEN.findall(text.lower().replace("’", "'"))


@opened_once
def spoken() -> Spoken:
    """Return the shipped model, trained by `training.registers`."""
    plain = json.loads(locate(ASSET).read_text(encoding="utf-8"))
    return Spoken(plain["intercept"], plain["words"])


def form_of(text: str) -> str:
    """Return the register suggested by a text's capitals and final punctuation; `PLAIN` if they suggest none."""
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
    """Return the guessed register of a text, one of `GUESSED`."""
    form = form_of(text)
    if form != PLAIN or len(WORD.findall(text)) < MIN_WORDS:
        return form
    return SPEECH if spoken().probability(text) >= SPOKEN_FROM else PLAIN
