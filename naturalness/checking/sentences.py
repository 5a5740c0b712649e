"""Files cut into sentences, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from naturalness.checking.places import Region
from naturalness.checking.sources import Source
from naturalness.text.mapped import MappedText, joined

By = Literal["sentence", "line"]
UNITS: tuple[By, ...] = ("sentence", "line")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a file, without its markup."""

    source: Source
    prose: MappedText

    @property
    def text(self) -> str:
        """What is judged; a line end inside it is a space."""
        return self.prose.text

    def region(self, start: int = 0, end: int | None = None) -> Region:
        """Where ``text[start:end]`` stands in the file."""
        stop = len(self.text) if end is None else end
        return self.source.lines.region(*self.prose.span(start, stop))


def sentences(source: Source, *, by: By = "sentence", nlp: str = "en", batch_size: int = 64) -> list[Sentence]:
    """The sentences of a file as the parser finds them in each paragraph, or its lines."""
    shown = source.markup.shown
    if by == "line":
        lines = (shown(line.stripped()) for lines in source.markup.passages(source.text) for line in lines)
        return [Sentence(source, line) for line in lines if line.text]
    paragraphs = [shown(joined(lines)) for lines in source.markup.passages(source.text)]
    found = split([one for one in paragraphs if one.text], nlp=nlp, batch_size=batch_size)
    return [Sentence(source, one) for one in found]


def split(paragraphs: Sequence[MappedText], *, nlp: str, batch_size: int) -> Iterator[MappedText]:
    """The sentences of paragraphs; one that cannot be read stays whole."""
    from naturalness.text.parsing import original_span, parse, short_memory, unusable

    with short_memory(nlp=nlp):
        docs = parse([one.text for one in paragraphs], nlp=nlp, batch_size=batch_size)
        for paragraph, doc in zip(paragraphs, docs, strict=True):
            if unusable(doc):
                yield paragraph
                continue
            for sentence in doc.sents:
                part = paragraph.cut(*original_span(doc, sentence.start_char, sentence.end_char))
                if part.stripped().text:
                    yield part.stripped()
