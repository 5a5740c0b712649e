"""SLOR by language models of other sizes and domains: what a small corpus of the domain is worth.

The authors of SLOR ask for it. Models of words and of word pieces are trained with
the package's own estimator. A corpus of N words is a draw of lines from whole registers; of two
draws of the same registers the smaller is part of the larger. The nearest there is to the domain of
SFHOTEL, SFREST and E2E is text that people wrote for the same kind of input: the references. Each
text is scored by a model of the references of other sources (five folds), none of which is also a
reference of the text's own fold.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from spacy.tokens import Doc

from benchmarks.report import markdown_table
from naturalness.arrays import FloatArray
from naturalness.metrics.base import ComputedMetric
from naturalness.metrics.slor import FORMULAS, likelihood_metric
from naturalness.models.language.base import LanguageModel
from naturalness.models.language.spec import open_single
from naturalness.models.language.training import Recipe, train_language_model
from naturalness.statistics.folds import folds
from naturalness_replication.mixture import Mixture
from naturalness_replication.papers.compared import ComparedTexts, as_data, figures, shown
from naturalness_replication.papers.slor_learned import PageSection
from training.language.corpora import REGISTERS, sentences

SIZES = {"words": (10_000, 100_000, 1_000_000), "pieces": (10_000, 100_000, 1_000_000)}
MEASURES = {"WordSLOR": ("words", "slor"), "WordNCE": ("words", "nce"), "WPSLOR": ("pieces", "slor")}
"""Units and formula."""
OTHER_INPUTS, HALF = "references of other inputs", "references and shipped, half and half"
SAME = 1_000_000
CORPORA = (
    *((register, SAME) for register in ("dialogues", "podcasts", "books", "wikipedia")),
    ("dialogues", 2_000_000),
    ("wikipedia", 4_000_000),
)
WITH_OWN = ("SFHOTEL", "SFREST", "E2E")
FOLDS = 5
SEED = 0
Sets = Mapping[str, tuple[ComparedTexts, "list[Doc]"]]
NOTE_SIZE = """## Size of the corpus

Pearson correlation with ratings, by the number of words in the language model's training text: lines
drawn from all eleven registers, 5-grams without pruning. The last row of each measure is the shipped
model (57 million tokens, pruned).
"""
NOTE_DOMAIN = """## Domain of the corpus

