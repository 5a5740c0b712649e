"""Find the categories that each text belongs to, and the error rates of a model by category.

Groves, Tian & Douratsos (2018) name constructions that misled their classifier: subordinate clauses, inserts ("I shall,
of course, …"), fragments and titles. These and a few other common constructions are found in the parse; a text belongs
to a category if any of its sentences does. Other categories are length bands, ways of typing, kinds of findings, and
values of columns. Only findings that a reader would also notice are counted (`shown.SURE`), because almost every text
has weak findings of every kind.

Texts of one source are not independent. Intervals are therefore Wilson's (1927) for the effective number of texts given
the variance between sources (Korn & Graubard 1998). A score test with variances summed over sources (Liang & Zeger
1986) shows whether a category differs from the rest; p is corrected for the number of categories (Holm 1979).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise
from typing import Any

import numpy as np

from naturalness.arrays import BoolArray, IntArray
from naturalness.english.rules import FAMILIES
from naturalness.explaining.causes import TABLES
from naturalness.explaining.explanation import Finding
from naturalness.explaining.findings import OTHER, WEIGHT_OF_SEVERITY
from naturalness.explaining.places import damaged
from naturalness.explaining.shown import SURE
from naturalness.features.dependency import COMPLEMENTS, RELATIVES
from naturalness.features.rules import rule_checker
from naturalness.reports.raters.judged import Advance, JudgedTexts
from naturalness.statistics.measures import share_ends
from naturalness.statistics.significance import ALPHA, holm
from naturalness.text.matches import checked
from naturalness.text.parsing import parse, short_memory, unusable
from naturalness.text.view import Doc, View, view

CLAUSES = ("ccomp", "csubj", "csubj:pass", "csubj:outer", "advcl", *sorted(RELATIVES))
"""Dependency relations of finite subordinate clauses."""
BESIDE = frozenset({"advmod", "obl", "advcl", "appos", "parataxis", "discourse", "vocative", "dislocated", "nmod"})
"""Dependency relations of phrases that can stand between two commas but are not items of a list."""
NEGATIONS = frozenset({"not", "n't", "n’t", "never", "no", "nobody", "nothing", "none", "neither", "nor"})
BRACKETS, DASHES, QUOTES = frozenset("()[]"), frozenset({"–", "—", "--"}), frozenset({'"', "“", "”", "``", "''"})
MIN_CAPITALISED = 0.75
"""The smallest share of capitalised words for which a line without a full stop counts as a title."""


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence of a view: the indices of its tokens, of its words and of its root."""

    view: View
    tokens: range
    words: list[int]
    root: int

    @property
    def texts(self) -> list[str]:
        """The tokens as typed."""
        return [self.view.texts[i] for i in self.tokens]

    def has(self, *relations: str) -> bool:
        """Return whether the sentence contains any of these dependency relations."""
        return any(self.view.deps[i] in relations for i in self.tokens)

    def root_has(self, *prefixes: str) -> bool:
        """Return whether a relation to the root starts with any of these prefixes."""
        deps, heads = self.view.deps, self.view.heads
        return any(heads[i] == self.root and deps[i].startswith(prefixes) for i in self.tokens)


def sentences_of(view: View) -> Iterator[SentenceView]:
    """Yield the sentences that have words."""
    for (start, end), words in zip(view.sentences, view.sentence_words, strict=True):
        roots = [i for i in range(start, end) if view.heads[i] == i]
        root = next((i for i in roots if i in words), roots[0] if roots else words[0])
        yield SentenceView(view, range(start, end), words, root)


SUBJECTS = ("nsubj", "csubj", "expl")
"""Beginnings of the relations of subjects."""


def is_fragment(sentence: SentenceView) -> bool:
    """Return whether a sentence has no clause: its root is not a verb and has no subject, auxiliary or copula."""
    is_verb = sentence.view.pos[sentence.root] in ("VERB", "AUX")
    return not is_verb and not sentence.root_has("aux", "cop", *SUBJECTS)


