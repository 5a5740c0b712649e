"""Trees of sentences as plain data, and as text, brackets, JSON and SVG."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from naturalness.data.writing import finite
from naturalness.models.parsers.tree import Node, Span, brackets, differences
from naturalness.pages.trees import Picture, lines, picture, sheet, visible

LONGEST = 8
"""Words of a constituent that are told; of a longer one only those at its ends."""


@dataclass(frozen=True, slots=True)
class ShownTree:
    """A tree and what is known of it."""

    root: Node
    logprob: float
    """ln P(tree | sentence)."""
    joint: float
    """ln P(tree, words) under the grammar; NaN where there is none."""

    @property
    def probability(self) -> float:
        """P(tree | sentence)."""
        return math.exp(self.logprob)

    def told(self) -> str:
        """Its numbers, for people."""
        given = f"P {self.probability:.3g}, ln P(tree | sentence) {self.logprob:.4g}"
        return given if math.isnan(self.joint) else f"{given}, ln P(tree, words) {self.joint:.5g}"


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A sentence with its trees, the best first; none where there is a problem."""

    heading: str
    words: list[str]
    tags: list[str]
    trees: list[ShownTree]
    problem: str

    def written(self, tree: ShownTree) -> str:
        """A tree in brackets."""
        return brackets(tree.root, self.words, self.tags)

    def together(self) -> str:
        """The share of the probability that the trees hold."""
        total = math.fsum(tree.probability for tree in self.trees)
        return f"together: P {min(total, 1.0):.3g}"

    def differing(self, tree: ShownTree) -> Iterator[str]:
        """A line for each constituent that only this tree has (+), or only the best one (-)."""
        for added, span in differences(self.trees[0].root, tree.root):
            yield f"{'+' if added else '-'} {span.label}  {_short(self.words, span)}"

    def pictured(self, tree: ShownTree) -> Picture:
        """A tree drawn; frames mark what the best tree has not."""
        found = differences(self.trees[0].root, tree.root)
        new = [span for added, span in found if added]
        return picture(tree.root, self.words, self.tags, marked=new)


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text with its sentences; none where it has a problem of its own."""

    heading: str
    text: str
    sentences: list[ShownSentence]
    problem: str

    def failures(self) -> Iterator[tuple[str, str]]:
        """What has no tree, and why."""
        if self.problem:
            yield self.heading, self.problem
        yield from ((s.heading, s.problem) for s in self.sentences if s.problem)


def _short(words: Sequence[str], span: Span) -> str:
    own = [visible(word) for word in words[span.start : span.stop]]
    return " ".join(own if len(own) <= LONGEST else [*own[:4], "…", *own[-3:]])


def heading(number: str, text: str) -> str:
    """The number of a text or sentence, and what it says."""
    return f"[{number}] {visible(' '.join(text.split())) or '(empty)'}"


def as_text(text: ShownText) -> str:
    """The best tree of each sentence drawn; the others in brackets, with what is different."""
    told = [f"{text.heading}\n   no tree: {text.problem}\n\n"] if text.problem else []
    for sentence in text.sentences:
        told.append(f"{sentence.heading}\n")
        if sentence.problem:
            told.append(f"   no tree: {sentence.problem}\n")
        for place, tree in enumerate(sentence.trees, start=1):
            drawn = (
                lines(tree.root, sentence.words, sentence.tags)
                if place == 1
                else [visible(sentence.written(tree)), *sentence.differing(tree)]
            )
            told += [f"{place}. {tree.told()}\n", *(f"   {line}\n" for line in drawn)]
        told.append(f"{sentence.together()}\n\n" if len(sentence.trees) > 1 else "\n")
    return "".join(told)


def as_brackets(text: ShownText, *, apart: bool) -> str:
    """A tree a line, the best first; ``apart``: with an empty line behind each sentence."""
    return "".join(
        "".join(f"{sentence.written(tree)}\n" for tree in sentence.trees) + "\n" * apart
        for sentence in text.sentences
        if sentence.trees
    )


def as_json(texts: Sequence[ShownText]) -> str:
    """A list with an object per text."""
    rows = [
        {"text": text.text, "sentences": list(map(_sentence_row, text.sentences)), "problem": text.problem}
        for text in texts
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _sentence_row(sentence: ShownSentence) -> dict[str, Any]:
    trees = [
        {
            "brackets": sentence.written(tree),
            "logprob": tree.logprob,
            "probability": tree.probability,
            "joint_logprob": finite(tree.joint),
        }
        for tree in sentence.trees
    ]
    return {"words": sentence.words, "tags": sentence.tags, "trees": trees, "problem": sentence.problem}


def as_svg(texts: Sequence[ShownText]) -> str:
    """All trees below each other as one image."""
    parts: list[tuple[str, Picture | None]] = []
    described: list[str] = []
    for text in texts:
        if text.problem:
            parts += [(text.heading, None), (f"no tree: {text.problem}", None)]
        for sentence in text.sentences:
            parts.append((sentence.heading, None))
            if sentence.problem:
                parts.append((f"no tree: {sentence.problem}", None))
            for place, tree in enumerate(sentence.trees, start=1):
                parts.append((f"{place}. {tree.told()}", sentence.pictured(tree)))
                described.append(sentence.written(tree))
    title = "Constituency trees: " + " ".join(text.heading for text in texts)
    return sheet(parts, title=title, description="\n".join(described)) + "\n"
