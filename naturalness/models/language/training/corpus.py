"""Training text of a language model: it is tokenised once, stored on disk, and its units are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from naturalness.models.language.units import Kind
from naturalness.models.sentences import bounds
from naturalness.text.parsing import DEFAULT_PIPELINE, load_pipeline, parse_stream, short_memory, source_of, tokenise
from naturalness.text.view import Doc, is_word, view

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
