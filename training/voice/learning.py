"""Choose items, learn their weights, and fit the terms of a logistic model to sums that the weights have not seen."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from naturalness.arrays import FloatArray
from naturalness.english.constructions import constructions, find_constructions, token_lines
from naturalness.models.voice import EVENNESS, PHRASES, USUAL_WORDS, WORDS, evenness_of
from training.tables import read_table
from training.voice.counting import candidates, count, names, spread
from training.voice.texts import Paragraph, part_of

KINDS = read_table(__file__, "sources.toml")["kinds"]
EMPHASIS = read_table(__file__, "sources.toml")["emphasis"]
N_ITEMS = 20_000
MIN_OVER, MIN_KINDS, MIN_MODELS, MIN_SOURCES = 0.15, 3, 10, 12
"""Log-ratio from which an item is over-represented in a kind; kinds in which it must be; series of models, or sources
of people, that must have it."""
MIN_COUNT = 4
"""Occurrences in a group that count."""
MIN_FAMILIES = 0.6
"""Share of the families of prompts in which an item of chat models must be over-represented."""
MIN_SPREAD, MIN_SOURCE_SPREAD = 0.7, 0.75
"""Least `spread` over prompts for items of chat models, and over sources for items of people."""
MIN_KIND_TEXTS = 150
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
    """Paragraphs and what is measured on them, row by row."""

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


def measure(paragraphs: Sequence[Paragraph], n_teaching: int) -> tuple[Table, set[str]]:
    """Measure paragraphs; the first ``n_teaching`` provide the candidate items. Also return the words left out."""
    lines = [token_lines(paragraph.text) for paragraph in paragraphs]
    excluded = names(paragraphs[:n_teaching], lines[:n_teaching])
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
        keys = [
            (f"{p.family}|{p.kind}", p.model) if machine else (p.name, "") for p in paragraphs if p.machine == machine
        ]
        share = np.ones(side.sum())
        for column, power in ((0, -0.5), (1, -0.3)):
            _, index, n = np.unique([key[column] for key in keys], return_inverse=True, return_counts=True)
            share *= (n.astype(float) ** power)[index]
        share *= [EMPHASIS.get(key, 1.0) for key, _ in keys]
        shares[side] = share / share.sum() * len(rows) / 2
    return shares


def choose(table: Table, rows: Rows) -> Rows:
    """Return the items to learn: over-represented on one side in several kinds, by many, and not in a few places."""
    machine, texts = table.column("machine")[rows], table.counts[rows]
    kinds, families = kinds_of(table, rows), table.column("family")[rows]
    over, under = _groups_over(table, rows, kinds)
    in_families, _ = _groups_over(table, rows, np.where(machine, families, ""))
    present = csr_matrix((texts > 0).astype(np.float32))
    series, n_series = _groups_with(present[machine], table.column("model")[rows][machine])
    sources, _ = _groups_with(present[~machine], table.column("name")[rows][~machine])
    by_prompt = spread(present[machine], table.column("unit")[rows][machine])
    by_source = spread(present[~machine], table.column("name")[rows][~machine])
    models = (over >= MIN_KINDS) & (series >= min(MIN_MODELS, 0.4 * n_series)) & (over >= under)
    models &= (in_families >= MIN_FAMILIES * len(np.unique(families[machine]))) & (by_prompt >= MIN_SPREAD)
    people = (under >= MIN_KINDS) & (sources >= MIN_SOURCES) & (under >= over) & (by_source >= MIN_SOURCE_SPREAD)
    fit = np.flatnonzero(models | people)
    weights = fit_items(table, rows, fit, sample_weights(table, rows))
    importance = np.abs(weights) * np.sqrt(np.asarray(present[:, fit].sum(axis=0)).ravel())
    return np.sort(fit[np.argsort(-importance, kind="stable")[:N_ITEMS]])


def kinds_of(table: Table, rows: Rows) -> np.ndarray:
    """Return the kind of each text; registers of people count as the kind that is nearest."""
    return np.array([KINDS.get(table.paragraphs[i].kind, table.paragraphs[i].kind) for i in rows])


def _groups_over(table: Table, rows: Rows, kind: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return, per item, the number of groups in which chat models have it more often, and less often, than people.

    Groups of which people have few texts are compared with all of people's texts.
    """
    machine, tokens = table.column("machine")[rows], table.tokens[rows]
    counts = table.counts[rows]

    def rates(side: np.ndarray) -> tuple[FloatArray, float]:
        return np.asarray(counts[side].sum(axis=0)).ravel(), float(tokens[side].sum())

    every = {side: rates(machine == side) for side in (True, False)}
    prior = PRIOR_TOKENS * sum(n / total for n, total in every.values()) / 2
    over, under = np.zeros(len(prior), int), np.zeros(len(prior), int)
    for name in np.unique(kind[machine]):
        sides = machine & (kind == name), ~machine & (kind == name)
        if sides[0].sum() < MIN_KIND_TEXTS:
            continue
        (a, m), (b, n) = rates(sides[0]), rates(sides[1]) if sides[1].sum() >= MIN_KIND_TEXTS else every[False]
        ratio = np.log(np.maximum(a + prior, 1e-9) / (m + PRIOR_TOKENS)) - np.log(
            np.maximum(b + prior, 1e-9) / (n + PRIOR_TOKENS)
        )
        over += (ratio > MIN_OVER) & (a >= MIN_COUNT)
        under += (ratio < -MIN_OVER) & (b >= MIN_COUNT)
    return over, under


def _groups_with(present: csr_matrix, labels: np.ndarray) -> tuple[np.ndarray, int]:
    """Return, per item, the number of labels whose texts contain it, and the number of labels."""
    names_, index = np.unique(labels, return_inverse=True)
    groups = csr_matrix((np.ones(len(index), np.float32), (index, np.arange(len(index)))))
    return np.asarray(((groups @ present) > 0).sum(axis=0)).ravel(), len(names_)
