"""What `naturalness generate` makes: rows of texts, by method, from a sample of a corpus."""

from __future__ import annotations

import argparse
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.cli.progress import progress
from naturalness.data.formats import Location
from naturalness.data.reading import read_batches
from naturalness.errors import CorpusError

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.generating import Damaged, SequenceGlue
    from naturalness.models.parsers.tree import Bracketed

Rows = Iterator[list[dict[str, Any]]]

SPARE = 4
"""Texts drawn from the corpus for each damaged one."""
POOLS = {"sequence": 12_000, "pos": 2400, "supertag": 1500, "cfg": 1800}
"""Sentences of the corpus that texts are made of, unless --pool says otherwise."""
PARSED = 3
"""Of so many sentences one gives a tree to the grammar; all give their words."""
TOGETHER = 256
SYMBOL_OR_WORD = re.compile(r"\w+|[^\w\s]")
PARSER = "parser"
UNUSED = (PARSER, "morphologizer", "lemmatizer", "trainable_lemmatizer")
"""Components of a pipeline that nothing is asked of where tags are enough."""


def errors(table: Location, given: argparse.Namespace) -> Rows:
    """Damaged sentences."""
    from naturalness.generating import damage_docs
    from naturalness.text.parsing import parse

    # Some texts cannot be damaged as asked, so more are drawn than wanted.
    texts = sentences(table, given, given.n * SPARE)
    made = 0
    # Splices are taken from neighbours in these batches, whose size must not change the outcome.
    for start in range(0, len(texts), TOGETHER):
        docs = parse(texts[start : start + TOGETHER], nlp=given.nlp, batch_size=given.batch_size)
        damaged = damage_docs(docs, kinds=given.kinds, n_damages=given.damages, seed=given.seed)
        rows = [_row(d, "errors") for d in damaged if len(d.damages) >= given.damages[0]]
        rows = rows[: given.n - made]
        made += len(rows)
        if rows:
            yield rows
        if made == given.n:
            return
    raise CorpusError(
        f"only {made} of {given.n} texts were made: the corpus has {len(texts)} texts of four "
        "words or more, and not all can be damaged as asked; add text, ask for fewer, or for more "
        "kinds"
    )


def sequences(table: Location, given: argparse.Namespace) -> Rows:
    """Texts of glued sequences, size by size."""
    from naturalness.generating import SequenceGlue, spaced_tokens, token_count
    from naturalness.text.parsing import tokenise

    # One pass for both: standard input cannot be read again.
    parts = Sample(given.seed, _pool(given), _ends)
    whole = Sample(given.seed, None, partial(_may_have, given.length))
    in_parts = any(size != given.length for size in given.sizes)
    fill(table, given, [*([parts] if in_parts else []), *([whole] if given.length in given.sizes else [])])
    glued = None
    if in_parts:
        texts = parts.texts()
        with progress("tokens", total=len(texts), quiet=given.quiet) as advance:
            docs = _told(tokenise(texts, nlp=given.nlp), advance)
            count = token_count(given.nlp)
            glued = SequenceGlue(spaced_tokens(docs), length=given.length, count=count)
    return _of_sizes(given, glued, whole.texts())


def _of_sizes(given: argparse.Namespace, glued: SequenceGlue | None, whole: Sequence[str]) -> Rows:
    from naturalness.generating import SequenceGlue

    for size in given.sizes:
        glue = glued if size != given.length else None
        if glue is None:  # whole sentences are rare, so all of the corpus is looked through
            glue = SequenceGlue(_of_length(whole, given), length=given.length)
        for chunk in _chunks(glue.generate(given.n, size=size, seed=given.seed)):
            yield [_row(damaged, "sequence") | {"size": size} for damaged in chunk]


def _may_have(n: int, text: str) -> bool:
    """Whether a text may be a sentence of n tokens."""
    # A token is rarely more than a piece between spaces, or less than a word or a mark; the two
    # are those of "cannot".
    least, most = text.count(" ") + 1, len(SYMBOL_OR_WORD.findall(text)) + 2
    return _is_whole(text) and least <= n <= most


def _of_length(texts: Sequence[str], given: argparse.Namespace) -> list[list[tuple[str, bool]]]:
    """Sentences of the length asked for, as many as texts are wanted, drawn by the seed."""
    from naturalness.generating import spaced_tokens
    from naturalness.text.parsing import tokenise

    n = given.length
    shuffled = list(texts)
    random.Random(f"{given.seed}:whole").shuffle(shuffled)
    found = spaced_tokens(tokenise(shuffled, nlp=given.nlp))
    whole = (s for s in found if len(s) == n and s[-1][0] == "." and s[0][0][0].isalpha())
    return list(islice(whole, given.n))


def chains(table: Location, given: argparse.Namespace) -> Rows:
    """Likely words for drawn tags, or supertags."""
    from naturalness.generating import TagChain, pos_tagged, supertagged, token_count

    texts = sentences(table, given, _pool(given), _is_whole)
    needs_parse = given.method == "supertag"
    docs = _read(texts, given, parsed=needs_parse)
    tagged = supertagged(docs) if needs_parse else pos_tagged(docs)
    chain = TagChain(tagged, length=given.length, count=token_count(given.nlp))
    return _rows(chain.generate(given.n, seed=given.seed), given.method)


