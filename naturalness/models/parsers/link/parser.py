"""Docs -> `LinkedSentence`s, kept beside the Doc, so that group and metric share one parse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from naturalness.errors import NaturalnessError
from naturalness.models.parsers.link.base import CAP, Figures, LinkedSentence, Settings, Unlinked
from naturalness.models.parsers.link.library import Library, opened
from naturalness.models.parsers.link.linkages import link
from naturalness.models.parsers.sentences import Sentence, sentences_of
from naturalness.models.sentences import spaces_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

__all__ = ["CAP", "LinkParser", "LinkedSentence", "Settings", "available", "parsed", "version"]

NAME = "link"
DEFAULTS = Settings()


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
        """For each Doc its sentences that have a word."""
        library = opened()
        return [
            [self._sentence(library, sentence, spaces) for sentence in sentences_of(doc)]
            for doc, spaces in zip(docs, map(spaces_of, docs), strict=True)
        ]

    def _sentence(self, library: Library, sentence: Sentence, spaces: Sequence[bool]) -> LinkedSentence:
        start, stop, words = sentence
        if len(words) > self.settings.tokens:
            problem = f"a sentence of {len(words)} tokens; Link Grammar is given at most {self.settings.tokens}"
            return LinkedSentence(start, stop, problem=problem)
        gaps = (" " if space else "" for space in spaces[start:stop])
        text = "".join(f"{word}{gap}" for word, gap in zip(words, gaps, strict=True))
        try:
            return linked(start, stop, link(library, text, self.settings))
        except Unlinked as reason:
            return LinkedSentence(start, stop, problem=str(reason))


def linked(start: int, stop: int, figures: Figures) -> LinkedSentence:
    """A sentence with its figures."""
    lengths = figures.links
    found = LinkedSentence(
        start,
        stop,
        figures.nulls,
        min(figures.found, CAP),
        figures.valid,
        figures.violating,
        figures.disjunct_cost,
        float(figures.link_cost),
    )
    if not lengths:
        return found
    return replace(found, link_length_mean=sum(lengths) / len(lengths), link_length_max=float(max(lengths)))


def parsed(docs: Sequence[Doc], parser: LinkParser | None = None) -> list[list[LinkedSentence]]:
    """For each Doc its sentences that have a word, kept beside the Doc."""
    asked = parser or LinkParser()
    key = f"naturalness.links.{asked.signature}"
    new = [doc for doc in docs if key not in doc.user_data]
    for doc, found in zip(new, asked.link(new), strict=True):
        doc.user_data[key] = found
    return [doc.user_data[key] for doc in docs]


def version() -> str:
    """Versions of library and dictionary, for a saved model to remember."""
    return opened().version


def available() -> str:
    """Why Link Grammar cannot be used here; empty where it can."""
    try:
        opened()
    except NaturalnessError as error:
        return str(error)
    return ""
