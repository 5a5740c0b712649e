"""Generate unnatural texts from a sample of a corpus, as table rows, by one of several methods."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from naturalness.data.formats import Location
from naturalness.data.reading import read_batches
from naturalness.text.parsing import load_pipeline, parse_stream, tokenise
from naturalness_replication.generating.chain import TagChain
from naturalness_replication.generating.drawing import token_count
from naturalness_replication.generating.grammar import GrammarSampler, parsed_trees
from naturalness_replication.generating.sampling import Sample
from naturalness_replication.generating.sequence import SequenceGlue, spaced_tokens
from naturalness_replication.generating.tagged import pos_tagged, supertagged

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.models.parsers.tree import Bracketed

Rows = Iterator[list[dict[str, Any]]]
Watch = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""A function that, given a stage's name and size, returns a context that yields a function to report progress."""

POOLS = {"sequence": 12_000, "pos": 2400, "supertag": 1500, "cfg": 1800}
"""The default number of corpus sentences from which texts are generated, keyed by method."""
SENTENCES_PER_TREE = 3
"""Only one sentence in this many adds its tree to the grammar; every sentence adds its words."""
BATCH_ROWS = 256
SYMBOL_OR_WORD = re.compile(r"\w+|[^\w\s]")
PARSER = "parser"
UNUSED = (PARSER, "morphologizer", "lemmatizer", "trainable_lemmatizer")
"""The pipeline components that tagging does not need."""


@dataclass(frozen=True, slots=True)
class GenerationRecipe:
    """A specification of the texts to generate."""

    method: str
    """One of `METHODS`."""
    n: int = 1000
    seed: int = 0
    sizes: Sequence[int] = (1, 2, 4, 8)
    """The numbers of tokens per glued piece; n texts are generated for each size."""
    length: int = 24
    """The number of tokens per text."""
    pool: int | None = None
    """The number of corpus sentences to draw from; None means the number in `POOLS`."""
    text_column: str | None = None
    nlp: str = "en"
    batch_size: int = 64

    @property
    def pool_size(self) -> int:
        """The number of corpus sentences to draw from."""
        return self.pool or POOLS[self.method]

    @property
    def total(self) -> int:
        """The total number of texts."""
        return self.n * (len(self.sizes) if self.method == "sequence" else 1)


