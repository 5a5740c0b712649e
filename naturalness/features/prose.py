"""Stylistic habits of language models and of overly formal writing.

The columns describe how a text reads, not who wrote it. Rates are per 100 words or per sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from naturalness.english.stock_phrases import ASSET as STOCK_PHRASES
from naturalness.english.stock_phrases import stock_phrases
from naturalness.english.wordlist import load_wordlist
from naturalness.features.base import NAN, MeasuredGroup, ratio
from naturalness.features.requirements import asset
from naturalness.text.view import View, view, word_set

if TYPE_CHECKING:
    from spacy.tokens import Doc

HEDGES = word_set(
    """
    almost apparently arguably seem seemingly perhaps maybe possibly probably somewhat somehow likely
    presumably suggest appear might could slightly fairly rather quite
    """
)
BOOSTERS = word_set(
    """
    absolutely certainly clearly completely deeply definitely entirely extremely fully highly incredibly
    indeed inevitably never always obviously perfectly profoundly purely simply totally truly undeniably
    utterly very
    """
)
MARKERS = word_set(
    """
    additionally also consequently conversely finally firstly furthermore hence however lastly meanwhile
    moreover nevertheless nonetheless nowadays otherwise overall secondly similarly still subsequently
    therefore thus ultimately yet
    """
)
NOMINAL = re.compile(r"\w{3,}(?:tion|sion|ment|ness|ity|ance|ence|ship|ism|dom|hood)s?")
CONTRACTED = frozenset(("n't", "'s", "'re", "'ve", "'ll", "'d", "'m"))
DASHES = frozenset(("—", "–", "--"))
SIMILES = frozenset((("as", "if"), ("as", "though"), ("like", "a"), ("like", "an"), ("like", "the")))
VAGUE = word_set(
    """
    sense feeling mix mixture hint tapestry testament kind sort air touch wave moment reminder
    """
)
"""Nouns that add little meaning when followed by *of*."""
RARE = 3.5
"""The Zipf frequency below which a noun counts as rare, and therefore as specific."""
FORMAL = frozenset(("NOUN", "PROPN", "ADJ", "ADP", "DET"))
DEICTIC = frozenset(("PRON", "VERB", "AUX", "ADV", "INTJ"))


def measure(doc: Doc) -> tuple[float, ...] | None:
    """Return the values of a Doc in the order of ``tables/prose.csv``; None if it has no words."""
    seen = view(doc)
    if not seen.words:
        return None
    listed = stock_phrases()
    matches = sum(1 for start, stop in seen.sentences for _ in listed.matches(seen.lower, start, stop))
    stock = matches / (len(seen.words) / 100)
    return (*_rhythm(seen), *_turns(seen), *_marks(seen), *_words(seen), *_said_again(seen), *_clauses(seen), stock)


PROSE = MeasuredGroup(
    "prose",
    "Rhythm, endings of sentences, stock phrases and formality of a text.",
    measure,
    (asset("wordlist"), asset(STOCK_PHRASES)),
)


def _rhythm(seen: View) -> tuple[float, ...]:
    """Return the values of the columns about sentence lengths and first words."""
    lengths = np.array([len(inside) for inside in seen.sentence_words], dtype=np.float64)
    first = [seen.lower[inside[0]] for inside in seen.sentence_words]
    several = len(lengths) > 1
    pronouns = sum(seen.pos[inside[0]] == "PRON" for inside in seen.sentence_words)
    return (
        float(lengths.std() / lengths.mean()) if several else NAN,
        float(np.abs(np.diff(lengths)).mean() / lengths.mean()) if several else NAN,
        len(set(first)) / len(first) if several else NAN,
        sum(a == b for a, b in pairwise(first)) / (len(first) - 1) if several else NAN,
        pronouns / len(first),
    )


def _turns(seen: View) -> tuple[float, ...]:
    """Return the values of the columns about sentence endings, openings, contrasts and lists."""
    n = len(seen.sentences)
    closers = sum(_closes_with_participle(seen, start, end) for start, end in seen.sentences)
    openers = sum(seen.tags[inside[0]] in ("VBG", "VBN") for inside in seen.sentence_words)
    contrasts = sum(_contrasts(seen.lower[start:end]) for start, end in seen.sentences)
    joined: dict[int, int] = {}
    for i, dep in enumerate(seen.deps):
        if dep == "conj":
            joined[seen.heads[i]] = joined.get(seen.heads[i], 0) + 1
    chains = sum(seen.deps[seen.heads[i]] == "conj" for i, dep in enumerate(seen.deps) if dep == "conj")
    threes = sum(count == 2 for count in joined.values()) + chains
    return closers / n, openers / n, contrasts / n, threes / n, sum(joined.values()) / n


def _closes_with_participle(seen: View, start: int, end: int) -> bool:
    """Return whether the three tokens after the last comma include an -ing form but no finite verb.

    Return False if there is no comma.
    """
    commas = [i for i in range(start, end) if seen.lower[i] == ","]
    if not commas:
        return False
    rest = range(commas[-1] + 1, end)
    return any(seen.tags[i] == "VBG" for i in rest[:3]) and not any(
        seen.tags[i] in ("VBD", "VBZ", "VBP", "MD") for i in rest[:3]
    )


def _contrasts(sentence: Sequence[str]) -> bool:
    """Return whether the first *not* is followed, anywhere in the sentence, by a contrasting continuation.

    Such a continuation is the word *but*, or a comma, semicolon or dash followed by *it*, *they* or *this*.
    """
    if "not" not in sentence and "n't" not in sentence:
        return False
    at = min(i for i, word in enumerate(sentence) if word in ("not", "n't"))
    rest = list(sentence[at:])
    answered = any(a in DASHES | {";", ","} and b in ("it", "they", "this") for a, b in pairwise(rest))
    return "but" in rest or answered


def _marks(seen: View) -> tuple[float, ...]:
    """Return the values of the columns about punctuation."""
    n, hundred = len(seen.sentences), len(seen.words) / 100

    def count(marks: Collection[str]) -> int:
        return sum(text in marks for text in seen.lower)

    return (
        count(DASHES) / hundred,
        count((":", ";")) / hundred,
        count((",",)) / hundred,
        count(('"', "“", "”")) / hundred,
        count(("?", "!")) / n,
    )


def _words(seen: View) -> tuple[float, ...]:
    """Return the values of the columns about vocabulary, from hedges to formality."""
    n, hundred, known = len(seen.words), len(seen.words) / 100, load_wordlist()
    pairs = list(pairwise(seen.lower))
    nouns = [i for i in seen.words if seen.pos[i] == "NOUN"]
    rare = sum(known.lookup(seen.lower[i]) < RARE for i in nouns)
    decorated = sum(seen.deps[i] == "amod" for i in seen.words)
    formal = sum(seen.pos[i] in FORMAL for i in seen.words) - sum(seen.pos[i] in DEICTIC for i in seen.words)

    def lemmas(listed: Collection[str]) -> int:
        return sum(seen.lemmas[i] in listed or seen.lower[i] in listed for i in seen.words)

    def of(pos: str) -> int:
        return sum(seen.pos[i] == pos for i in seen.words)

    return (
        lemmas(HEDGES) / hundred,
        lemmas(BOOSTERS) / hundred,
        lemmas(MARKERS) / hundred,
        sum(_is_nominal(seen, i) for i in nouns) / hundred,
        sum(pair in SIMILES for pair in pairs) / len(seen.sentences),
        sum(a in VAGUE and b == "of" for a, b in pairs) / hundred,
        of("ADJ") / hundred,
        sum(seen.pos[i] == "ADV" and seen.lower[i].endswith("ly") for i in seen.words) / hundred,
        ratio(decorated, len(nouns)),
        sum((seen.lower[i] in CONTRACTED and seen.pos[i] != "PART") or seen.lower[i] == "n't" for i in seen.words)
        / hundred,
        of("PROPN") / hundred,
        of("NUM") / hundred,
        ratio(rare, len(nouns)),
        formal / n,
    )


def _is_nominal(seen: View, i: int) -> bool:
    return NOMINAL.fullmatch(seen.lower[i]) is not None


def _said_again(seen: View) -> tuple[float]:
    """Return the share of a sentence's content lemmas that occur in the previous sentence, averaged."""
    content = [
        {seen.lemmas[i] for i in inside if seen.pos[i] in ("NOUN", "PROPN", "VERB", "ADJ")}
        for inside in seen.sentence_words
    ]
    shares = [len(a & b) / len(b) for a, b in pairwise(content) if b]
    return (float(np.mean(shares)) if shares else NAN,)


def _clauses(seen: View) -> tuple[float, ...]:
    """Return the values of the columns about the tense of finite verbs and about abstract subjects."""
    past = sum(seen.tags[i] == "VBD" for i in seen.words)
    finite = past + sum(seen.tags[i] in ("VBZ", "VBP", "MD") for i in seen.words)
    subjects = [i for i in seen.words if seen.deps[i].startswith("nsubj")]
    abstract = sum(_is_nominal(seen, i) or seen.lemmas[i] in VAGUE for i in subjects)
    return ratio(past, finite), ratio(abstract, len(subjects))
