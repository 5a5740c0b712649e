"""Train an n-gram model on texts, and write a folder that `open_language_model` opens.

The same texts give the same bytes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from naturalness.errors import CorpusError, TrainingError
from naturalness.files.folder import check_folder, replace_folder
from naturalness.models.language.store import CAPITALS, ENTRIES, FILES, PIECES, UNITS, read_manifest, write_manifest
from naturalness.models.language.training.corpus import Corpus, write_corpus
from naturalness.models.language.training.estimating import Estimated, Estimating, Report, make_binary
from naturalness.models.language.training.subwords import Encoder, learn_pieces, shipped_pieces
from naturalness.models.language.units import KINDS, Kind
from naturalness.models.language.vocabulary import capitalised, known_units, write_capitals, write_vocabulary
from naturalness.text.parsing import DEFAULT_PIPELINE, pipeline_checksum, pipeline_language


@dataclass(frozen=True, slots=True)
class Recipe:
    """Units and estimation of an n-gram model."""

    kind: Kind = "words"
    least: int = 2
    """Minimum count of a known unit; rarer ones become `OTHER` in the text."""
    pieces: int | None = None
    """Number of word pieces to learn; None means the shipped ones, so that models can be mixed."""
    estimating: Estimating = field(default_factory=Estimating)
    nlp: str = DEFAULT_PIPELINE


def train_language_model(
    texts: Iterable[str],
    folder: Path,
    recipe: Recipe | None = None,
    *,
    name: str = "",
    total: int = 0,
    force: bool = False,
    report: Report = lambda stage, done, total: None,
) -> dict[str, Any]:
    """Train a model on texts of one sentence each; return the summary of its manifest.

    Several sentences in a text are treated as one sentence, unless a blank line separates them.
    ``total`` is the approximate number of texts, for ``report``. The folder appears when it is complete;
    an existing one is replaced only with ``force``.
    """
    if isinstance(texts, str):
        raise TypeError("texts is one string; expected an iterable of texts")
    recipe = recipe or Recipe()
    check_recipe(recipe)
    check_folder(folder, force=force, ours=FILES, entries=ENTRIES)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as scratch:
        work = Path(scratch)
        target = work / "model"
        target.mkdir()
        corpus = _corpus(texts, work, recipe, total, report)
        summary = _make(target, work, corpus, recipe, name or folder.resolve().name, report)
        replace_folder(folder, target)
    return summary


def check_recipe(recipe: Recipe) -> None:
    """Raise `TrainingError` for impossible settings."""
    if recipe.kind not in KINDS:
        raise TrainingError(f"units are {recipe.kind!r}; expected one of {', '.join(KINDS)}")
    if recipe.least < 1:
        raise TrainingError(f"least is {recipe.least}; expected 1 or more")
    if recipe.pieces is not None and recipe.kind != "pieces":
        raise TrainingError(f"units are {recipe.kind}, which are not cut into pieces of one's own")
    recipe.estimating.check()


def _corpus(texts: Iterable[str], work: Path, recipe: Recipe, total: int, report: Report) -> Corpus:
    """Write the tokens or tags of the texts to disk."""
    kind: Kind = "tags" if recipe.kind == "tags" else "words"
    stage = "tag" if kind == "tags" else "tokenise"
    report(stage, 0, total)
    corpus = write_corpus(
        texts, work / "corpus", kind, nlp=recipe.nlp, advance=lambda done: report(stage, done, max(total, done))
    )
    if not corpus.sentences:
        raise CorpusError(
            f"none of {corpus.texts} texts has a word; expected a sentence in each: check the file "
            "and the column of texts"
        )
    return corpus


def _make(target: Path, work: Path, corpus: Corpus, recipe: Recipe, name: str, report: Report) -> dict[str, Any]:
    """Write all files of the folder, and return the summary."""
    encoder = _encoder(corpus, recipe, work, report)
    counts = corpus.counts if encoder is None else encoder.counts(corpus.counts)
    known = known_units(counts, corpus.sentences, recipe.least)
    if len(known) == 2:  # the sentence end and the unknown unit
        raise CorpusError(
            f"none of {len(counts)} different {recipe.kind} occurs {recipe.least} times or more; "
            "give more text, or a smaller --least"
        )
    spell = (encoder or Encoder(None)).spell(known)
    lines = (" ".join(map(spell, units)) for units in corpus.lines())
    result = make_binary(lines, target, work, recipe.estimating, corpus.sentences, report)
    write_vocabulary(target / UNITS, known)
    if recipe.kind != "tags":
        words = known
        if encoder is not None and encoder.model is not None:
            (target / PIECES).write_bytes(encoder.model)
            words = known_units(corpus.counts, corpus.sentences, recipe.least)
        write_capitals(target / CAPITALS, capitalised(corpus.counts - corpus.firsts, words))
    order = recipe.estimating.order
    summary = _summary(corpus, counts.total(), known, recipe, result)
    write_manifest(target, name, recipe.kind, {order: result.file}, summary)
    read_manifest(target)
    return summary


def _encoder(corpus: Corpus, recipe: Recipe, work: Path, report: Report) -> Encoder | None:
    if recipe.kind != "pieces":
        return None
    if recipe.pieces is None:
        return shipped_pieces()
    report("learn pieces", 0, 1)
    return learn_pieces(corpus, recipe.pieces)


def _summary(corpus: Corpus, tokens: int, known: dict[str, int], recipe: Recipe, result: Estimated) -> dict[str, Any]:
    """Describe the training for people and for the manifest, without dates and paths."""
    how = recipe.estimating
    return {
        "texts": corpus.texts,
        "without_words": corpus.skipped,
        "sentences": corpus.sentences,
        "tokens": tokens,
        "vocabulary": len(known) - 2,
        "least": recipe.least,
        "pieces": recipe.pieces,
        "pipeline": pipeline_checksum(recipe.nlp),
        "language": pipeline_language(recipe.nlp),
        "order": how.order,
        "prune": list(how.prune),
        "size": how.size,
        "tool": result.tool,
        "n_grams": list(result.sizes),
        "notes": list(result.notes),
    }
