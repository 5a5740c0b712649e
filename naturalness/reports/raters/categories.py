"""Which categories each text is in, and in which of them the model and the raters disagree clearly more often.

Groves, Tian & Douratsos (2018) name what misled their classifier: subordinate clauses, inserts
("I shall, of course, …"), fragments and titles. These are found here from the parse, with a few more that a
reader knows by name; a text is in a category if any of its sentences is. Other categories are length, how a
text is typed, what is odd in it, and the values of columns. Of a text's findings only those count that a reader
would see, too (`explanation.SURE`): with the faint ones every text would have all.

Texts of one source are not independent. An interval is Wilson's (1927) for as many texts as the variance over
sources is worth (Korn & Graubard 1998). Whether a category differs from the rest is tested by a score test whose
variance is summed over sources (Liang & Zeger 1986), and the probabilities of all categories are corrected for
their number (Holm 1979).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from naturalness.arrays import BoolArray, IntArray
from naturalness.explaining.explanation import Finding
from naturalness.explaining.findings import OF_RULES, OTHER, SEVERE
from naturalness.explaining.places import by_detector
from naturalness.explaining.shown import SURE
from naturalness.features.dependency import COMPLEMENTS, RELATIVES
from naturalness.features.rules import rule_checker
from naturalness.reports.raters.judged import Advance, JudgedTexts
from naturalness.statistics.measures import effective, wilson
from naturalness.statistics.significance import ALPHA, holm
from naturalness.text.matches import checked
from naturalness.text.parsing import parse, short_memory, unusable
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

CLAUSES = ("ccomp", "csubj", "csubj:pass", "csubj:outer", "advcl", *sorted(RELATIVES))
"""Relations of subordinate clauses; infinitives and participles are not among them."""
BESIDE = frozenset({"advmod", "obl", "advcl", "appos", "parataxis", "discourse", "vocative", "dislocated", "nmod"})
"""Relations of what can stand between two commas without being part of a list."""
NEGATIONS = frozenset({"not", "n't", "n’t", "never", "no", "nobody", "nothing", "none", "neither", "nor"})
BRACKETS, DASHES, QUOTES = frozenset("()[]"), frozenset({"–", "—", "--"}), frozenset({'"', "“", "”", "``", "''"})
MIN_CAPITALISED = 0.75
"""Share of capitalised words from which a line without a full stop is a title."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a view: its tokens from ``start`` to ``end``, its words, its root."""

    view: View
    start: int
    end: int
    words: list[int]
    root: int

    @property
    def tokens(self) -> range:
        """Numbers of its tokens."""
        return range(self.start, self.end)

    def relations(self) -> set[str]:
        """Return the dependency relations in the sentence."""
        return {self.view.deps[i] for i in self.tokens}


def sentences_of(view: View) -> Iterator[Sentence]:
    """Yield the sentences that have words."""
    for (start, end), words in zip(view.sentences, view.sentence_words, strict=True):
        roots = [i for i in range(start, end) if view.heads[i] == i]
        root = next((i for i in roots if i in words), roots[0] if roots else words[0])
        yield Sentence(view, start, end, words, root)


def has_subject(sentence: Sentence) -> bool:
    """Tell whether the root has a subject."""
    deps, heads = sentence.view.deps, sentence.view.heads
    return any(heads[i] == sentence.root and deps[i].startswith(("nsubj", "csubj", "expl")) for i in sentence.tokens)


def is_fragment(sentence: Sentence) -> bool:
    """Tell whether a sentence has no clause: its root is no verb and has no subject, auxiliary or copula."""
    view = sentence.view
    if view.pos[sentence.root] in ("VERB", "AUX"):
        return False
    helped = any(view.heads[i] == sentence.root and view.deps[i].startswith(("aux", "cop")) for i in sentence.tokens)
    return not helped and not has_subject(sentence)


