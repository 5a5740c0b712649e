"""Train the LSTM of the SLOR paper as a companion of an n-gram model, and write the folder of a neural model.

Units, vocabulary, capitalisation and frequencies are taken from the n-gram model, because SLOR needs frequencies. The
same texts, seed and number of threads give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import CorpusError, ModelError
from naturalness.files.folder import check_folder, replace_folder
from naturalness.files.unfinished import unfinished_folder
from naturalness.models.language.neural.model import open_network
from naturalness.models.language.ngram import NgramModel
from naturalness.models.language.spec import open_single
from naturalness.models.language.store import ENTRIES
from naturalness.models.language.units import Stretch, Vocabulary
from naturalness.progress import Progress, silent
from naturalness.text.parsing import pipeline_checksum
from naturalness_replication.lstm.file import UNKNOWN, write_lstm
from naturalness_replication.lstm.folder import REPLACEABLE, NeuralFolder, check_apart, named_from, write_neural
from naturalness_replication.lstm.recipe import LstmRecipe
from naturalness_replication.lstm.text import NumberedTexts, Ranks, Sentences, read_text

if TYPE_CHECKING:
    from naturalness_replication.lstm.learning import LearnedLstm

SHARE = 0.02
"""The share of the text, taken from its end, that is held out if no held-out text is given."""
MAX_HELD_OUT = 5_000
"""The maximum number of held-out sentences."""


def train_lstm(
    texts: Iterable[str],
    folder: Path,
    beside: str,
    recipe: LstmRecipe,
    *,
    held_out: Iterable[str] | None = None,
    name: str = "",
    total: int = 0,
    force: bool = False,
    report: Progress = silent,
) -> dict[str, Any]:
    """Train an LSTM on one-sentence texts, and return the summary that its manifest contains.

    ``beside`` names the n-gram model that provides units and frequencies (see `open_single`). Perplexity is measured on
    ``held_out`` or, if it is None, on the last texts. In that case the n-gram model is not evaluated for comparison,
    because it may have been trained on these texts. ``total`` is the approximate number of texts, for ``report``. An
    existing folder is replaced only if ``force`` is true.
    """
    if isinstance(texts, str) or isinstance(held_out, str):
        raise TypeError("texts are one string; expected an iterable of texts")
    recipe.check()
    check_folder(folder, force=force, ours=REPLACEABLE, entries=ENTRIES)
    companion, vocabulary = _open_companion(beside, folder)
    ranks = Ranks.of(vocabulary, recipe.limit)
    text = _read(texts, companion, ranks, recipe, "tokenise", total, report)
    training, judged = _split(text, held_out, companion, ranks, recipe, report)
    learned = _learn(training, judged, ranks, vocabulary, recipe, report)
    with unfinished_folder(folder) as scratch:
        target = scratch / "model"
        target.mkdir()
        write_lstm(learned.weights, target, units=ranks.known, encoder=companion.read.encoder)
        figures = _judge(target, judged, companion, ranks, report)
        if held_out is None:  # the n-gram model may have been trained on these texts, and would look too good
            figures["shared"] = {"network": figures["shared"]["network"]}
        summary = _summary(text, training, learned, recipe, ranks) | {"held_out": figures}
        about = NeuralFolder(
            name or folder.resolve().name, companion.read.kind, named_from(folder, beside, companion.checksum)
        )
        write_neural(target, about, summary)
        replace_folder(folder, target)
    return summary


def _open_companion(beside: str, folder: Path) -> tuple[NgramModel, Vocabulary]:
    companion = open_single(beside)
    if companion.vocabulary is None:
        raise ModelError(
            f"{beside!r} keeps no frequencies of units; expected words, pieces or a "
            "folder made by `naturalness lm train`"
        )
    check_apart(folder, beside)
    return companion, companion.vocabulary


def _read(
    texts: Iterable[str],
    companion: NgramModel,
    ranks: Ranks,
    recipe: LstmRecipe,
    stage: str,
    total: int,
    report: Progress,
) -> NumberedTexts:
    report(stage, 0, total)
    text = read_text(
        texts, companion.read, ranks.numbers, nlp=recipe.nlp, advance=lambda done: report(stage, done, max(total, done))
    )
    if not len(text.sentences):
        raise CorpusError(
            f"none of {text.texts} texts has a word; expected a sentence in each: check the file "
            "and the column of texts"
        )
    return text


def _split(
    text: NumberedTexts,
    held_out: Iterable[str] | None,
    companion: NgramModel,
    ranks: Ranks,
    recipe: LstmRecipe,
    report: Progress,
) -> tuple[Sentences, Sentences]:
    """Return the training sentences and the held-out sentences."""
    n = len(text.sentences)
    if held_out is not None:
        other = _read(held_out, companion, ranks, recipe, "tokenise held-out", 0, report).sentences
        return text.sentences, other.part(0, min(MAX_HELD_OUT, len(other)))
    n_held_out = min(MAX_HELD_OUT, max(1, round(SHARE * n)))
    if n <= n_held_out:
        raise CorpusError(f"found {n} sentence; expected two or more, or held-out text beside it")
    return text.sentences.part(0, n - n_held_out), text.sentences.part(n - n_held_out, n)


def _learn(
    training: Sentences, judged: Sentences, ranks: Ranks, vocabulary: Vocabulary, recipe: LstmRecipe, report: Progress
) -> LearnedLstm:
    from naturalness_replication.lstm.learning import fit

    rows, judged_rows = (Sentences(ranks.rows(part.flat), part.edges) for part in (training, judged))
    return fit(rows, judged_rows, ranks.logs(vocabulary), recipe, report)


def _judge(folder: Path, judged: Sentences, companion: NgramModel, ranks: Ranks, report: Progress) -> dict[str, Any]:
    """Return the perplexities of the network and of the n-gram model on held-out sentences."""
    network = open_network(folder)
    alone: list[FloatArray] = []
    counted: list[FloatArray] = []
    known: list[Sequence[bool]] = []
    for i in range(len(judged)):
        units, rows = ranks.units(judged[i]), ranks.rows(judged[i])
        alone.append(network.foretell(rows.tolist())[0])
        positions = range(len(units))
        counted.append(companion.scores([([Stretch(units, positions)], positions)])[0].logprobs)
        known.append([*(rows != UNKNOWN).tolist(), True])
        report("judge", i + 1, len(judged))
    logs, there = np.array([np.concatenate(alone), np.concatenate(counted)]), np.concatenate(known)
    shared = logs[:, there]
    return {
        "sentences": len(judged),
        "units": len(there),
        "unknown": 1 - (int(there.sum()) - len(judged)) / max(1, len(judged.flat)),
        "perplexity": perplexity(logs[0]),
        "shared": {"network": perplexity(shared[0]), "counts": perplexity(shared[1])},
    }


def _summary(
    text: NumberedTexts, training: Sentences, learned: LearnedLstm, recipe: LstmRecipe, ranks: Ranks
) -> dict[str, Any]:
    """Return a description of the training, for people and for the manifest; it contains no dates or paths."""
    return {
        "texts": text.texts,
        "without_words": text.skipped,
        "sentences": len(training),
        "tokens": len(training.flat),
        "vocabulary": ranks.limit,
        "width": recipe.width,
        "layers": recipe.layers,
        "epochs": recipe.epochs,
        "seed": recipe.seed,
        "threads": recipe.threads,
        "pipeline": pipeline_checksum(recipe.nlp),
        "parameters": sum(values.size for values in learned.weights.values()),
        "curve": learned.curve,
    }


def perplexity(logprobs: FloatArray) -> float:
    """Return the perplexity of natural log-probabilities; NaN for an empty array."""
    return math.exp(min(-float(logprobs.mean()), 700.0)) if logprobs.size else math.nan