def grammar(table: Location, given: argparse.Namespace) -> Rows:
    """Leaves of drawn trees."""
    from naturalness.generating import GrammarSampler, pos_tagged, read_treebank, token_count

    trees = read_treebank(Path(given.treebank)) if given.treebank else None
    docs = _read(sentences(table, given, _pool(given), _is_whole), given, parsed=False)
    sampler = GrammarSampler(
        _trees(docs[::PARSED], given) if trees is None else trees,
        pos_tagged(docs),
        length=given.length,
        count=token_count(given.nlp),
    )
    return _rows(sampler.generate(given.n, seed=given.seed), given.method)


METHODS: Mapping[str, Callable[[Location, argparse.Namespace], Rows]] = {
    "errors": errors,
    "sequence": sequences,
    "pos": chains,
    "supertag": chains,
    "cfg": grammar,
}


def _pool(given: argparse.Namespace) -> int:
    return given.pool or POOLS[given.method]


def _four_words(text: str) -> bool:
    return text.count(" ") >= 3


def _ends(text: str) -> bool:
    return _four_words(text) and text.rstrip().endswith(".")


def _is_whole(text: str) -> bool:
    """Whether a text may go from a letter to a full stop."""
    return text.lstrip()[:1].isalpha() and text.rstrip().endswith(".")


class Sample:
    """An even sample of the usable texts, deterministic for a seed; of all with None wanted."""

    def __init__(self, seed: int, wanted: int | None, usable: Callable[[str], bool]) -> None:
        self._rng = random.Random(seed)
        self._wanted = wanted
        self._usable = usable
        self._kept: list[tuple[int, str]] = []
        self._seen = 0

    def add(self, text: str) -> None:
        """Draw for a text of the corpus."""
        if not self._usable(text):
            return
        self._seen += 1
        if self._wanted is None or len(self._kept) < self._wanted:
            self._kept.append((self._seen, text))
        elif (place := self._rng.randrange(self._seen)) < self._wanted:
            self._kept[place] = (self._seen, text)

    def texts(self) -> list[str]:
        """The texts drawn, in their order."""
        return [text for _, text in sorted(self._kept)]


def fill(table: Location, given: argparse.Namespace, samples: Sequence[Sample]) -> None:
    """Show the texts of the corpus to samples."""
    for batch in read_batches(table, text_column=given.text_column):
        for text in batch.texts:
            for sample in samples:
                sample.add(text)


def sentences(
    table: Location, given: argparse.Namespace, wanted: int, usable: Callable[[str], bool] = _four_words
) -> list[str]:
    """An even sample of the usable texts of the corpus."""
    sample = Sample(given.seed, wanted, usable)
    fill(table, given, [sample])
    return sample.texts()


def _read(texts: Sequence[str], given: argparse.Namespace, *, parsed: bool) -> list[Doc]:
    """Docs with tags, and parses where they are asked for, but nothing else that takes time."""
    from naturalness.text.parsing import load_pipeline, parse_stream

    nlp = load_pipeline(given.nlp)
    unused = [name for name in UNUSED if name in nlp.pipe_names and not (parsed and name == PARSER)]
    label = "parses" if parsed else "tags"
    with nlp.select_pipes(disable=unused), progress(label, total=len(texts), quiet=given.quiet) as advance:
        docs = parse_stream(texts, nlp=given.nlp, batch_size=given.batch_size)
        return list(_told(docs, advance))


def _trees(docs: Sequence[Doc], given: argparse.Namespace) -> list[Bracketed]:
    from naturalness.generating import parsed_trees
    from naturalness.models.parsers.chart.parser import chart

    found: list[Bracketed] = []
    with progress("trees", total=len(docs), quiet=given.quiet) as advance:
        for start in range(0, len(docs), given.batch_size):
            batch = docs[start : start + given.batch_size]
            found += parsed_trees(batch, chart())
            advance(len(batch))
    return found


def _told(docs: Iterable[Doc], advance: Callable[[int], None]) -> Iterator[Doc]:
    """The Docs, each of which moves a progress bar."""
    for doc in docs:
        yield doc
        advance(1)


def _rows(texts: Iterator[Damaged], method: str) -> Rows:
    return ([_row(text, method) for text in chunk] for chunk in _chunks(texts))


def _chunks(items: Iterator[Damaged]) -> Iterator[Sequence[Damaged]]:
    while chunk := list(islice(items, TOGETHER)):
        yield chunk


def _row(damaged: Damaged, method: str) -> dict[str, Any]:
    n_damages = {"errors": len(damaged.damages), "sequence": max(0, len(damaged.damages) - 1)}
    return {
        "text": damaged.text,
        "original": damaged.original,
        "method": method,
        "kinds": ",".join(dict.fromkeys(damage.kind for damage in damaged.damages)),
        # Undefined where nothing was damaged or glued: words were chosen one by one.
        "n_damages": n_damages.get(method, math.nan),
        "amount": float(f"{damaged.amount:.6g}"),
        "damages": [asdict(damage) for damage in damaged.damages],
    }
