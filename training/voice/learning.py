"""Choose items, learn their weights, and fit the terms of a logistic model to sums that the weights have not seen."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from naturalness.arrays import FloatArray
from naturalness.english.constructions import constructions, find_constructions, token_lines
from naturalness.errors import TrainingError
from naturalness.models.voice import EVENNESS, PHRASES, USUAL_WORDS, WORDS, evenness_of
from training.voice.counting import candidates, count, names, spread
from training.voice.texts import Paragraph, part_of

N_ITEMS = 20_000
MIN_OVER = 0.15
"""Log-ratio from which an item is over-represented in a kind."""
MIN_KINDS, MIN_MODELS, MIN_SHARE = 3, 10, 0.4
"""Kinds in which an item must be over-represented; series of models that must have an item of chat models; and the
share of kinds and series that suffices if these are few."""
MIN_SOURCES, MIN_SOURCE_SHARE = 12, 0.6
"""Sources that must have an item of people, and the share of them that suffices if they are few."""
MIN_COUNT = 4
"""Occurrences in a group that count."""
MIN_FAMILIES = 0.6
"""Share of the families of prompts in which an item of chat models must be over-represented."""
MIN_SPREAD, MIN_SOURCE_SPREAD = 0.7, 0.75
"""Least `spread` over prompts for items of chat models, and over sources for items of people."""
MIN_KIND_TEXTS = 150
"""Texts of chat models that a kind or family must have to count; half as many as the largest has suffice."""
PRIOR_TOKENS = 20_000.0
"""Tokens at the mean rate that are added to the counts of each kind."""
PENALTY = 0.3
"""Inverse strength of the ridge penalty."""
HEAD_PENALTY = 100.0
INNER_FOLDS = 2
USUAL_EVENNESS = 0.5
NAMES = [construction.name for construction in constructions()]
Rows = np.ndarray


class Table(NamedTuple):
    """Paragraphs and their measurements, row by row."""

    paragraphs: Sequence[Paragraph]
    items: Sequence[str]
    counts: csr_matrix
    constructions: FloatArray
    evenness: FloatArray
    words: FloatArray
    tokens: FloatArray
    sentences: FloatArray

    def column(self, name: str) -> np.ndarray:
        """Return an attribute of all paragraphs."""
        return np.array([getattr(paragraph, name) for paragraph in self.paragraphs])


def measure(paragraphs: Sequence[Paragraph], n_teaching: int, topics: Collection[str] = ()) -> tuple[Table, set[str]]:
    """Measure paragraphs; the first ``n_teaching`` provide the candidate items.

    Also return the words that no item contains: names and ``topics``.
    """
    lines = [token_lines(paragraph.text) for paragraph in paragraphs]
    excluded = names(paragraphs[:n_teaching], lines[:n_teaching]).union(topics)
    items = candidates(lines[:n_teaching], excluded)
    table = np.zeros((len(lines), len(NAMES)))
    for i, read in enumerate(lines):
        for name, _, _ in find_constructions(read):
            table[i, NAMES.index(name)] += 1
    evenness = np.nan_to_num(np.array([evenness_of(read) for read in lines]), nan=USUAL_EVENNESS)
    numbers = [(read.n_words, len(read.tokens), len(read.starts)) for read in lines]
    words, tokens, sentences = np.array(numbers, float).T
    return Table(paragraphs, items, count(lines, items), table, evenness, words, tokens, sentences), excluded


class Learned(NamedTuple):
    """Items, their weights and the slopes of the terms; positive for chat models."""

    chosen: Rows
    """Indices of the chosen items in the table."""
    weights: FloatArray
    base: float
    slopes: dict[str, float]
    growth: dict[str, float]

    def log_odds(self, table: Table, rows: Rows) -> FloatArray:
        """Return the log-odds of chat models."""
        sums = _sums(table, rows, self.chosen, self.weights)
        slopes = np.array([self.slopes[name] for name in (WORDS, PHRASES)])
        growth = np.array([self.growth[name] for name in (WORDS, PHRASES)])
        rest = np.array([self.slopes[name] for name in (*NAMES, EVENNESS)])
        grown = np.array([self.growth[name] for name in (*NAMES, EVENNESS)])
        longer, terms = _longer(table, rows), _rest(table, rows)
        by_length = slopes + growth * longer[:, None]
        values: FloatArray = self.base + (sums * by_length).sum(axis=1) + terms @ rest + (terms @ grown) * longer
        return values


def learn(table: Table, rows: Rows, teaching: Rows) -> Learned:
    """Learn from ``rows``; items are chosen on those of them in ``teaching``, whole paragraphs."""
    chosen = choose(table, np.intersect1d(rows, teaching))
    share = sample_weights(table, rows)
    machine = table.column("machine")[rows]
    fold = np.array([part_of(table.paragraphs[i].unit, INNER_FOLDS, "inner") for i in rows])
    sums = np.zeros((len(rows), 2))
    for k in range(INNER_FOLDS):
        weights = fit_items(table, rows[fold != k], chosen, share[fold != k])
        sums[fold == k] = _sums(table, rows[fold == k], chosen, weights)
    longer = _longer(table, rows)[:, None]
    # Length itself is no evidence: it is fitted, so that no other term stands for it, and then dropped.
    rest = _rest(table, rows)
    inputs = np.hstack([longer, longer**2, sums, rest, sums * longer, rest * longer])
    head = LogisticRegression(C=HEAD_PENALTY, max_iter=2000).fit(inputs, machine, sample_weight=share)
    slopes = head.coef_[0].tolist()[2:]
    terms = WORDS, PHRASES, *NAMES, EVENNESS
    return Learned(
        chosen,
        fit_items(table, rows, chosen, share),
        float(head.intercept_[0]),
        dict(zip(terms, slopes[: len(terms)], strict=True)),
        dict(zip(terms, slopes[len(terms) :], strict=True)),
    )


def _longer(table: Table, rows: Rows) -> FloatArray:
    return np.log(np.maximum(table.words[rows], 1) / USUAL_WORDS)


def _rest(table: Table, rows: Rows) -> FloatArray:
    """Return the terms that have no weights: constructions and evenness."""
    scaled = table.constructions[rows] / np.sqrt(np.maximum(table.tokens[rows], 1))[:, None]
    return np.c_[scaled, table.evenness[rows] - USUAL_EVENNESS]


def _damped(table: Table, rows: Rows, chosen: Rows) -> csr_matrix:
    """Return damped counts over the square root of the length."""
    values = csr_matrix(table.counts[rows][:, chosen])
    values.data = 1 + np.log(values.data)
    return csr_matrix(diags(1 / np.sqrt(np.maximum(table.tokens[rows], 1))) @ values)


def _sums(table: Table, rows: Rows, chosen: Rows, weights: FloatArray) -> FloatArray:
    values = _damped(table, rows, chosen)
    single = np.array([" " not in table.items[i] for i in chosen])
    return np.c_[values @ (weights * single), values @ (weights * ~single)]


def fit_items(table: Table, rows: Rows, chosen: Rows, share: FloatArray) -> FloatArray:
    """Return the weight of each item, by a ridge logistic regression on idf-weighted damped counts."""
    values = _damped(table, rows, chosen)
    texts = np.asarray((values > 0).sum(axis=0)).ravel()
    idf = np.log(len(rows) / (1 + np.minimum(texts, len(rows) - 2)))
    model = LogisticRegression(C=PENALTY, max_iter=80, tol=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(csr_matrix(values @ diags(idf)), table.column("machine")[rows], sample_weight=share)
    weights: FloatArray = model.coef_[0] * idf
    return weights


def sample_weights(table: Table, rows: Rows) -> FloatArray:
    """Return weights under which both sides count the same, and frequent sources, kinds and models count less."""
    shares = np.zeros(len(rows))
    paragraphs = [table.paragraphs[i] for i in rows]
    for machine in (True, False):
        side = np.array([paragraph.machine == machine for paragraph in paragraphs])
        own = [paragraph for paragraph in paragraphs if paragraph.machine == machine]
        share = np.ones(len(own))
        for labels, power in (([each.source for each in own], -0.5), ([each.model for each in own], -0.3)):
            _, index, n = np.unique(labels, return_inverse=True, return_counts=True)
            share *= (n.astype(float) ** power)[index]
        share *= [each.emphasis for each in own]
        shares[side] = share / share.sum() * len(rows) / 2
    return shares


def choose(table: Table, rows: Rows) -> Rows:
    """Return the items to learn, over-represented on one side in several kinds and in many models or sources."""
    machine, texts = table.column("machine")[rows], table.counts[rows]
    over, under, n_kinds = _groups_over(table, rows, table.column("kind")[rows])
    in_families, _, n_families = _groups_over(table, rows, np.where(machine, table.column("family")[rows], ""))
    present = csr_matrix((texts > 0).astype(np.float32))
    series, n_series = _groups_with(present[machine], table.column("model")[rows][machine])
    sources, n_sources = _groups_with(present[~machine], table.column("source")[rows][~machine])
    by_prompt = spread(present[machine], table.column("unit")[rows][machine])
    by_source = spread(present[~machine], table.column("source")[rows][~machine])
    kinds = min(MIN_KINDS, MIN_SHARE * n_kinds)
    models = (over >= kinds) & (series >= min(MIN_MODELS, MIN_SHARE * n_series)) & (over >= under)
    models &= (in_families >= MIN_FAMILIES * n_families) & (by_prompt >= MIN_SPREAD)
    people = (under >= kinds) & (sources >= min(MIN_SOURCES, MIN_SOURCE_SHARE * n_sources)) & (under >= over)
    people &= by_source >= MIN_SOURCE_SPREAD
    fit = np.flatnonzero(models | people)
    if not len(fit):
        raise TrainingError(
            "no word or phrase is more frequent on one side for several prompts and sources; expected two piles that "
            "are phrased differently; add texts"
        )
    weights = fit_items(table, rows, fit, sample_weights(table, rows))
    importance = np.abs(weights) * np.sqrt(np.asarray(present[:, fit].sum(axis=0)).ravel())
    return np.sort(fit[np.argsort(-importance, kind="stable")[:N_ITEMS]])


def _groups_over(table: Table, rows: Rows, kind: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return, per item, the number of groups in which chat models have it more often, and less often, than people.

    Groups of which people have few texts are compared with all of people's texts. Also return the number of groups that
    are large enough to count.
    """
    machine, tokens = table.column("machine")[rows], table.tokens[rows]
    counts = table.counts[rows]

    def rates(side: np.ndarray) -> tuple[FloatArray, float]:
        return np.asarray(counts[side].sum(axis=0)).ravel(), float(tokens[side].sum())

    every = {side: rates(machine == side) for side in (True, False)}
    prior = PRIOR_TOKENS * sum(n / total for n, total in every.values()) / 2
    over, under = np.zeros(len(prior), int), np.zeros(len(prior), int)
    labels, sizes = np.unique(kind[machine], return_counts=True)
    least = min(MIN_KIND_TEXTS, sizes.max() / 2)
    large = labels[sizes >= least]
    for name in large:
        sides = machine & (kind == name), ~machine & (kind == name)
        (a, m), (b, n) = rates(sides[0]), rates(sides[1]) if sides[1].sum() >= least else every[False]
        ratio = np.log(np.maximum(a + prior, 1e-9) / (m + PRIOR_TOKENS)) - np.log(
            np.maximum(b + prior, 1e-9) / (n + PRIOR_TOKENS)
        )
        over += (ratio > MIN_OVER) & (a >= MIN_COUNT)
        under += (ratio < -MIN_OVER) & (b >= MIN_COUNT)
    return over, under, len(large)


def _groups_with(present: csr_matrix, labels: np.ndarray) -> tuple[np.ndarray, int]:
    """Return, per item, the number of labels whose texts contain it, and the number of labels."""
    names_, index = np.unique(labels, return_inverse=True)
    groups = csr_matrix((np.ones(len(index), np.float32), (index, np.arange(len(index)))))
    return np.asarray(((groups @ present) > 0).sum(axis=0)).ravel(), len(names_)
