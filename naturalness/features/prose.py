"""How paragraphs read: habits of language models and of over-formal writing, counted.

A column says how a text reads, never who wrote it. Rates are per 100 words or per sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.english.rules.pattern import words
from naturalness.english.stock_phrases import ASSET as STOCK_PHRASES
from naturalness.english.stock_phrases import stock_phrases
from naturalness.english.wordlist import load_wordlist
from naturalness.features.base import NAN, Feature, ratio, rows
from naturalness.features.requirements import Requirement, asset
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

HEDGES = words(
    """
    almost apparently arguably seem seemingly perhaps maybe possibly probably somewhat somehow likely
    presumably suggest appear might could slightly fairly rather quite
    """
)
BOOSTERS = words(
    """
    absolutely certainly clearly completely deeply definitely entirely extremely fully highly incredibly
    indeed inevitably never always obviously perfectly profoundly purely simply totally truly undeniably
    utterly very
    """
)
MARKERS = words(
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
VAGUE = words(
    """
    sense feeling mix mixture hint tapestry testament kind sort air touch wave moment reminder
    """
)
"""Nouns before *of* that say less than they seem to."""
RARE = 3.5
"""Zipf frequency below which a word is specific; unknown ones are."""
FORMAL = frozenset(("NOUN", "PROPN", "ADJ", "ADP", "DET"))
DEICTIC = frozenset(("PRON", "VERB", "AUX", "ADV", "INTJ"))
HEYLIGHEN = "Heylighen & Dewaele 1999"
TWO = "fewer than 2 sentences"


class ProseFeatures:
    """Rhythm, closers, stock turns and formality of a text."""

    name: ClassVar = "prose"
    requires: ClassVar[tuple[Requirement, ...]] = (asset("wordlist"), asset(STOCK_PHRASES))
    features: ClassVar = (
        Feature(
            "length_variation",
            "deviation of words per sentence / their mean",
            "0..",
            "livelier rhythm",
            undefined=TWO,
            words="variation of sentence length",
        ),
        Feature(
            "length_change",
            "mean |difference of words of neighbouring sentences| / mean words",
            "0..",
            "livelier rhythm",
            undefined=TWO,
            words="change of length between neighbours",
        ),
        Feature(
            "opening_variety",
            "different first words / sentences",
            "(0, 1]",
            "varied openings",
            undefined=TWO,
            words="variety of sentence openings",
        ),
        Feature(
            "same_opening",
            "sentences that open with the word of the one before / pairs of neighbours",
            "[0, 1]",
            "monotonous openings",
            undefined=TWO,
            words="neighbours with the same opening",
        ),
        Feature(
            "pronoun_openings",
            "sentences that open with a pronoun / sentences",
            "[0, 1]",
            "told of persons",
            words="sentences that open with a pronoun",
        ),
        Feature(
            "participial_closers",
            "sentences that end in a comma and a clause in -ing / sentences",
            "[0, 1]",
            "more closing participles",
            words="sentences that close on a participle",
        ),
        Feature(
            "participial_openers",
            "sentences that open with a form in -ing or -ed / sentences",
            "[0, 1]",
            "more of them",
            words="sentences that open with a participle",
        ),
        Feature(
            "not_but",
            "“not (only, just) … but”, “not …; it was” / sentences",
            "0..",
            "more false contrasts",
            words="“not … but” contrasts",
        ),
        Feature("threes", "lists of three / sentences", "0..", "more lists of three", words="lists of three"),
        Feature(
            "coordinated",
            "words coordinated with one before / sentences",
            "0..",
            "more coordination",
            words="coordinated words",
        ),
        Feature("dashes", "dashes per 100 words", "0..", "more dashes", words="dashes"),
        Feature("colons", "colons and semicolons per 100 words", "0..", "more of them", words="colons and semicolons"),
        Feature("commas", "commas per 100 words", "0..", "more commas", words="commas"),
        Feature("quoted", "quotation marks per 100 words", "0..", "more speech", words="quotation marks"),
        Feature(
            "questions",
            "question and exclamation marks / sentences",
            "0..",
            "more of them",
            words="questions and exclamations",
        ),
        Feature("hedges", "hedges per 100 words", "0..", "more hedged", words="hedges"),
        Feature("boosters", "boosters per 100 words", "0..", "more emphatic", words="boosters"),
        Feature("markers", "discourse markers per 100 words", "0..", "more signposts", words="discourse markers"),
        Feature(
            "nominalisations",
            "nouns in -tion, -ment, -ness … per 100 words",
            "0..",
            "more abstract",
            words="nominalisations",
        ),
        Feature("similes", "“as if”, “as though”, “like a …” / sentences", "0..", "more similes", words="similes"),
        Feature(
            "vague_of",
            "“a sense of”, “a mix of” … per 100 words",
            "0..",
            "more vague nouns",
            words="vague nouns before “of”",
        ),
        Feature("adjectives", "adjectives per 100 words", "0..", "more adjectives", words="adjectives"),
        Feature("adverbs_ly", "adverbs in -ly per 100 words", "0..", "more such adverbs", words="adverbs in -ly"),
        Feature(
            "before_nouns",
            "adjectives before nouns / nouns",
            "0..",
            "more decorated nouns",
            undefined="no nouns",
            words="adjectives before nouns",
        ),
        Feature("contractions", "contractions per 100 words", "0..", "closer to speech", words="contractions"),
        Feature("names", "proper nouns per 100 words", "0..", "more specific", words="names"),
        Feature("numbers", "numbers per 100 words", "0..", "more specific", words="numbers"),
        Feature(
            "rare_nouns",
            "common nouns of Zipf frequency below 3.5 / common nouns",
            "[0, 1]",
            "more specific",
            undefined="no common nouns",
            words="rare nouns",
        ),
        Feature(
            "formality",
            "(nouns, adjectives, prepositions, determiners - pronouns, verbs, adverbs, interjections) / words",
            "[-1, 1]",
            "more formal",
            HEYLIGHEN,
            words="formality",
        ),
        Feature(
            "restated",
            "mean share of a sentence's content lemmas that stood in the one before",
            "[0, 1]",
            "more said again",
            undefined=TWO,
            words="words restated from the sentence before",
        ),
        Feature(
            "past",
            "finite verbs in the past / finite verbs",
            "[0, 1]",
            "narrative",
            undefined="no finite verbs",
            words="verbs in the past tense",
        ),
        Feature(
            "abstract_subjects",
            "subjects that are nominalisations or vague nouns / subjects",
            "[0, 1]",
            "fewer persons act",
            undefined="no subjects",
            words="abstract subjects",
        ),
        Feature(
            "stock_phrases",
            "phrases that three language models wrote at least 20 times as often as people, per 100 words",
            "0..",
            "more stock phrases",
            words="stock phrases of language models",
        ),
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return rows(docs, measure, len(self.features))


def measure(doc: Doc) -> tuple[float, ...]:
    """One row, in the order of the table above."""
    seen = view(doc)
    if not seen.words:
        return (NAN,) * len(ProseFeatures.features)
    listed = stock_phrases()
    matches = sum(1 for start, stop in seen.sentences for _ in listed.matches(seen.lower, start, stop))
    stock = matches / (len(seen.words) / 100)
    return (*_rhythm(seen), *_turns(seen), *_marks(seen), *_words(seen), *_said_again(seen), *_clauses(seen), stock)


def _rhythm(seen: View) -> tuple[float, ...]:
    """Lengths and openings of sentences."""
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
    """Closers, openers, contrasts and lists."""
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
    """Whether the last comma of a sentence is followed, within three words, by a form in -ing, and then by no verb."""
    commas = [i for i in range(start, end) if seen.lower[i] == ","]
    if not commas:
        return False
    rest = range(commas[-1] + 1, end)
    return any(seen.tags[i] == "VBG" for i in rest[:3]) and not any(
        seen.tags[i] in ("VBD", "VBZ", "VBP", "MD") for i in rest[:3]
    )


def _contrasts(sentence: Sequence[str]) -> bool:
    """Whether *not* is answered by *but*, or by a second clause with *it* or *they* behind a mark."""
    if "not" not in sentence and "n't" not in sentence:
        return False
    at = min(i for i, word in enumerate(sentence) if word in ("not", "n't"))
    rest = list(sentence[at:])
    answered = any(a in DASHES | {";", ","} and b in ("it", "they", "this") for a, b in pairwise(rest))
    return "but" in rest or answered


def _marks(seen: View) -> tuple[float, ...]:
    """Punctuation."""
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
    """Vocabulary: hedges to formality."""
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
    """Content of neighbouring sentences."""
    content = [
        {seen.lemmas[i] for i in inside if seen.pos[i] in ("NOUN", "PROPN", "VERB", "ADJ")}
        for inside in seen.sentence_words
    ]
    shares = [len(a & b) / len(b) for a, b in pairwise(content) if b]
    return (float(np.mean(shares)) if shares else NAN,)


def _clauses(seen: View) -> tuple[float, ...]:
    """Tense of finite verbs, and what their subjects are."""
    past = sum(seen.tags[i] == "VBD" for i in seen.words)
    finite = past + sum(seen.tags[i] in ("VBZ", "VBP", "MD") for i in seen.words)
    subjects = [i for i in seen.words if seen.deps[i].startswith("nsubj")]
    abstract = sum(_is_nominal(seen, i) or seen.lemmas[i] in VAGUE for i in subjects)
    return ratio(past, finite), ratio(abstract, len(subjects))