WordSLOR with models of a single register, and with models of the set's own references, which people
wrote for the same kind of input. Each text is scored without the references of its own input (five
folds). Of the registers, the dialogues (hotel, restaurant and flight bookings) are closest to
SFHOTEL, SFREST and E2E. We have no text close to the other three sets. *Half and half* is the mean
of both models' probabilities.
"""


def words_of(corpora: Path) -> dict[str, int]:
    """Return the number of words of each register, from the corpora's own table."""
    lines = (corpora / "stats.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {name: int(words) for name, words, *_ in (line.split("\t") for line in lines)}


def drawn(corpora: Path, registers: Sequence[str], wanted: int) -> Iterator[str]:
    """Yield a random draw of lines with about the wanted number of words, or all lines."""
    known = words_of(corpora)
    share = wanted / sum(known[register] for register in registers)
    for register in registers:
        rng = random.Random(f"{SEED} {register}")
        yield from (line for line in sentences(corpora, register) if rng.random() < share)


def trained(texts: Iterable[str], folder: Path, kind: str) -> tuple[str, int]:
    """Train a model on texts; return its name and the number of tokens."""
    recipe = Recipe(kind=kind, arpa=False)  # type: ignore[arg-type]
    summary = train_language_model(texts, folder, recipe, force=True)
    return str(folder), int(summary["tokens"])


def score(model: LanguageModel, measures: Sequence[str], docs: Sequence[Doc]) -> dict[str, FloatArray]:
    """Return a model's measures, and drop its scores cached beside the Docs."""
    scores = {name: metric.score(docs) for name, metric in metrics_of(model, measures).items()}
    for doc in docs:
        doc.user_data.pop(f"naturalness.lm.{model.signature}", None)
    return scores


def metrics_of(model: LanguageModel, measures: Sequence[str]) -> dict[str, ComputedMetric]:
    """Return the metrics of a language model by the names of their formulas: slor, belonging, nce or ppl."""
    return {
        measure: likelihood_metric(f"{measure}:{model.name}", FORMULAS[measure][0], lambda: model, FORMULAS[measure][1])
        for measure in measures
    }


def by_size(sets: Sets, corpora: Path, work: Path, resamples: int) -> list[dict[str, Any]]:
    """Return rows for models of all registers."""
    rows = []
    for kind, wanted in ((kind, wanted) for kind, sizes in SIZES.items() for wanted in sizes):
        model, tokens = trained(drawn(corpora, REGISTERS, wanted), work / f"{kind}-{wanted}", kind)
        for called, (units, measure) in MEASURES.items():
            if units == kind:
                rows.append(
                    {"words": wanted, "tokens": tokens, "measure": called, **judged(sets, model, measure, resamples)}
                )
        print(f"{kind} of {wanted:,} words", flush=True)
    for called, (units, measure) in MEASURES.items():
        rows.append({"words": "shipped", "measure": called, **judged(sets, units, measure, resamples)})
    return rows


def judged(sets: Sets, spec: str, measure: str, resamples: int) -> dict[str, Any]:
    """Return Pearson on each set."""
    return {
        name: pearson_of(score(open_single(spec), [measure], docs)[measure], rated, resamples)
        for name, (rated, docs) in sets.items()
    }


def pearson_of(values: FloatArray, rated: ComparedTexts, resamples: int) -> list[float | None]:
    """Return Pearson with its interval."""
    return as_data(figures({"it": values}, rated, resamples, SEED)["it"].pearson)


def by_domain(sets: Sets, corpora: Path, work: Path, resamples: int) -> list[dict[str, Any]]:
    """Return rows for models of single registers and of references."""
    rows = []
    for register, wanted in CORPORA:
        folder = work / f"{register}-{wanted}"
        model, tokens = trained(drawn(corpora, [register], wanted), folder, "words")
        rows.append({"corpus": register, "words": wanted, "tokens": tokens, **judged(sets, model, "slor", resamples)})
        print(f"{register}, {wanted:,} words", flush=True)
    in_domain: list[dict[str, Any]] = [{"corpus": OTHER_INPUTS}, {"corpus": HALF}]
    for name in WITH_OWN:
        rated, docs = sets[name]
        scores, tokens = within_domain(rated, docs, work / "own")
        for row in in_domain:
            row[name] = pearson_of(scores[row["corpus"], "slor"], rated, resamples)
            row.setdefault("tokens of", {})[name] = tokens
    shipped = {"corpus": "shipped, all registers", "words": "shipped", **judged(sets, "words", "slor", resamples)}
    return [*in_domain, *rows, shipped]


def within_domain(
    rated: ComparedTexts, docs: Sequence[Doc], folder: Path, measures: Sequence[str] = ("slor",)
) -> tuple[dict[tuple[str, str], FloatArray], int]:
    """Return measures of models of other inputs' references, alone and mixed with the shipped one, and mean tokens."""
    scores = {(name, m): np.full(len(rated), np.nan) for name in (OTHER_INPUTS, HALF) for m in measures}
    seen = []
    for train, test in folds(rated.ratings, 0, rated.groups, FOLDS, SEED):
        held = {text for row in test for text in rated.references[row]}
        texts = sorted({text for row in train for text in rated.references[row]} - held)
        spec, tokens = trained(texts, folder, "words")
        seen.append(tokens)
        some = [docs[row] for row in test]
        own, shipped = open_single(spec), open_single("words")
        half = Mixture("half", (own, shipped), (0.5, 0.5))
        models: dict[str, LanguageModel] = {OTHER_INPUTS: own, HALF: half}
        for name, model in models.items():
            for measure, values in score(model, measures, some).items():
                scores[name, measure][test] = values
    return scores, round(float(np.mean(seen)))


def by_corpus(sets: Sets, corpora: Path, work: Path, resamples: int) -> PageSection:
    """Return both tables."""
    domain = by_domain(sets, corpora, work, resamples)
    size = by_size(sets, corpora, work, resamples)
    by_measure = sorted(size, key=lambda row: list(MEASURES).index(row["measure"]))
    sizes = [[row["measure"], _many(row["words"]), *_cells(row, sets)] for row in by_measure]
    domains = [[row["corpus"], _many(row.get("words") or row["tokens of"]), *_cells(row, sets)] for row in domain]
    text = [
        NOTE_SIZE,
        markdown_table(["measure", "words", *sets], sizes),
        NOTE_DOMAIN,
        markdown_table(["corpus", "words", *sets], domains),
    ]
    return PageSection("\n".join(text), {"size": size, "domain": domain})


def _many(words: Any) -> str:
    """Format the number of words of a corpus, or of references by set."""
    if isinstance(words, dict):
        return ", ".join(f"{n:,}" for n in words.values())
    return words if isinstance(words, str) else f"{words:,}"


def _cells(row: Mapping[str, Any], sets: Sets) -> list[str]:
    return [shown(row.get(name)) for name in sets]
