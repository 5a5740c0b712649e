"""Sentences from which words are drawn, tagged with Penn tags or supertags.

Only sentences that start with a letter, end in a full stop and have no sentence-final mark elsewhere
are used, so that every generated text can start with a capital and has one full stop, at its end.

The supertags are our own: they combine a word's tag with its position in the dependency tree. A supertag consists of
the Penn tag, the dependency label with the side of the head (``<`` left, ``>`` right; none for a
root), and in brackets the sorted labels of the dependents, those on the left before the ``_``, those
on the right after it. Labels are Universal Dependencies without subtypes; punctuation does not count
as a dependent. In *She gave him an
old book.*

    She   PRP nsubj> [_]
    gave  VBD root [nsubj _ iobj obj]
    him   PRP iobj< [_]
    an    DT det> [_]
    old   JJ amod> [_]
    book  NN obj< [amod det _]
    .     . punct< [_]

Like the supertags of categorial grammars, they describe the context that a word needs: a verb with two objects has a
different supertag from an intransitive one. A supertag seen fewer than `MIN_SUPERTAG_COUNT` times is backed off to tag,
label and side (``NN obj<``), and if that is also too rare, to the tag (``NN``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from naturalness.errors import PipelineError
from naturalness.text.view import Doc, View, bounds, view

STOP = "."
ENDS = frozenset({".", "?", "!"})
NAMES = ("NNP", "NNPS")
"""The Penn tags of names, which keep their capital."""
MIN_SUPERTAG_COUNT = 5
"""The minimum count of a supertag that is not backed off."""
Levels = tuple[str, str, str]
"""A supertag, and the coarser tags to which it is backed off."""


class TaggedToken(NamedTuple):
    """A token, whether a space follows it, and its tag."""

    text: str
    space: bool
    tag: str


Tagged = Sequence[TaggedToken]


def pos_tagged(docs: Iterable[Doc]) -> list[Tagged]:
    """Return the usable sentences of tagged Docs with their Penn tags; no parse is needed."""
    return [tagged(doc, start, stop, view(doc).tags[start:stop]) for doc, start, stop in usable(docs)]


def usable(docs: Iterable[Doc]) -> Iterator[tuple[Doc, int, int]]:
    """Yield each usable sentence as a Doc and the indices of the sentence's start and end in the Doc's view."""
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
    """Return whether a sentence starts with a letter and its only sentence-final mark is a full stop at its end."""
    if len(texts) < 2 or texts[-1] != STOP or not texts[0][0].isalpha():
        return False
    return not any(text in ENDS or tag == STOP for text, tag in zip(texts[:-1], tags, strict=False))


def tagged(doc: Doc, start: int, stop: int, tags: Sequence[str]) -> Tagged:
    """Return the tokens of a sentence with their tags, with the first word spelled as inside a sentence."""
    seen = view(doc)
    spaces = [bool(doc[i].whitespace_) for i in seen.positions[start:stop]]
    texts = [inner(seen.texts[start], seen.tags[start]), *seen.texts[start + 1 : stop]]
    return [TaggedToken(*t) for t in zip(texts, spaces, tags, strict=True)]


def inner(first: str, tag: str) -> str:
    """Return the first word of a sentence as written inside one: in lower case unless it is a name."""
    if tag in NAMES or first == "I" or not first.istitle():
        return first
    return first[0].lower() + first[1:]


def supertagged(docs: Iterable[Doc], *, min_count: int = MIN_SUPERTAG_COUNT) -> list[Tagged]:
    """Return the usable sentences of parsed Docs with supertags; rare supertags are backed off."""
    sentences = list(usable(docs))
    chosen = backed_off([levels(view(doc), start, stop) for doc, start, stop in sentences], min_count)
    return [tagged(doc, start, stop, names) for (doc, start, stop), names in zip(sentences, chosen, strict=True)]


def levels(seen: View, start: int, stop: int) -> list[Levels]:
    """Return the supertag of each token of a sentence, with the tags to which it is backed off."""
    left: list[list[str]] = [[] for _ in range(start, stop)]
    right: list[list[str]] = [[] for _ in range(start, stop)]
    labels = [dep.split(":")[0].lower() for dep in seen.deps[start:stop]]
    for i, head in enumerate(seen.heads[start:stop], start=start):
        if start <= head < stop and head != i and labels[i - start] != "punct":
            (left if i < head else right)[head - start].append(labels[i - start])
    supertags = []
    for i, label in enumerate(labels, start=start):
        head = seen.heads[i]
        side = "" if head == i else "<" if head < i else ">"
        middle = f"{seen.tags[i]} {label}{side}"
        inside = " ".join([*sorted(left[i - start]), "_", *sorted(right[i - start])])
        supertags.append((f"{middle} [{inside}]", middle, seen.tags[i]))
    return supertags


def backed_off(sentences: Sequence[Sequence[Levels]], min_count: int) -> list[list[str]]:
    """Return, for each token, the finest of its levels that is frequent enough, or the coarsest if none is.

    The count of a coarser level includes only the tokens that were backed off to it.
    """
    tokens = [(names, 0) for sentence in sentences for names in sentence]
    for level in (0, 1):
        counts = Counter(names[level] for names, at in tokens if at == level)
        tokens = [
            (names, level + 1 if at == level and counts[names[level]] < min_count else at) for names, at in tokens
        ]
    chosen = iter(names[at] for names, at in tokens)
    return [[next(chosen) for _ in sentence] for sentence in sentences]