def is_title(sentence: SentenceView) -> bool:
    """Return whether a sentence has several words, mostly capitalised, and no closing punctuation."""
    long = [text for i in sentence.words if len(text := sentence.view.texts[i]) > 3]
    capital = sum(text[0].isupper() and not text.isupper() for text in long)
    closed = sentence.texts[-1] in (".", "!", "?", "…")
    return len(long) > 2 and not closed and capital >= MIN_CAPITALISED * len(long)


def is_command(sentence: SentenceView) -> bool:
    """Return whether the root is a bare verb without a subject, an auxiliary or *to*."""
    view, root = sentence.view, sentence.root
    if view.tags[root] != "VB" or sentence.root_has(*SUBJECTS):
        return False
    return not any(
        view.heads[i] == root and (view.tags[i] in ("TO", "MD") or view.deps[i] == "aux") for i in sentence.tokens
    )


def has_insert(sentence: SentenceView) -> bool:
    """Return whether a phrase is set off by brackets, dashes, or two commas that do not separate a list."""
    texts = sentence.texts
    if not BRACKETS.isdisjoint(texts) or sum(text in DASHES for text in texts) > 1:
        return True
    commas = [i for i, text in zip(sentence.tokens, texts, strict=True) if text == ","]
    return any(_hangs_beside(sentence.view, first + 1, last) for first, last in combinations(commas, 2))


def _hangs_beside(view: View, start: int, end: int) -> bool:
    """Return whether the tokens from ``start`` up to ``end``, at most eight, are attached to the rest of the sentence
    by a single arc, not counting punctuation, whose relation is in `BESIDE`.
    """
    leaving = [view.deps[i] for i in range(start, end) if not start <= view.heads[i] < end]
    attached = [relation for relation in leaving if relation != "punct"]
    return 0 < end - start <= 8 and len(attached) == 1 and attached[0] in BESIDE


KINDS: Mapping[str, Mapping[str, Callable[[SentenceView], bool]]] = {
    "clauses": {
        "main clauses only": lambda sentence: not sentence.has(*CLAUSES) and not is_fragment(sentence),
        "subordinate clause": lambda sentence: sentence.has(*CLAUSES),
        "relative clause": lambda sentence: sentence.has(*RELATIVES),
        "adverbial clause": lambda sentence: sentence.has("advcl"),
        "complement clause": lambda sentence: sentence.has(*(COMPLEMENTS - {"xcomp"})),
    },
    "construction": {
        "question": lambda sentence: any(
            sentence.view.texts[i].startswith("?") for i in range(sentence.words[-1], sentence.tokens.stop)
        ),
        "command": is_command,
        "passive": lambda sentence: sentence.has("aux:pass", "nsubj:pass"),
        "coordinated clauses": lambda sentence: any(
            sentence.view.deps[i] == "conj" and sentence.view.pos[i] in ("VERB", "AUX") for i in sentence.tokens
        ),
        "fragment or title": lambda sentence: is_fragment(sentence) or is_title(sentence),
        "insert or parenthesis": has_insert,
        "“there is”": lambda sentence: sentence.has("expl"),
        "negation": lambda sentence: any(sentence.view.lower[i] in NEGATIONS for i in sentence.words),
        "quotation": lambda sentence: not QUOTES.isdisjoint(sentence.texts),
    },
}
"""Functions that test whether a sentence is in a category, keyed by dimension and then by category."""

CONTRACTION = re.compile(r"\w(?:n['’]t|['’](?:s|re|ve|ll|d|m))\b", re.IGNORECASE)
WRITING: Mapping[str, Callable[[str], bool]] = {
    "no capital letter": lambda text: text == text.lower() and any(map(str.isalpha, text)),
    "spaces before punctuation": lambda text: re.search(r"\w [.,;:!?]", text) is not None,
    "no punctuation at the end": lambda text: text.rstrip()[-1:].isalnum(),
    "contractions": lambda text: CONTRACTION.search(text) is not None,
}
"""Functions that test whether a text is typed in some way, keyed by category."""


