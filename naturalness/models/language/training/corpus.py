"""Training text of a language model: tokenised once, stored on disk, with counts."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.errors import WorkerLost
from naturalness.models.language.units import Kind
from naturalness.models.sentences import bounds
from naturalness.text.parsing import DEFAULT_PIPELINE, load_pipeline, parse_stream, short_memory, source_of, tokenise
from naturalness.text.view import is_word, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

TEXTS = 20_000
"""Texts per batch of a worker process."""
STREAMED = 2_000
"""Texts per batch of `stream_docs`."""
STRINGS = 200_000
"""Size of the pipeline's string store, about 100 MB, beyond which new strings are forgotten. spaCy's
tokeniser is twice as fast with common words cached, and caches nothing while it is told to forget."""
AHEAD = 2
"""Batches per process that are queued or being processed."""


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
    """Yield Docs as `read_docs`, one at a time, while the pipeline forgets the strings of earlier batches.

    ``advance`` receives the number of texts done.
    """
    done = 0
    for batch in _batches(texts, STREAMED):
        with short_memory(nlp=nlp):
            yield from read_docs(batch, kind, nlp=nlp)
        done += len(batch)
        advance(done)


def sentences(doc: Doc, kind: Kind) -> list[list[str]]:
    """Return the words (or tags) of each sentence with a word, in the original case."""
    if kind != "tags" and not source_of(doc).breaks:  # a view would cost as much as the tokens
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


@dataclass(frozen=True, slots=True)
class _Part:
    """Result of a worker for a batch of texts."""

    text: str
    sentences: int
    skipped: int
    counts: Counter[str]
    firsts: Counter[str]


def write_corpus(
    texts: Iterable[str],
    path: Path,
    kind: Kind,
    *,
    nlp: str = DEFAULT_PIPELINE,
    jobs: int = 1,
    advance: Callable[[int], object] | None = None,
) -> Corpus:
    """Write tokenised (or tagged) texts to a file; the result does not depend on the number of processes.

    ``advance`` receives the number of texts done.
    """
    corpus = Corpus(path)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for n_texts, part in _in_order(_batches(texts, TEXTS), kind, nlp, jobs):
            file.write(part.text)
            corpus.texts += n_texts
            corpus.skipped += part.skipped
            corpus.sentences += part.sentences
            corpus.counts.update(part.counts)
            corpus.firsts.update(part.firsts)
            if advance:
                advance(corpus.texts)
    return corpus


def _batches(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    remaining = iter(texts)
    while batch := list(islice(remaining, size)):
        yield batch


def read_part(texts: list[str], kind: Kind, nlp: str) -> _Part:
    """Tokenise a batch of texts, in a worker process."""
    lines: list[str] = []
    counts: Counter[str] = Counter()
    firsts: Counter[str] = Counter()
    skipped = 0
    full = len(load_pipeline(nlp).vocab.strings) > STRINGS
    with short_memory(nlp=nlp) if full else nullcontext():
        for doc in read_docs(texts, kind, nlp=nlp):
            split = sentences(doc, kind)
            skipped += not split
            for units in split:
                lines.append(" ".join(units) + "\n")
                counts.update(units)
                firsts[units[0]] += 1
    return _Part("".join(lines), len(lines), skipped, counts, firsts)


def _in_order(batches: Iterator[list[str]], kind: Kind, nlp: str, jobs: int) -> Iterator[tuple[int, _Part]]:
    """Yield the size and result of each batch, in order."""
    first = list(islice(batches, 2))
    if jobs == 1 or len(first) < 2:  # starting processes would take longer than the work
        for batch in chain(first, batches):
            yield len(batch), read_part(batch, kind, nlp)
        return
    from joblib.externals.loky import get_reusable_executor

    pool = get_reusable_executor(max_workers=jobs, env={"OMP_NUM_THREADS": "1"})
    waiting: deque[tuple[int, Any]] = deque()
    try:
        for batch in chain(first, batches):
            waiting.append((len(batch), pool.submit(read_part, batch, kind, nlp)))
            if len(waiting) >= AHEAD * jobs:
                yield _next(waiting)
        while waiting:
            yield _next(waiting)
    finally:
        pool.shutdown(wait=True, kill_workers=bool(waiting))


def _next(waiting: deque[tuple[int, Any]]) -> tuple[int, _Part]:
    from concurrent.futures.process import BrokenProcessPool

    size, job = waiting.popleft()
    try:
        return size, job.result()
    except BrokenProcessPool:
        raise WorkerLost from None
