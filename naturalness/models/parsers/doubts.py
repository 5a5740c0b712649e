"""How confident the shipped dependency parser is in each arc, as a probability.

The parser is transition-based: each action draws a labelled arc to the left or to the right, or draws none. An arc's
probability is that of the action that drew it. Word vectors that the Doc already has are reused, so this takes a
fraction of the time of a parse.

The shipped parser is used even if another pipeline made the Doc, since GLEU was fitted with the shipped one. The last
bits of a probability depend on the other texts in the batch, so count the probabilities below a threshold instead of
adding them up.

The Docs of a batch advance together, one action at a time; a long Doc is split into its sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from naturalness.arrays import Float32Array
from naturalness.models.parsers.base import MAX_TOKENS
from naturalness.text.parsing import load_pipeline, short_memory
from naturalness.text.view import stored_beside

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span
    from spacy.vocab import Vocab

KEY = "naturalness.arcs"
TOGETHER = 128
"""Number of Docs per batch."""
LONG = 1000
"""Number of tokens above which a Doc is split into sentences."""


class _Configuration(NamedTuple):
    """Parser state: the tokens at the top of the stack and next in the input, and the heads of both; -1 means none."""

    top: int
    following: int
    head_of_top: int
    head_of_following: int


def arc_probabilities(docs: Sequence[Doc]) -> list[list[float]]:
    """Return the probability, 0..1, of each token's arc to its head; 1 for a root. Results are stored beside the Doc.

    The Doc's sentence boundaries are used. In a Doc of more than `LONG` tokens, tokens in sentences of more than 200
    tokens get NaN.
    """

    def measure(docs: Sequence[Doc]) -> Iterator[list[float]]:
        short = iter(_in_batches([doc for doc in docs if len(doc) <= LONG]))
        return (next(short) if len(doc) <= LONG else _by_sentences(doc) for doc in docs)

    return stored_beside(docs, KEY, measure)


def _by_sentences(doc: Doc) -> list[float]:
    probabilities = [float("nan")] * len(doc)
    spans = []
    for span in doc.sents:
        tokens = sum(not token.is_space for token in span)
        if tokens < 2:  # a root without dependents
            probabilities[span.start : span.end] = [1.0] * len(span)
        elif tokens <= MAX_TOKENS:
            spans.append(span)
    parts = (_alone(span) for span in spans)
    for span, of_sentence in zip(spans, _in_batches(parts), strict=True):
        probabilities[span.start : span.end] = of_sentence
    return probabilities


def _alone(span: Span) -> Doc:
    """Return a sentence as a Doc with its vectors; spaCy's `as_doc` would take time in proportion to the whole Doc."""
    copy = _copy(span, span.doc.vocab)
    copy.tensor = span.doc.tensor[span.start : span.end]
    return copy


def _copy(tokens: Doc | Span, vocab: Vocab) -> Doc:
    """Return a new Doc with the same tokens and sentence boundaries."""
    from spacy.tokens import Doc as New

    return New(
        vocab,
        [token.text for token in tokens],
        [bool(token.whitespace_) for token in tokens],
        sent_starts=[bool(token.is_sent_start) for token in tokens],
    )


def _in_batches(docs: Iterable[Doc]) -> Iterator[list[float]]:
    rest = iter(docs)
    while batch := list(islice(rest, TOGETHER)):
        with short_memory():  # frees the memory that the words of copied Docs take
            probabilities = _go_through(batch)
        yield from probabilities


def _go_through(docs: Sequence[Doc]) -> list[list[float]]:
    nlp = load_pipeline()
    all_probabilities = [[1.0] * len(doc) for doc in docs]
    of_docs = [probabilities for probabilities in all_probabilities if probabilities]
    read = [_read(doc, nlp) for doc in docs if len(doc)]
    if not read:
        return all_probabilities
    parser = nlp.get_pipe("parser")
    left, right = (np.array([name.startswith(side) for name in parser.move_names]) for side in ("L-", "R-"))
    states = parser.moves.init_batch(read)
    step = parser.model.predict(read)
    live = [pair for pair in zip(states, of_docs, strict=True) if not pair[0].is_final()]
    while live:
        running = [state for state, _ in live]
        scores = np.ascontiguousarray(step.predict(running))
        shares = _softmax(scores)
        to_left, to_right = shares[:, left].max(axis=1), shares[:, right].max(axis=1)
        before = [_configuration(state) for state in running]
        parser.transition_states(running, scores)
        for row, (state, probabilities) in enumerate(live):
            _note(state, before[row], probabilities, float(to_left[row]), float(to_right[row]))
        live = [pair for pair in live if not pair[0].is_final()]
    return all_probabilities


def _read(doc: Doc, nlp: Language) -> Doc:
    """Return the Doc if it has the vectors of the shipped pipeline, otherwise a copy that has them."""
    if doc.vocab is nlp.vocab and len(doc.tensor) == len(doc):
        return doc
    return nlp.get_pipe("tok2vec")(_copy(doc, nlp.vocab))


def _softmax(scores: Float32Array) -> Float32Array:
    shares: Float32Array = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def _configuration(state: Any) -> _Configuration:
    top, following = state.S(0), state.B(0)
    head_of_top = state.H(top) if top >= 0 else -1
    head_of_following = state.H(following) if following >= 0 else -1
    return _Configuration(top, following, head_of_top, head_of_following)


def _note(state: Any, before: _Configuration, probabilities: list[float], left: float, right: float) -> None:
    """If an action has drawn an arc, record its probability."""
    if before.top < 0 or before.following < 0:
        return
    if before.head_of_top != before.following and state.H(before.top) == before.following:
        probabilities[before.top] = left
    elif before.head_of_following != before.top and state.H(before.following) == before.top:
        probabilities[before.following] = right