def is_title(sentence: Sentence) -> bool:
    """Tell whether several words, most of them capitalised, stand without closing punctuation."""
    texts = [sentence.view.texts[i] for i in sentence.words]
    long = [text for text in texts if len(text) > 3]
    closed = sentence.view.texts[sentence.end - 1] in (".", "!", "?", "…")
    capital = sum(text[0].isupper() and not text.isupper() for text in long)
    return len(long) > 2 and not closed and capital >= MIN_CAPITALISED * len(long)


def is_subordinate(sentence: Sentence) -> bool:
    """Tell whether a finite clause is part of another."""
    return not sentence.relations().isdisjoint(CLAUSES)


def is_main_only(sentence: Sentence) -> bool:
    """Tell whether a clause has no subordinate one."""
    return not is_subordinate(sentence) and not is_fragment(sentence)


def is_coordinated(sentence: Sentence) -> bool:
    """Tell whether clauses or verb phrases are joined by *and*, *or* or *but*."""
    view = sentence.view
    return any(view.deps[i] == "conj" and view.pos[i] in ("VERB", "AUX") for i in sentence.tokens)


def is_question(sentence: Sentence) -> bool:
    """Tell whether a sentence ends with a question mark."""
    return any(sentence.view.texts[i].startswith("?") for i in range(sentence.words[-1], sentence.end))


def is_command(sentence: Sentence) -> bool:
    """Tell whether the root is a bare verb without subject or *to*."""
    view = sentence.view
    if view.tags[sentence.root] != "VB" or has_subject(sentence):
        return False
    return not any(
        view.heads[i] == sentence.root and (view.tags[i] in ("TO", "MD") or view.deps[i] == "aux")
        for i in sentence.tokens
    )


def has_insert(sentence: Sentence) -> bool:
    """Tell whether something stands in brackets, between dashes, or between two commas outside a list."""
    texts = sentence.view.texts
    inside = [texts[i] for i in sentence.tokens]
    if any(text in BRACKETS for text in inside) or sum(text in DASHES for text in inside) > 1:
        return True
    commas = [i for i in sentence.tokens if texts[i] == ","]
    return any(_hangs_beside(sentence, first + 1, last) for first in commas for last in commas if first < last)


def _hangs_beside(sentence: Sentence, start: int, end: int) -> bool:
    """Tell whether the tokens from ``start`` to ``end`` are attached by a single arc of `BESIDE`."""
    if not 0 < end - start <= 8:
        return False
    leaving = [i for i in range(start, end) if not start <= sentence.view.heads[i] < end]
    attached = [i for i in leaving if sentence.view.deps[i] != "punct"]
    return len(attached) == 1 and sentence.view.deps[attached[0]] in BESIDE


def has_relation(*names: str) -> Callable[[Sentence], bool]:
    """Return a test for any of these relations in a sentence."""
    relations = frozenset(names)
    return lambda sentence: not sentence.relations().isdisjoint(relations)


KINDS: Mapping[str, Mapping[str, Callable[[Sentence], bool]]] = {
    "clauses": {
        "main clauses only": is_main_only,
        "subordinate clause": is_subordinate,
        "relative clause": has_relation(*RELATIVES),
        "adverbial clause": has_relation("advcl"),
        "complement clause": has_relation(*(COMPLEMENTS - {"xcomp"})),
    },
    "construction": {
        "question": is_question,
        "command": is_command,
        "passive": has_relation("aux:pass", "nsubj:pass"),
        "coordinated clauses": is_coordinated,
        "fragment or title": lambda sentence: is_fragment(sentence) or is_title(sentence),
        "insert or parenthesis": has_insert,
        "“there is”": has_relation("expl"),
        "negation": lambda sentence: any(sentence.view.lower[i] in NEGATIONS for i in sentence.words),
        "quotation": lambda sentence: any(sentence.view.texts[i] in QUOTES for i in sentence.tokens),
    },
}
"""By dimension and name, what a sentence must be."""