def unwatched(stage: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
    """Return a context that reports no progress."""
    return nullcontext(lambda done: None)


def generate(table: Location, recipe: GenerationRecipe, watch: Watch = unwatched) -> Rows:
    """Read the corpus and yield batches of rows: text, method and, for ``sequence``, size."""
    return METHODS[recipe.method](table, recipe, watch)


def _sequences(table: Location, recipe: GenerationRecipe, watch: Watch) -> Rows:
    """Yield texts glued together from token sequences, one piece size after another."""
    # Both samples are drawn in one pass, because standard input cannot be read twice.
    parts = Sample(recipe.seed, recipe.pool_size, _ends)
    sentences = Sample(recipe.seed, None, partial(_may_have, recipe.length))
    in_parts = any(size != recipe.length for size in recipe.sizes)
    _fill(table, recipe, [*([parts] if in_parts else []), *([sentences] if recipe.length in recipe.sizes else [])])
    glue = None
    if in_parts:
        texts = parts.texts()
        with watch("tokens", len(texts)) as advance:
            docs = _watched(tokenise(texts, nlp=recipe.nlp), advance)
            glue = SequenceGlue(spaced_tokens(docs), length=recipe.length, count=token_count(recipe.nlp))
    return _of_sizes(recipe, glue, sentences.texts())


def _of_sizes(recipe: GenerationRecipe, parts: SequenceGlue | None, sentences: Sequence[str]) -> Rows:
    for size in recipe.sizes:
        glue = parts if size != recipe.length else None
        if glue is None:  # sentences of this length are rare, so the whole corpus is searched
            glue = SequenceGlue(_of_length(sentences, recipe), length=recipe.length)
        for batch in _batches(glue.generate(recipe.n, size=size, seed=recipe.seed)):
            yield [{"text": text, "method": "sequence", "size": size} for text in batch]


def _may_have(n: int, text: str) -> bool:
    """Return whether a text could be a sentence of n tokens; this fast check precedes tokenisation."""
    # Tokens rarely contain spaces, and words are rarely split; 2 allows for words such as "cannot".
    return _is_sentence(text) and text.count(" ") + 1 <= n <= len(SYMBOL_OR_WORD.findall(text)) + 2


def _of_length(texts: Sequence[str], recipe: GenerationRecipe) -> list[list[tuple[str, bool]]]:
    """Return up to n random sentences of the requested length, as tokens."""
    shuffled = list(texts)
    random.Random(f"{recipe.seed}:whole").shuffle(shuffled)
    tokens = spaced_tokens(tokenise(shuffled, nlp=recipe.nlp))
    sentences = (s for s in tokens if len(s) == recipe.length and s[-1][0] == "." and s[0][0][0].isalpha())
    return list(islice(sentences, recipe.n))


def _chains(table: Location, recipe: GenerationRecipe, watch: Watch) -> Rows:
    """Yield texts with the most probable words for random tags or supertags."""
    texts = _sample(table, recipe)
    needs_parse = recipe.method == "supertag"
    docs = _read(texts, recipe, watch, parsed=needs_parse)
    tagged = supertagged(docs) if needs_parse else pos_tagged(docs)
    chain = TagChain(tagged, length=recipe.length, count=token_count(recipe.nlp))
    return _rows(chain.generate(recipe.n, seed=recipe.seed), recipe.method)


def _grammar(table: Location, recipe: GenerationRecipe, watch: Watch) -> Rows:
    """Yield texts that are the leaves of random trees."""
    docs = _read(_sample(table, recipe), recipe, watch, parsed=False)
    sampler = GrammarSampler(
        _trees(docs[::SENTENCES_PER_TREE], recipe, watch),
        pos_tagged(docs),
        length=recipe.length,
        count=token_count(recipe.nlp),
    )
    return _rows(sampler.generate(recipe.n, seed=recipe.seed), recipe.method)


METHODS: Mapping[str, Callable[[Location, GenerationRecipe, Watch], Rows]] = {
    "sequence": _sequences,
    "pos": _chains,
    "supertag": _chains,
    "cfg": _grammar,
}


def _ends(text: str) -> bool:
    return text.count(" ") >= 3 and text.rstrip().endswith(".")


def _is_sentence(text: str) -> bool:
    """Return whether a text starts with a letter and ends in a full stop."""
    return text.lstrip()[:1].isalpha() and text.rstrip().endswith(".")


def _fill(table: Location, recipe: GenerationRecipe, samples: Sequence[Sample]) -> None:
    """Pass all texts of the corpus to the samples."""
    for batch in read_batches(table, text_column=recipe.text_column):
        for text in batch.texts:
            for sample in samples:
                sample.add(text)


def _sample(table: Location, recipe: GenerationRecipe) -> list[str]:
    """Return a uniform sample of the sentences of the corpus."""
    sample = Sample(recipe.seed, recipe.pool_size, _is_sentence)
    _fill(table, recipe, [sample])
    return sample.texts()


def _read(texts: Sequence[str], recipe: GenerationRecipe, watch: Watch, *, parsed: bool) -> list[Doc]:
    """Return Docs with tags and, if ``parsed``, with parses; other slow pipeline components are not run."""
    nlp = load_pipeline(recipe.nlp)
    unused = [name for name in UNUSED if name in nlp.pipe_names and not (parsed and name == PARSER)]
    with nlp.select_pipes(disable=unused), watch("parses" if parsed else "tags", len(texts)) as advance:
        return list(_watched(parse_stream(texts, nlp=recipe.nlp, batch_size=recipe.batch_size), advance))


def _trees(docs: Sequence[Doc], recipe: GenerationRecipe, watch: Watch) -> list[Bracketed]:
    from naturalness.models.parsers.chart.parser import chart

    trees: list[Bracketed] = []
    with watch("trees", len(docs)) as advance:
        for start in range(0, len(docs), recipe.batch_size):
            batch = docs[start : start + recipe.batch_size]
            trees += parsed_trees(batch, chart())
            advance(len(batch))
    return trees


def _watched(docs: Iterable[Doc], advance: Callable[[int], None]) -> Iterator[Doc]:
    for doc in docs:
        yield doc
        advance(1)


def _rows(texts: Iterator[str], method: str) -> Rows:
    return ([{"text": text, "method": method} for text in batch] for batch in _batches(texts))


def _batches(texts: Iterator[str]) -> Iterator[Sequence[str]]:
    while batch := list(islice(texts, BATCH_ROWS)):
        yield batch
