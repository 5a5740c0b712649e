"""Supertags of our own: a word's tag with its place in the dependency tree.

A supertag is the Penn tag, the label of the word's own dependency with the side on which its head
stands (``<`` left, ``>`` right; a root has none), and in brackets the labels of its dependents,
sorted, those on its left before the ``_`` and those on its right behind it. Labels are those of
Universal Dependencies without subtypes; marks of punctuation are no dependents. In *She gave him an
old book.*

    She   PRP nsubj> [_]
    gave  VBD root [nsubj _ iobj obj]
    him   PRP iobj< [_]
    an    DT det> [_]
    old   JJ amod> [_]
    book  NN obj< [amod det _]
    .     . punct< [_]

So a supertag says what a word needs around it, as those of categorial grammars do: a verb that
takes two objects is another than one that takes none. One that is seen fewer than `LEAST` times is
backed off to tag, label and side (``NN obj<``), and where these are as rare to the tag (``NN``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from naturalness.generating.tagged import Tagged, tagged, usable
from naturalness.text.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

LEAST = 5
"""Times that a supertag must be seen."""
Levels = tuple[str, str, str]
"""The supertag, and the coarser ones to back off to."""


def supertagged(docs: Iterable[Doc], *, least: int = LEAST) -> list[Tagged]:
    """The usable sentences of parsed Docs with supertags, rare ones backed off."""
    found = list(usable(docs))
    chosen = backed_off([levels(view(doc), start, stop) for doc, start, stop in found], least)
    return [tagged(doc, start, stop, names) for (doc, start, stop), names in zip(found, chosen, strict=True)]


def levels(seen: View, start: int, stop: int) -> list[Levels]:
    """For each token of a sentence its supertag and what it backs off to."""
    left: list[list[str]] = [[] for _ in range(start, stop)]
    right: list[list[str]] = [[] for _ in range(start, stop)]
    labels = [dep.split(":")[0].lower() for dep in seen.deps[start:stop]]
    for i, head in enumerate(seen.heads[start:stop], start=start):
        if start <= head < stop and head != i and labels[i - start] != "punct":
            (left if i < head else right)[head - start].append(labels[i - start])
    found = []
    for i, label in enumerate(labels, start=start):
        head = seen.heads[i]
        side = "" if head == i else "<" if head < i else ">"
        middle = f"{seen.tags[i]} {label}{side}"
        inside = " ".join([*sorted(left[i - start]), "_", *sorted(right[i - start])])
        found.append((f"{middle} [{inside}]", middle, seen.tags[i]))
    return found


def backed_off(sentences: Sequence[Sequence[Levels]], least: int) -> list[list[str]]:
    """The finest of each token's levels that is seen often enough; the last one in any case.

    A coarser level is counted over the tokens that come down to it.
    """
    tokens = [(own, 0) for sentence in sentences for own in sentence]
    for level in (0, 1):
        counts = Counter(own[level] for own, at in tokens if at == level)
        tokens = [(own, level + 1 if at == level and counts[own[level]] < least else at) for own, at in tokens]
    names = iter(own[at] for own, at in tokens)
    return [[next(names) for _ in sentence] for sentence in sentences]
