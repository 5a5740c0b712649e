"""Type-token ratios and word-class counts of the naturalness paper (Groves et al., 2018, Table 1).

N is the number of words, T the number of distinct lemmas; punctuation is not a word. Behind them three
measures of diversity that do not fall with length.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.features.base import MEAN, NAN, TOTAL, Feature, column_means, ratio, rows
from naturalness.features.requirements import Requirement
from naturalness.text.view import CONTENT, View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc


GROVES = "Groves et al. (2018)"
RELATIVE_TAGS = frozenset({"WDT", "WP", "WP$"})
CLAUSES = frozenset(
    {
        "acl",
        "acl:relcl",
        "advcl",
        "advcl:relcl",
        "ccomp",
        "xcomp",
        "csubj",
        "csubj:pass",
        "csubj:outer",
        "parataxis",
        "root",
    }
)


def _count(name: str, formula: str, words: str) -> Feature:
    return Feature(name, formula, "0..", "more of them", GROVES, TOTAL, "never", words)


COUNTED = frozenset({"n_tokens", "answer_length", "n_digits", "mtld", "mattr", "hdd"})
"""Features that tokens alone give."""


class LexicalFeatures:
    """Diversity, density and repetition of words, and how many of each class."""

    name: ClassVar = "lexical"
    requires: ClassVar[tuple[Requirement, ...]] = ()
    features: ClassVar = (
        Feature(
            "type_token_ratio",
            "T / N",
            "(0, 1]",
            "fewer repeats; falls with length",
            "Templin (1957)",
            MEAN,
            words="variety of words (type-token ratio)",
        ),
        Feature(
            "root_ttr",
            "T / sqrt(N)",
            "(0, ..",
            "more varied",
            "Guiraud (1954)",
            MEAN,
            words="variety of words (root TTR)",
        ),
        Feature(
            "corrected_ttr",
            "T / sqrt(2 N)",
            "(0, ..",
            "more varied",
            "Carroll (1964)",
            MEAN,
            words="variety of words (corrected TTR)",
        ),
        Feature(
            "bilogarithmic_ttr",
            "log T / log N",
            "[0, 1]",
            "more varied",
            "Herdan (1960)",
            MEAN,
            "fewer than 2 words",
            words="variety of words (bilogarithmic TTR)",
        ),
        Feature(
            "uber_index",
            "(log10 N)^2 / (log10 N - log10 T)",
            "0..",
            "more varied",
            "Dugast (1978)",
            MEAN,
            "no repeated lemma (T = N)",
            words="variety of words (Uber index)",
        ),
        Feature(
            "lexical_density",
            "content words / N",
            "[0, 1]",
            "more content",
            "Ure (1971)",
            MEAN,
            words="share of content words",
        ),
        Feature("n_tokens", "N", "0..", "longer", GROVES, TOTAL, "never", words="length in words"),
        Feature(
            "answer_length",
            "characters of the words",
            "0..",
            "longer",
            GROVES,
            TOTAL,
            "never",
            words="letters in all words",
        ),
        Feature(
            "lexical_repetition",
            "content words whose lemma came before / content words",
            "[0, 1)",
            "more repeats",
            GROVES,
            MEAN,
            "no content words",
            words="repeated content words",
        ),
        _count("n_nouns", "words tagged NOUN or PROPN", words="number of nouns"),
        _count("n_verbs", "words tagged VERB or AUX", words="number of verbs"),
        _count("n_possessives", "possessive pronouns and 's (Penn tags PRP$, WP$, POS)", words="number of possessives"),
        _count(
            "n_prepositions", "words tagged ADP that are not verb particles (Penn RP)", words="number of prepositions"
        ),
        _count("n_determiners", "words tagged DET", words="number of determiners"),
        _count("n_adjectives", "words tagged ADJ", words="number of adjectives"),
        _count(
            "n_relative_pronouns",
            "Penn tags WDT, WP, WP$ inside a relative clause",
            words="number of relative pronouns",
        ),
        _count("n_digits", "words with a digit", words="words with digits"),
        _count("n_conjunctions", "words tagged CCONJ or SCONJ", words="number of conjunctions"),
        Feature(
            "mtld",
            "mean length of word runs that keep a type-token ratio above 0.72, forwards and backwards",
            "1..",
            "more varied",
            "McCarthy & Jarvis (2010)",
            undefined="fewer than 10 words or no repeat",
            words="variety of words (MTLD)",
        ),
        Feature(
            "mattr",
            "mean type-token ratio of all windows of 10 words",
            "(0, 1]",
            "more varied",
            "Covington & McFall (2010)",
            undefined="fewer than 10 words",
            words="variety of words (moving average)",
        ),
        Feature(
            "hdd",
            "expected type-token ratio of 10 words drawn without replacement",
            "(0, 1]",
            "more varied",
            "McCarthy & Jarvis (2007)",
            undefined="fewer than 10 words",
            words="variety of words (HD-D)",
        ),
    )

    parsed: ClassVar = frozenset(feature.name for feature in features) - COUNTED

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return rows(docs, lambda doc: measure(view(doc)), len(self.features))


def measure(seen: View) -> list[float]:
    """One row, in the order of the table above."""
    words = [seen.lower[i] for i in seen.words]
    ratios = [sentence_ratios(seen, inside) for inside in seen.sentence_words]
    averages = column_means(ratios, 7)
    return [
        *averages[:6],
        len(words),
        sum(map(len, words)),
        averages[6],
        *class_counts(seen, words),
        mtld(words),
        mattr(words),
        hdd(words),
    ]


def sentence_ratios(seen: View, words: Sequence[int]) -> tuple[float, ...]:
    """The type-token family, density and repetition of one sentence."""
    n = len(words)
    t = len({seen.lemmas[i] for i in words})
    content = [seen.lemmas[i] for i in words if seen.pos[i] in CONTENT]
    log_n, log_t = math.log10(n), math.log10(t)
    return (
        t / n,
        t / math.sqrt(n),
        t / math.sqrt(2 * n),
        log_t / log_n if n > 1 else NAN,
        log_n**2 / (log_n - log_t) if t < n else NAN,
        len(content) / n,
        ratio(len(content) - len(set(content)), len(content)),
    )


def class_counts(seen: View, words: Sequence[str]) -> tuple[int, ...]:
    """Words of each class, in the order of the table above."""
    pos = [seen.pos[i] for i in seen.words]
    tags = [seen.tags[i] for i in seen.words]
    return (
        pos.count("NOUN") + pos.count("PROPN"),
        pos.count("VERB") + pos.count("AUX"),
        tags.count("PRP$") + tags.count("WP$") + tags.count("POS"),
        sum(p == "ADP" and t != "RP" for p, t in zip(pos, tags, strict=True)),
        pos.count("DET"),
        pos.count("ADJ"),
        sum(in_relative_clause(seen, i) for i in seen.words if seen.tags[i] in RELATIVE_TAGS),
        sum(map(has_digit, words)),
        pos.count("CCONJ") + pos.count("SCONJ"),
    )


def has_digit(word: str) -> bool:
    """Whether a digit is among its characters; letters alone, the usual case, are quickly told."""
    return not word.isalpha() and any(map(str.isdigit, word))


def in_relative_clause(seen: View, i: int) -> bool:
    """Whether the innermost clause around a token is a relative clause."""
    for _ in range(len(seen.heads)):
        i = seen.heads[i]
        if seen.deps[i].endswith("relcl"):
            return True
        if seen.deps[i] in CLAUSES or seen.heads[i] == i:
            return False
    return False


WINDOW = 10
THRESHOLD = 0.72


def mtld(words: Sequence[str]) -> float:
    """Measure of textual lexical diversity (McCarthy & Jarvis, 2010), mean of both directions."""
    if len(words) < WINDOW:
        return NAN
    factors = _factors(words), _factors(words[::-1])
    if not all(factors):
        return NAN
    return (len(words) / factors[0] + len(words) / factors[1]) / 2


def _factors(words: Sequence[str]) -> float:
    """Runs whose type-token ratio falls to the threshold; the last one counts in part."""
    count, length, ratio = 0.0, 0, 1.0
    types: set[str] = set()
    for word in words:
        length += 1
        types.add(word)
        ratio = len(types) / length
        if ratio <= THRESHOLD:
            count += 1
            types.clear()
            length, ratio = 0, 1.0
    return count + (1 - ratio) / (1 - THRESHOLD)


def mattr(words: Sequence[str]) -> float:
    """Moving-average type-token ratio (Covington & McFall, 2010)."""
    if len(words) < WINDOW:
        return NAN
    inside = Counter(words[:WINDOW])
    total = len(inside)
    for i in range(WINDOW, len(words)):
        inside[words[i]] += 1
        old = words[i - WINDOW]
        inside[old] -= 1
        if not inside[old]:
            del inside[old]
        total += len(inside)
    return total / WINDOW / (len(words) - WINDOW + 1)


def hdd(words: Sequence[str]) -> float:
    """Hypergeometric distribution diversity (McCarthy & Jarvis, 2007), over the sample's size."""
    n = len(words)
    if n < WINDOW:
        return NAN
    expected = 0.0
    for frequency, types in Counter(Counter(words).values()).items():
        absent = 1.0
        for k in range(WINDOW):
            absent *= max(0, n - frequency - k) / (n - k)
        expected += types * (1 - absent)
    return expected / WINDOW
