"""Texts to Docs for language models, with no more of the pipeline than their units need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from naturalness.models.language.units import Kind
from naturalness.models.sentences import bounds
from naturalness.text.parsing import DEFAULT_PIPELINE, load_pipeline, parse_stream, source_of, tokenise
from naturalness.text.view import is_word, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

TAGGING = ("tok2vec", "transformer", "tagger", "attribute_ruler")
"""Components that decide on tags."""
WITHOUT_TAGGER = (*TAGGING, "morphologizer")
"""The same where tags are made of parts of speech, as in most of spaCy's pipelines but English."""


def read_docs(texts: Iterable[str], kind: Kind, *, nlp: str = DEFAULT_PIPELINE, batch_size: int = 64) -> Iterator[Doc]:
    """Yield Docs of texts that are a sentence each: with tokens alone, and with tags for models of tags.

    A blank line inside a text still begins a sentence. The pipeline must not be used for something
    else before the last Doc.
    """
    if kind != "tags":
        yield from tokenise(texts, nlp=nlp)
        return
    pipeline = load_pipeline(nlp)
    used = TAGGING if "tagger" in pipeline.pipe_names else WITHOUT_TAGGER
    unused = [name for name in pipeline.pipe_names if name not in used]
    with pipeline.select_pipes(disable=unused):
        yield from parse_stream(texts, nlp=nlp, batch_size=batch_size)


def sentences(doc: Doc, kind: Kind) -> list[list[str]]:
    """Return the words (or tags) of each sentence that a model would score, case as typed."""
    if kind != "tags" and not source_of(doc).breaks:  # a view would cost as much as the tokens
        words = [token.text for token in doc if not token.is_space]
        return [words] if any(map(is_word, words)) else []
    seen = view(doc)
    units = seen.tags if kind == "tags" else seen.texts
    return [units[start:stop] for start, stop in bounds(seen)]