def kinds_of(view: View) -> set[tuple[str, str]]:
    """Return the dimension and category of each construction in a text."""
    sentences = list(sentences_of(view))
    kinds = {
        (dimension, name)
        for dimension, tests in KINDS.items()
        for name, test in tests.items()
        if any(map(test, sentences))
    }
    if len(sentences) > 1:
        kinds.add(("construction", "several sentences"))
    return kinds


def writing_of(text: str) -> set[tuple[str, str]]:
    """Return the dimension and category of each way of typing that a text shows."""
    return {("writing", name) for name, test in WRITING.items() if test(text)}


BAND_ENDS = (0, 5, 10, 15, 20, 30, 40)
"""The bounds of the length bands: 0, and then the largest number of words in each band."""
FINDING_KINDS: Mapping[str, Sequence[str]] = TABLES["categories"]
"""The kinds of findings in each category; agreement, prepositions and order are categories of Groves et al. (2018)."""
NO_FINDINGS = "nothing found"
DIMENSIONS: Mapping[str, str] = {
    "length": "Length",
    "clauses": "Clauses",
    "construction": "Construction",
    "writing": "Typing",
    "found": "What is odd in the text",
}
"""The titles of the dimensions; any other dimension is a column of the table."""
BATCH = 64


@dataclass(frozen=True, slots=True)
class Category:
    """A category, with a mask of the texts that belong to it."""

    dimension: str
    """One of `DIMENSIONS`, or the name of a column."""
    name: str
    rows: BoolArray


def find_odd(docs: Sequence[Doc]) -> list[list[Finding]]:
    """Return the findings of the rules and of the detector, the only fast sources whose findings have kinds."""
    findings = [list(damaged(doc)) for doc in docs]
    for of_doc, result in zip(findings, checked(rule_checker(), docs), strict=True):
        for match in result.matches:
            kind = FAMILIES.get(match.category, OTHER)
            weight = WEIGHT_OF_SEVERITY[match.severity]
            of_doc.append(Finding(match.start, match.end, "", kind, "", match.message, "rules", weight))
    return findings


def categorise(
    texts: Sequence[str], columns: Mapping[str, Sequence[str]], *, nlp: str, advance: Advance = lambda done, total: None
) -> list[Category]:
    """Return all categories that contain a text, grouped by dimension.

    ``columns`` has additional dimensions, each with one value per text.
    """
    memberships: list[set[tuple[str, str]]] = []
    advance(0, len(texts))
    for start in range(0, len(texts), BATCH):
        part = texts[start : start + BATCH]
        with short_memory(nlp=nlp):
            docs = parse(part, nlp=nlp)
            usable = [doc for doc in docs if not unusable(doc)]
            findings = dict(zip(map(id, usable), find_odd(usable), strict=True))
            memberships += [
                _of_text(text, doc, findings.get(id(doc), ())) for text, doc in zip(part, docs, strict=True)
            ]
            del docs, usable
        advance(len(memberships), len(texts))
    counts, bands = Counter(chain.from_iterable(memberships)), list(map(band, (*BAND_ENDS[1:], BAND_ENDS[-1] + 1)))
    order = list(DIMENSIONS)

    def position(key: tuple[str, str]) -> tuple[Any, ...]:
        dimension, name = key
        return order.index(dimension), bands.index(name) if name in bands else 0, -counts[key], name

    names = sorted(counts, key=position)
    categories = [Category(*key, np.array([key in membership for membership in memberships])) for key in names]
    for column, values in columns.items():
        sizes = Counter(values)
        for value in sorted(sizes, key=lambda v: (-sizes[v], v)):
            categories.append(Category(column, value, np.array([row == value for row in values], dtype=bool)))
    return categories


