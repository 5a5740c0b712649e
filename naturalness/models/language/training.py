"""Train an n-gram model on texts, and write it to a folder that `open_language_model` can open.

The texts are tokenised once, stored on disk, and their units are counted. The same texts and recipe always give the
same bytes.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from naturalness.errors import CorpusError, TrainingError
from naturalness.files.folder import check_folder, replace_folder
from naturalness.files.resources import locate
from naturalness.files.unfinished import unfinished_folder
from naturalness.models.language.formats import write_arpa, write_binary
from naturalness.models.language.kneser_ney import estimate
from naturalness.models.language.store import ARPA, CAPITALS, ENTRIES, FILES, PIECES, UNITS, binary_name, write_manifest
from naturalness.models.language.tables import MAX_ORDER, Ngrams, shrink
from naturalness.models.language.units import (
    KINDS,
    OTHER,
    REMEMBERED,
    Kind,
    capitalised,
    known_units,
    open_pieces,
    write_capitals,
    write_vocabulary,
)
from naturalness.progress import Progress, silent
from naturalness.text.parsing import (
    DEFAULT_PIPELINE,
    load_pipeline,
    parse_stream,
    pipeline_checksum,
    pipeline_language,
    short_memory,
    source_of,
    tokenise,
)
from naturalness.text.view import Doc, bounds, is_word, view

STREAMED = 2_000
"""Number of texts per batch of `stream_docs`."""
STRINGS = 200_000
"""Number of strings in the pipeline's string store (about 100 MB) above which new strings are forgotten after each
batch. Until then they are kept, because spaCy's tokeniser is twice as fast if common words are cached, and it caches
nothing while new strings are to be forgotten."""
TAGGING = ("tok2vec", "transformer", "tagger", "attribute_ruler")
"""Pipeline components that assign tags."""
WITHOUT_TAGGER = (*TAGGING, "morphologizer")
"""Components that assign tags in pipelines without a tagger, such as those of most languages other than English."""


def read_docs(texts: Iterable[str], kind: Kind, *, nlp: str = DEFAULT_PIPELINE, batch_size: int = 64) -> Iterator[Doc]:
    """Yield a Doc for each text, which should be one sentence; Docs have tags only if ``kind`` is ``"tags"``.

    A text is split into sentences only at blank lines. Do not use the pipeline for anything else until the last Doc
    has been yielded.
    """
    if kind != "tags":
        yield from tokenise(texts, nlp=nlp)
        return
    pipeline = load_pipeline(nlp)
    used = TAGGING if "tagger" in pipeline.pipe_names else WITHOUT_TAGGER
    unused = [name for name in pipeline.pipe_names if name not in used]
    with pipeline.select_pipes(disable=unused):
        yield from parse_stream(texts, nlp=nlp, batch_size=batch_size)


def stream_docs(texts: Iterable[str], kind: Kind, *, nlp: str, advance: Callable[[int], object]) -> Iterator[Doc]:
    """Yield Docs as `read_docs` does, in batches; if the string store is full, it forgets a batch's new strings.

    ``advance`` is called after each batch with the total number of texts done so far.
    """
    done, remaining = 0, iter(texts)
    while batch := list(islice(remaining, STREAMED)):
        full = len(load_pipeline(nlp).vocab.strings) > STRINGS
        with short_memory(nlp=nlp) if full else nullcontext():
            yield from read_docs(batch, kind, nlp=nlp)
        done += len(batch)
        advance(done)


def sentences(doc: Doc, kind: Kind) -> list[list[str]]:
    """Return each sentence's words, in their original case, or its tags; sentences without a word are left out."""
    if kind != "tags" and not source_of(doc).breaks:  # faster: making a view takes as long as tokenising
        words = [token.text for token in doc if not token.is_space]
        return [words] if any(map(is_word, words)) else []
    seen = view(doc)
    units = seen.tags if kind == "tags" else seen.texts
    return [units[start:stop] for start, stop in bounds(seen)]


@dataclass(slots=True)
class Corpus:
    """A file of sentences, one per line, with spaces between units; and counts of texts, sentences and units."""

    path: Path
    texts: int = 0
    skipped: int = 0
    """Number of texts without a word."""
    sentences: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    firsts: Counter[str] = field(default_factory=Counter)
    """Number of times that each unit is the first of a sentence."""

    @property
    def tokens(self) -> int:
        """Total number of units, without sentence ends."""
        return self.counts.total()

    def lines(self) -> Iterator[list[str]]:
        """Yield the units of each sentence."""
        with self.path.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.rstrip("\n").split(" ")


