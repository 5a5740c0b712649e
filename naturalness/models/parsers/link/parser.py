"""Docs -> `LinkedSentence`s, kept beside the Doc, so that group and metric share one parse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from naturalness.errors import NaturalnessError
from naturalness.models.parsers.base import Sentence, sentences_of
from naturalness.models.parsers.link.library import CAP, Figures, Library, Settings, Unlinked, link, opened
from naturalness.models.sentences import spaces_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAME = "link"
DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """Link Grammar's figures for one sentence of a Doc.

    All figures are those at the fewest nulls that give a linkage, valid or not: whether one is
    valid is told from a sample, and the null count must not depend on a draw. Where there is a
    problem, the counts are 0 and costs and lengths NaN: none of them says anything.
    """

    start: int
    stop: int
    """Tokens of the Doc's view, marks included."""
    nulls: int = 0
    """Words and marks that no linkage can take in; 0 where all can be joined."""
    linkages: int = 0
    """Linkages with so many nulls, before post-processing, at most `CAP`."""
    valid: int = 0
    """Linkages that keep the post-processing rules, among those looked at."""
    violating: int = 0
    """Linkages that break them; with `valid`, at most as many as are looked at."""
    disjunct_cost: float = math.nan
    """Of the best linkage, valid ones before others: how unusual its words' uses are."""
    link_cost: float = math.nan
    """Of the best linkage: lengths of its links, each less one, added up."""
    link_length_mean: float = math.nan
    link_length_max: float = math.nan
    """Of the best linkage: words from end to end of a link, 1 for neighbours; links to the walls
    left out; NaN where there are no others."""
    problem: str = ""
    """Why the sentence could not be measured."""

    @property
    def tokens(self) -> int:
        """Tokens of the sentence, marks included."""
        return self.stop - self.start

    @property
    def complete(self) -> bool:
        """Whether there is a valid linkage of all its words."""
        return not self.problem and self.nulls == 0 and self.valid > 0


@dataclass(frozen=True, slots=True)
class LinkParser:
    """Links the sentences of Docs. The same Doc gets the same figures in any company.

    Time alone can part two runs: a sentence that takes nearly `Settings.seconds` may run out on a
    slower machine, and then has a problem in place of figures.
    """

    settings: Settings = DEFAULTS
    name: str = NAME

    @property
    def signature(self) -> str:
        """Versions of library and dictionary, and settings, to write beside numbers."""
        return f"{opened().version}|{self.settings.signature}"

    def link(self, docs: Sequence[Doc]) -> list[list[LinkedSentence]]:
        """Return, for each Doc, its sentences that have a word."""
        library = opened()
        return [
            [self._sentence(library, sentence, spaces) for sentence in sentences_of(doc)]
            for doc, spaces in zip(docs, map(spaces_of, docs), strict=True)
        ]

    def _sentence(self, library: Library, sentence: Sentence, spaces: Sequence[bool]) -> LinkedSentence:
        start, stop, words = sentence
        if len(words) > self.settings.tokens:
            problem = f"a sentence of {len(words)} tokens; Link Grammar gets at most {self.settings.tokens}"
            return LinkedSentence(start, stop, problem=problem)
        gaps = (" " if space else "" for space in spaces[start:stop])
        text = "".join(f"{word}{gap}" for word, gap in zip(words, gaps, strict=True))
        try:
            return linked(start, stop, link(library, text, self.settings))
        except Unlinked as reason:
            return LinkedSentence(start, stop, problem=str(reason))


def linked(start: int, stop: int, figures: Figures) -> LinkedSentence:
    """Return a sentence with its figures."""
    lengths = figures.links
    sentence = LinkedSentence(
        start,
        stop,
        figures.nulls,
        min(figures.linkages, CAP),
        figures.valid,
        figures.violating,
        figures.disjunct_cost,
        float(figures.link_cost),
    )
    if not lengths:
        return sentence
    return replace(sentence, link_length_mean=sum(lengths) / len(lengths), link_length_max=float(max(lengths)))


def parsed(docs: Sequence[Doc], parser: LinkParser | None = None) -> list[list[LinkedSentence]]:
    """Return, for each Doc, its sentences that have a word, stored beside the Doc."""
    linker = parser or LinkParser()
    key = f"naturalness.links.{linker.signature}"
    new = [doc for doc in docs if key not in doc.user_data]
    for doc, sentences in zip(new, linker.link(new), strict=True):
        doc.user_data[key] = sentences
    return [doc.user_data[key] for doc in docs]


def version() -> str:
    """Return the versions of library and dictionary, for a saved model to remember."""
    return opened().version


def available() -> str:
    """Return why Link Grammar cannot be used here; empty where it can."""
    try:
        opened()
    except NaturalnessError as error:
        return str(error)
    return ""
