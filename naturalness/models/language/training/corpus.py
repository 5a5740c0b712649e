"""Training text of a language model: tokenised once, stored on disk, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from naturalness.models.language.units import Kind
from naturalness.models.sentences import bounds
from naturalness.text.parsing import DEFAULT_PIPELINE, load_pipeline, parse_stream, short_memory, source_of, tokenise
from naturalness.text.view import is_word, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

STREAMED = 2_000
"""Texts per batch of `stream_docs`."""
STRINGS = 200_000
"""Size of the pipeline's string store, about 100 MB, beyond which new strings are forgotten. spaCy's
tokeniser is twice as fast with common words cached, and caches nothing while new strings are being forgotten."""
TAGGING = ("tok2vec", "transformer", "tagger", "attribute_ruler")
"""Pipeline components that tagging needs."""
WITHOUT_TAGGER = (*TAGGING, "morphologizer")
"""Components that tagging needs in pipelines without a tagger, as in most languages but English."""


def read_docs(texts: Iterable[str], kind: Kind, *, nlp: str = DEFAULT_PIPELINE, batch_size: int = 64) -> Iterator[Doc]:
    """Yield Docs of texts of one sentence each: tokens, and tags if the model is over tags.

    A blank line inside a text still starts a sentence. The pipeline must not be used otherwise until
    the last Doc.
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
    """Yield Docs one at a time, as `read_docs` does; a full string store forgets the strings of each batch.

    ``advance`` receives the number of texts done.
    """
    done, remaining = 0, iter(texts)
    while batch := list(islice(remaining, STREAMED)):
        full = len(load_pipeline(nlp).vocab.strings) > STRINGS
        with short_memory(nlp=nlp) if full else nullcontext():
            yield from read_docs(batch, kind, nlp=nlp)
        done += len(batch)
        advance(done)


def sentences(doc: Doc, kind: Kind) -> list[list[str]]:
    """Return the words (or tags) of each sentence with a word, in the original case."""
    if kind != "tags" and not source_of(doc).breaks:  # a view would cost as much time as tokenisation
        words = [token.text for token in doc if not token.is_space]
        return [words] if any(map(is_word, words)) else []
    seen = view(doc)
    units = seen.tags if kind == "tags" else seen.texts
    return [units[start:stop] for start, stop in bounds(seen)]


@dataclass(slots=True)
class Corpus:
    """A file of sentences, one per line, with spaces between units, and counts of them."""

    path: Path
    texts: int = 0
    skipped: int = 0
    """Number of texts without a word."""
    sentences: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    firsts: Counter[str] = field(default_factory=Counter)
    """Counts of sentence-initial units."""

    @property
    def tokens(self) -> int:
        """Total number of units, without sentence ends."""
        return self.counts.total()

    def lines(self) -> Iterator[list[str]]:
        """Yield the sentences."""
        with self.path.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.rstrip("\n").split(" ")


def write_corpus(
    texts: Iterable[str], path: Path, kind: Kind, *, nlp: str = DEFAULT_PIPELINE, advance: Callable[[int], object]
) -> Corpus:
    """Write tokenised (or tagged) texts to a file; ``advance`` receives the number of texts done."""
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