def _of_text(text: str, doc: Doc, findings: Sequence[Finding]) -> set[tuple[str, str]]:
    parsed = view(doc)
    membership = {("length", band(len(text.split()))), *kinds_of(parsed), *writing_of(text)}
    kinds = {finding.kind for finding in findings if finding.weight >= SURE}
    odd = {("found", name) for name, of_category in FINDING_KINDS.items() if not kinds.isdisjoint(of_category)}
    return membership | (odd or {("found", NO_FINDINGS)})


def band(words: int) -> str:
    """Return the name of the length band that contains a number of words."""
    for low, high in pairwise(BAND_ENDS):
        if words <= high:
            return f"{low + 1}–{high} words"
    return f"over {BAND_ENDS[-1]} words"


MIN_TEXTS = 10
"""A category is tested only if at least this many labelled texts belong to it and at least as many do not."""
WORSE, BETTER = "worse", "better"


@dataclass(frozen=True, slots=True)
class Rate:
    """The errors in a category. Shares are 0..1, and NaN if no text is labelled."""

    dimension: str
    name: str
    texts: int
    """The number of labelled texts."""
    errors: int
    rate: float
    """The share of texts whose predicted label differs from the raters' label."""
    low: float
    high: float
    too_high: float
    """The share of texts that get a better label than the raters gave; with two labels, they are falsely natural."""
    too_low: float
    """The share of texts that get a worse label than the raters gave; with two labels, they are falsely unnatural."""
    rest: float
    """The error rate of all texts outside the category."""
    p: float
    """The p-value of the difference from the rest, corrected for the number of categories; NaN if not tested."""
    verdict: str = ""
    """``worse`` or ``better`` if the category differs significantly from the rest, else empty."""


def find_rates(judged: JudgedTexts, categories: Sequence[Category]) -> tuple[Rate, ...]:
    """Return the error rate of all texts, named ``all``, and the error rate of each category.

    Categories to which all labelled texts belong, or none, are left out.
    """
    known, groups = judged.known, judged.data.groups
    everything = np.ones(len(known), dtype=bool)
    rates = [_rate(judged, Category("all", "all", everything))]
    ps: list[float] = []
    for category in categories:
        if not (category.rows & known).any() or not (~category.rows & known).any():
            continue
        rates.append(_rate(judged, category))
        inside = category.rows[known]
        ps.append(p_of_difference(judged.wrong[known], inside, groups[known]))
    corrected = [math.nan, *holm(ps)]
    pairs = zip(rates, corrected, strict=True)
    return tuple(replace(rate, p=p, verdict=_verdict(rate, p)) for rate, p in pairs)


def _rate(judged: JudgedTexts, category: Category) -> Rate:
    rows, rest = category.rows & judged.known, ~category.rows & judged.known
    n, wrong = int(rows.sum()), judged.wrong[rows].astype(np.float64)
    return Rate(
        category.dimension,
        category.name,
        n,
        int(wrong.sum()),
        _share(judged.wrong, rows),
        *share_ends(wrong, judged.data.groups[rows]),
        too_high=_share(judged.too_high, rows),
        too_low=_share(judged.too_low, rows),
        rest=_share(judged.wrong, rest),
        p=math.nan,
    )


def _share(what: BoolArray, rows: BoolArray) -> float:
    return float(what[rows].mean()) if rows.any() else math.nan


def _verdict(rate: Rate, p: float) -> str:
    if math.isnan(p) or p >= ALPHA:
        return ""
    return WORSE if rate.rate > rate.rest else BETTER


def p_of_difference(wrong: BoolArray, inside: BoolArray, groups: IntArray) -> float:
    """Return the two-sided p-value of the difference between the error rates inside and outside a category; NaN for
    too few texts.
    """
    n, m = int(inside.sum()), int((~inside).sum())
    if n < MIN_TEXTS or m < MIN_TEXTS or wrong.all() or not wrong.any():
        return math.nan
    pull = (inside - inside.mean()) * (wrong - wrong.mean())
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], weights=pull)
    variance = float((sums**2).sum())
    return math.erfc(abs(float(pull.sum())) / math.sqrt(2 * variance)) if variance else math.nan
