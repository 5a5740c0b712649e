"""Tagged sentences that words are drawn from: whole ones, from a letter to a full stop.

A sentence that starts with a quotation mark or a number, ends otherwise, or has a mark of an end
before its last token is left out: every text that is made of the others can start with a capital
and has one full stop, at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from naturalness.errors import PipelineError
from naturalness.models.sentences import bounds
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

STOP = "."
ENDS = frozenset({".", "?", "!"})
NAMES = ("NNP", "NNPS")
"""Penn tags of names, whose capital is their own."""


class TaggedToken(NamedTuple):
    """A token, whether a space follows it, and its tag."""

    text: str
    space: bool
    tag: str


Tagged = Sequence[TaggedToken]


def pos_tagged(docs: Iterable[Doc]) -> list[Tagged]:
    """The usable sentences of tagged Docs with their Penn tags; no parse is needed."""
    return [tagged(doc, start, stop, view(doc).tags[start:stop]) for doc, start, stop in usable(docs)]


def usable(docs: Iterable[Doc]) -> Iterator[tuple[Doc, int, int]]:
    """The sentences from a letter to a full stop: Doc, first token of its view, end."""
    for doc in docs:
        seen = view(doc)
        for start, stop in bounds(seen):
            if not seen.tags[start]:
                raise PipelineError(
                    "the pipeline gives no tags; expected Penn tags, as the component 'tagger' "
                    "gives them: choose another pipeline"
                )
            if is_usable(seen.texts[start:stop], seen.tags[start:stop]):
                yield doc, start, stop


def is_usable(texts: Sequence[str], tags: Sequence[str]) -> bool:
    """Whether a sentence starts with a letter and has its one mark of an end, a stop, last."""
    if len(texts) < 2 or texts[-1] != STOP or not texts[0][0].isalpha():
        return False
    return not any(text in ENDS or tag == STOP for text, tag in zip(texts[:-1], tags, strict=False))


def tagged(doc: Doc, start: int, stop: int, tags: Sequence[str]) -> Tagged:
    """Tokens of a sentence with its tags; the first word is spelled as it would be elsewhere."""
    seen = view(doc)
    spaces = [bool(doc[place].whitespace_) for place in seen.places[start:stop]]
    texts = [inner(seen.texts[start], seen.tags[start]), *seen.texts[start + 1 : stop]]
    return [TaggedToken(*t) for t in zip(texts, spaces, tags, strict=True)]


def inner(first: str, tag: str) -> str:
    """The first word of a sentence as it would be written inside one: small, but for names."""
    if tag in NAMES or first == "I" or not first.istitle():
        return first
    return first[0].lower() + first[1:]
