"""Type-token ratios and word-class counts from the naturalness paper (Groves et al., 2018, Table 1).

N is the number of words and T the number of distinct lemmas; punctuation marks are not words. Three measures of
diversity that do not fall with text length are added: MTLD, MATTR and HD-D.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from naturalness.features.base import NAN, MeasuredGroup, column_means, ratio
from naturalness.features.dependency import SUBORDINATE
from naturalness.text.view import CONTENT, Doc, View, view

RELATIVE_TAGS = frozenset({"WDT", "WP", "WP$"})
CLAUSES = SUBORDINATE | {"parataxis", "root"}


def measure(doc: Doc) -> list[float]:
    """Return the values of a Doc in the order of ``tables/lexical.csv``."""
    seen = view(doc)
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


LEXICAL = MeasuredGroup(
    "lexical", "Diversity, density and repetition of words, and the number of words of each class.", measure
)


def sentence_ratios(seen: View, words: Sequence[int]) -> tuple[float, ...]:
    """Return the type-token ratios, density and repetition of one sentence."""
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
    """Return the number of words in each word class, in the order of ``tables/lexical.csv``."""
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
    """Return whether a word contains a digit."""
    return not word.isalpha() and any(map(str.isdigit, word))


def in_relative_clause(seen: View, i: int) -> bool:
    """Return whether the innermost clause around a token is a relative clause."""
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
    """Return the measure of textual lexical diversity (McCarthy & Jarvis, 2010).

    It is computed forwards and backwards, and the two values are averaged; NaN if it is undefined.
    """
    if len(words) < WINDOW:
        return NAN
    factors = _factors(words), _factors(words[::-1])
    if not all(factors):
        return NAN
    return (len(words) / factors[0] + len(words) / factors[1]) / 2


def _factors(words: Sequence[str]) -> float:
    """Return the number of successive runs of words, each ending where its type-token ratio falls to `THRESHOLD`.

    The incomplete last run counts as a fraction.
    """
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
    """Return the moving-average type-token ratio (Covington & McFall, 2010); NaN for fewer than `WINDOW` words."""
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
    """Return HD-D, the hypergeometric distribution diversity (McCarthy & Jarvis, 2007), divided by the sample size.

    The sample size is `WINDOW`; NaN for fewer words.
    """
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