CONTRACTION = re.compile(r"\w(?:n['’]t|['’](?:s|re|ve|ll|d|m))\b", re.IGNORECASE)
WRITING: Mapping[str, Callable[[str], bool]] = {
    "no capital letter": lambda text: text == text.lower() and any(map(str.isalpha, text)),
    "spaces before punctuation": lambda text: re.search(r"\w [.,;:!?]", text) is not None,
    "no punctuation at the end": lambda text: text.rstrip()[-1:].isalnum(),
    "contractions": lambda text: CONTRACTION.search(text) is not None,
}
"""How a text is typed."""


def kinds_of(view: View) -> set[tuple[str, str]]:
    """Return dimension and name of all constructions in a text, and whether it has several sentences."""
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
    """Return how a text is typed."""
    return {("writing", name) for name, test in WRITING.items() if test(text)}


BAND_ENDS = (0, 5, 10, 15, 20, 30, 40)
"""Words at which the bands of length end."""
FINDING_KINDS: Mapping[str, tuple[str, ...]] = {
    "agreement": ("agreement", "noun"),
    "verb form": ("verb",),
    "preposition": ("preposition",),
    "article or pronoun": ("article", "pronoun"),
    "word order": ("order",),
    "missing word": ("missing", "fragment"),
    "extra or repeated word": ("extra", "repeated"),
    "choice of word": ("wrong", "form"),
    "spelling": ("spelling",),
    "joined sentences": ("join",),
}
"""What is found, by kinds of findings; Groves et al. (2018) name agreement, prepositions, order."""
NO_FINDINGS = "nothing found"
BATCH = 64
Find = Callable[[Sequence["Doc"]], Sequence[Sequence[Finding]]]
"""What finds odd places in Docs."""


@dataclass(frozen=True, slots=True)
class Category:
    """A set of texts."""

    dimension: str
    """``length``, ``clauses``, ``construction``, ``writing``, ``found`` or a column's name."""
    name: str
    rows: BoolArray


def find_odd(docs: Sequence[Doc]) -> list[list[Finding]]:
    """Return what rules and detector find: of the sources of `explaining.findings`, those that name a kind
    and cost little.
    """
    findings = [list(by_detector(doc)) for doc in docs]
    for of_doc, result in zip(findings, checked(rule_checker(), docs), strict=True):
        for match in result.matches:
            kind = OF_RULES.get(match.category, OTHER)
            weight = SEVERE[match.severity]
            of_doc.append(Finding(match.start, match.end, "", kind, "", match.message, "rules", weight))
    return findings


def categorise(
    texts: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    *,
    nlp: str,
    finder: Find = find_odd,
    advance: Advance = lambda done, total: None,
) -> list[Category]:
    """Return all categories that at least one text is in, dimension by dimension.

    ``columns`` are further dimensions: a value per text, by name of the column.
    """
    memberships: list[set[tuple[str, str]]] = []
    advance(0, len(texts))
    for start in range(0, len(texts), BATCH):
        part = texts[start : start + BATCH]
        with short_memory(nlp=nlp):
            docs = parse(part, nlp=nlp)
            memberships += [_of_text(*row) for row in zip(part, docs, _usable_findings(docs, finder), strict=True)]
            del docs
        advance(len(memberships), len(texts))
    categories = _collected(memberships, _order())
    for column, values in columns.items():
        counts = Counter(values)
        for value in sorted(counts, key=lambda v: (-counts[v], v)):
            rows = np.array([row == value for row in values], dtype=bool)
            categories.append(Category(column, value, rows))
    return categories


def _usable_findings(docs: Sequence[Doc], finder: Find) -> list[Sequence[Finding]]:
    """Return the findings of each Doc; none where it cannot be judged."""
    usable = [i for i, doc in enumerate(docs) if not unusable(doc)]
    findings: list[Sequence[Finding]] = [()] * len(docs)
    for i, of_doc in zip(usable, finder([docs[i] for i in usable]) if usable else (), strict=True):
        findings[i] = of_doc
    return findings