def write_corpus(texts: Iterable[str], path: Path, kind: Kind, *, nlp: str, advance: Callable[[int], object]) -> Corpus:
    """Write the words or tags of texts to a file; ``advance`` is called with the number of texts done so far."""
    corpus = Corpus(path)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for doc in stream_docs(texts, kind, nlp=nlp, advance=advance):
            split = sentences(doc, kind)
            corpus.texts += 1
            corpus.skipped += not split
            corpus.sentences += len(split)
            for units in split:
                file.write(" ".join(units) + "\n")
                corpus.counts.update(units)
                corpus.firsts[units[0]] += 1
    return corpus


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train an n-gram model."""

    kind: Kind = "words"
    least: int = 2
    """Minimum count of a unit in the vocabulary; rarer units are replaced with `OTHER` in the training text."""
    order: int = 5
    size: int | None = None
    """Maximum number of n-grams of two or more units; those whose removal changes the model least are pruned. None
    means no limit."""
    arpa: bool = True
    """Whether to write an ARPA file, for use by other programs."""
    nlp: str = DEFAULT_PIPELINE


def train_language_model(
    texts: Iterable[str],
    folder: Path,
    recipe: Recipe | None = None,
    *,
    total: int = 0,
    force: bool = False,
    report: Progress = silent,
) -> dict[str, Any]:
    """Train a model on texts of one sentence each; return the summary that its manifest holds.

    Several sentences in a text are treated as one sentence, unless a blank line separates them. ``total`` is the
    approximate number of texts, for ``report``. The folder appears only when it is complete; an existing folder is
    replaced only if ``force`` is set.
    """
    if isinstance(texts, str):
        raise TypeError("texts is one string; expected an iterable of texts")
    recipe = recipe or Recipe()
    check_recipe(recipe)
    check_folder(folder, force=force, ours=FILES, entries=ENTRIES)
    with unfinished_folder(folder) as work:
        target = work / "model"
        target.mkdir()
        corpus = _corpus(texts, work, recipe, total, report)
        summary = _make(target, corpus, recipe, folder.resolve().name, report)
        replace_folder(folder, target)
    return summary


def check_recipe(recipe: Recipe) -> None:
    """Raise `TrainingError` if a setting has an invalid value."""
    if recipe.kind not in KINDS:
        raise TrainingError(f"units are {recipe.kind!r}; expected one of {', '.join(KINDS)}")
    if not 2 <= recipe.order <= MAX_ORDER:
        raise TrainingError(f"order is {recipe.order}; expected 2 to {MAX_ORDER}")
    for name, value in (("least", recipe.least), ("size", recipe.size)):
        if value is not None and value < 1:
            raise TrainingError(f"{name} is {value}; expected 1 or more")


def _corpus(texts: Iterable[str], work: Path, recipe: Recipe, total: int, report: Progress) -> Corpus:
    """Write the tokens or tags of the texts to disk, and return the corpus."""
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


def _make(target: Path, corpus: Corpus, recipe: Recipe, name: str, report: Progress) -> dict[str, Any]:
    """Write all files of the model's folder, and return the summary."""
    encode = None
    if recipe.kind == "pieces":
        shutil.copyfile(locate("pieces") / PIECES, target / PIECES)
        encode = open_pieces(target / PIECES)

    def cut(word: str) -> list[str]:
        return [word] if encode is None else encode(word) or [OTHER]

    counts: Counter[str] = Counter()
    for word, n in corpus.counts.items():
        for unit in cut(word):
            counts[unit] += n
    known = known_units(counts, corpus.sentences, recipe.least)
    if len(known) == 2:  # only the sentence end and the unknown unit
        raise CorpusError(
            f"none of {len(counts)} different {recipe.kind} occurs {recipe.least} times or more; "
            "give more text, or a smaller `least`"
        )

    @lru_cache(maxsize=16 * REMEMBERED)
    def spelled(word: str) -> str:
        return " ".join([unit if unit in known else OTHER for unit in cut(word)])

    lines = (" ".join(map(spelled, units)) for units in corpus.lines())
    report("estimate", 0, corpus.sentences)
    ngrams = estimate(lines, order=recipe.order)
    if recipe.size is not None:
        ngrams = shrink(ngrams, recipe.size)
    report("write", 0, 1)
    if recipe.arpa:
        write_arpa(ngrams, target / ARPA)
    file = binary_name(recipe.order)
    write_binary(ngrams, target / file)
    write_vocabulary(target / UNITS, known)
    if recipe.kind != "tags":
        words = known if encode is None else known_units(corpus.counts, corpus.sentences, recipe.least)
        write_capitals(target / CAPITALS, capitalised(corpus.counts - corpus.firsts, words))
    summary = _summary(corpus, counts.total(), known, recipe, ngrams)
    write_manifest(target, name, recipe.kind, {recipe.order: file}, summary)
    return summary


def _summary(corpus: Corpus, tokens: int, known: dict[str, int], recipe: Recipe, ngrams: Ngrams) -> dict[str, Any]:
    """Return a description of the training for people and for the manifest; it contains no dates or paths."""
    return {
        "texts": corpus.texts,
        "without_words": corpus.skipped,
        "sentences": corpus.sentences,
        "tokens": tokens,
        "vocabulary": len(known) - 2,
        "least": recipe.least,
        "pipeline": pipeline_checksum(recipe.nlp),
        "language": pipeline_language(recipe.nlp),
        "order": recipe.order,
        "size": recipe.size,
        "n_grams": list(ngrams.sizes),
        "notes": list(ngrams.notes),
    }