def _of_text(text: str, doc: Doc, findings: Sequence[Finding]) -> set[tuple[str, str]]:
    parsed = view(doc)
    membership = {("length", band(len(text.split()))), *kinds_of(parsed), *writing_of(text)}
    kinds = {finding.kind for finding in findings if finding.weight >= SURE}
    odd = {
        ("found", name) for name, kinds_of_findings in FINDING_KINDS.items() if not kinds.isdisjoint(kinds_of_findings)
    }
    return membership | (odd or {("found", NO_FINDINGS)})


def band(words: int) -> str:
    """Return the band of a length in words."""
    for low, high in pairwise(BAND_ENDS):
        if words <= high:
            return f"{low + 1}–{high} words"
    return f"over {BAND_ENDS[-1]} words"


def _order() -> dict[tuple[str, str], int]:
    """Return the order of bands of length; other categories follow as they come."""
    bands = [("length", band(end)) for end in (*BAND_ENDS[1:], BAND_ENDS[-1] + 1)]
    return {name: i for i, name in enumerate(bands)}


def _collected(
    memberships: Sequence[Iterable[tuple[str, str]]], order: Mapping[tuple[str, str], int]
) -> list[Category]:
    """Return the texts of each category from the categories of each text, the largest first."""
    rows: dict[tuple[str, str], list[int]] = {}
    for row, membership in enumerate(memberships):
        for key in membership:
            rows.setdefault(key, []).append(row)
    dimensions = ("length", "clauses", "construction", "writing", "found")
    names = sorted(rows, key=lambda n: (dimensions.index(n[0]), order.get(n, 0), -len(rows[n]), n[1]))
    categories = []
    for dimension, name in names:
        inside = np.zeros(len(memberships), dtype=bool)
        inside[rows[dimension, name]] = True
        categories.append(Category(dimension, name, inside))
    return categories


MIN_TEXTS = 10
"""Labelled texts in a category, and outside it, under which nothing is tested."""
WORSE, BETTER = "worse", "better"


@dataclass(frozen=True, slots=True)
class Rate:
    """Disagreements in a category; shares are 0..1, NaN where no text has a label."""

    dimension: str
    name: str
    texts: int
    """With a label."""
    errors: int
    rate: float
    """Share of texts whose predicted label is not that of the raters."""
    low: float
    high: float
    too_high: float
    """Share with a better predicted label than the raters' (falsely natural)."""
    too_low: float
    """Share with a worse one."""
    rest: float
    """Error rate of all other texts."""
    p: float
    """That it differs from the rest by chance, corrected for all categories; NaN if not tested."""
    verdict: str = ""
    """``worse`` or ``better`` than the rest where that is clear."""


def find_rates(judged: JudgedTexts, categories: Sequence[Category]) -> tuple[Rate, ...]:
    """Return the rate over all texts, named ``all``, then those of categories with texts inside and outside."""
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
    low = high = math.nan
    if n:
        weight = effective(wrong, judged.data.groups[rows])
        low, high = wilson(float(wrong.mean()) * weight, weight)
    return Rate(
        category.dimension,
        category.name,
        n,
        int(wrong.sum()),
        _share(judged.wrong, rows),
        low,
        high,
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
    """Return the two-sided p, 0..1, of a difference in error rates; NaN where there are too few texts."""
    n, m = int(inside.sum()), int((~inside).sum())
    if n < MIN_TEXTS or m < MIN_TEXTS or wrong.all() or not wrong.any():
        return math.nan
    pull = (inside - inside.mean()) * (wrong - wrong.mean())
    sums = np.bincount(np.unique(groups, return_inverse=True)[1], weights=pull)
    variance = float((sums**2).sum())
    return math.erfc(abs(float(pull.sum())) / math.sqrt(2 * variance)) if variance else math.nan
