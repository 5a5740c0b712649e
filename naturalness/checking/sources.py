"""Files to check: their markup, their sentences, and the positions of the sentences."""

from __future__ import annotations

import os
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path, PurePath
from typing import NamedTuple

from naturalness.checking import markdown, plain
from naturalness.checking.fragments import (
    ENDING,
    QUOTING_ELEMENT,
    REFERENCE,
    is_code_passage,
    quotations,
    titles,
    without_label,
)
from naturalness.checking.plain import Comments, Lines, Passage, Region, code_spans, ignored_lines
from naturalness.data.formats import STANDARD, no_file
from naturalness.errors import TableError
from naturalness.files.storage import seen_from
from naturalness.text.mapped import MappedText, join_lines
from naturalness.text.view import Doc, word_set


class Markup(NamedTuple):
    """The functions that read a markup format."""

    passages: Callable[[str, Comments], Iterator[Passage]]
    """Yields paragraphs, headings and list items, and records the comments addressed to the checker."""
    shown: Callable[[MappedText], MappedText]
    """Returns a paragraph without its inline markup."""


PLAIN = Markup(plain.passages, plain.as_written)
MARKDOWN = Markup(markdown.passages, markdown.without_markup)
SUFFIXES = dict.fromkeys(word_set(".md .markdown .mdown .mkd .mdx .qmd .rmd"), MARKDOWN)
"""Markup by file extension; any other file is plain text."""
STANDARD_INPUT = "<stdin>"
"""The name of standard input unless it is given another."""
UNREADABLE = {
    **dict.fromkeys(word_set(".csv .tsv .jsonl .ndjson .parquet .pq"), "score it, or label it"),
    **dict.fromkeys(word_set(".html .htm .xml .json .pdf .docx .rst .rest"), "convert it to Markdown or plain text"),
}
"""Extensions of files that are not prose, each with advice for the error message."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file and its text."""

    name: str
    """The path as the user wrote it, or the name given to standard input."""
    text: str
    markup: Markup
    lines: Lines

    @property
    def is_fixable(self) -> bool:
        """Whether the file is taken for running text, by its extension; scripts and other files may be source code."""
        is_plain = PurePath(self.name).suffix.lower() in ("", ".txt") and not self.text.startswith("#!")
        return self.markup is MARKDOWN or is_plain


def files_in(
    names: Sequence[str], exclude: Sequence[tuple[Path, str]] = (), *, standard_name: str = STANDARD_INPUT
) -> tuple[list[str], int]:
    """Return the files to check, each once, and the number of files that ``exclude`` leaves out.

    For a folder, these are the files inside it with a known extension. Names that begin with a dot are skipped, and so
    are links, since their targets may lie outside the folder. ``exclude`` holds patterns, each with the folder that it
    is relative to. Standard input is left out if it was given the name of a file that is.
    """
    every: dict[str, tuple[str, bool]] = {}
    for name in names:
        if not name:
            raise TableError("a file name is empty; expected a file or folder (. is the working directory)")
        inside = _texts_in(Path(name)) if name != STANDARD and Path(name).is_dir() else [name]
        if not inside:
            raise TableError(f"no text in folder {name!r}; expected files such as .md or .txt")
        for file in inside:
            path = standard_name if file == STANDARD else file
            excluded = path != STANDARD_INPUT and any(matches(path, base, pattern) for base, pattern in exclude)
            every.setdefault(file if file == STANDARD else os.path.abspath(file), (file, excluded))  # noqa: PTH100 (links stay)
    return [file for file, left_out in every.values() if not left_out], sum(left_out for _, left_out in every.values())


def _texts_in(folder: Path) -> list[str]:
    return sorted(
        str(path)
        for path in folder.rglob("*")
        if path.suffix.lower() in (*SUFFIXES, ".txt")
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.is_file()
        and not path.is_symlink()
    )


def matches(file: str, base: Path, pattern: str) -> bool:
    """Return whether a pattern matches the path of a file, a folder above it, or a part of the path."""
    path = seen_from(base.absolute(), Path(file).absolute())
    above = [path, *path.parents[:-1]]
    return any(
        fnmatchcase(name, pattern.removeprefix("./").rstrip("/"))
        for name in (*(part.as_posix() for part in above), *(f"./{part.as_posix()}" for part in above), *path.parts)
    )


def read_source(path: str, *, standard_name: str = STANDARD_INPUT) -> Source:
    """Read a UTF-8 file, or standard input (``-``)."""
    if path == STANDARD:
        return make_source(standard_name, _decoded(sys.stdin.buffer.read(), "standard input"))
    file = Path(path)
    if not file.is_file():
        raise no_file(path)
    if advice := UNREADABLE.get(file.suffix.lower()):
        raise TableError(f"{path!r} is not a file that check can read; {advice}, or pipe it in as plain text")
    return make_source(path, _decoded(file.read_bytes(), repr(path)))


def make_source(name: str, text: str) -> Source:
    """Return a text as a source; the extension of the name determines the markup."""
    markup = SUFFIXES.get(PurePath(name).suffix.lower(), PLAIN)
    return Source(name, text, markup, Lines(text))


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{name} is not UTF-8 (line {line}); convert it first, such as with iconv -f LATIN1 -t UTF-8"
        ) from None


@dataclass(frozen=True, slots=True)
class FileSentence:
    """A sentence of a file, without its markup."""

    source: Source
    prose: MappedText
    ignored: frozenset[str] = frozenset()
    """Codes that comments ignore in this sentence."""
    code: tuple[tuple[int, int], ...] = ()
    """Spans of the text that are marked as code in the file."""
    titles: tuple[tuple[int, int], ...] = ()
    """Spans of titles: capitalised texts of links, or in quotes or emphasis."""
    exempt: tuple[tuple[int, int], ...] = ()
    """Spans that fixes leave alone: quotations, labels of links and emphasis; they may begin or end in another
    sentence."""
    needs_clause: bool = False
    """Whether the text counts as a sentence only if it has a clause, since it does not stand in a paragraph or has no
    punctuation at its end."""
    is_passage: bool = False
    """Whether the text is a whole passage, which is judged by its voice."""

    @property
    def text(self) -> str:
        """The text to score, in which line ends are spaces."""
        return self.prose.text

    def region(self, start: int = 0, end: int | None = None) -> Region:
        """Return the region of the file that contains ``text[start:end]``."""
        stop = len(self.text) if end is None else end
        return self.source.lines.region(*self.prose.span(start, stop))


def sentences(source: Source, *, nlp: str = "en", with_passages: bool = False) -> list[FileSentence]:
    """Return the sentences of a file's passages; with ``with_passages``, each passage as a whole precedes them."""
    comments = Comments()
    passages = [*source.markup.passages(source.text, comments)]
    ignored = ignored_lines(source.name, source.lines, comments)
    code = [span for passage in passages for span in _spans(source, passage, code_spans)]
    names = [span for passage in passages for span in _spans(source, passage, titles)]
    quoted = [span for passage in passages for span in _spans(source, passage, quotations)]
    in_markdown = passages if source.markup is MARKDOWN else []
    labels = [span for passage in in_markdown for span in _spans(source, passage, markdown.labels_and_emphasis)]
    elements = [match.span() for match in QUOTING_ELEMENT.finditer(source.text)]

    def sentence(part: MappedText, *, needs_clause: bool = False, is_passage: bool = False) -> FileSentence:
        ends = 0, len(ENDING.sub("", part.text))
        named = tuple(span for span in _spans_in(part, names) if span != ends)
        ignored_here, code_here = _ignored(source, part, ignored), _spans_in(part, code)
        exempt = _spans_in(part, quoted) + _spans_in(part, elements) + _spans_in(part, labels)
        return FileSentence(source, part, ignored_here, code_here, named, exempt, needs_clause, is_passage)

    def whole(text: MappedText) -> list[FileSentence]:
        return [sentence(text, is_passage=True)] if with_passages and text.text else []

    passages = [passage for passage in passages if not is_code_passage(passage.lines)]
    texts = [prose(source, passage) for passage in passages]
    every: list[FileSentence] = []
    for passage, text, parts in zip(passages, texts, split(texts, nlp), strict=True):
        every += whole(text)
        every += (sentence(s, needs_clause=not (passage.is_paragraph and ENDING.search(s.text))) for s in parts)
    return every


def prose(source: Source, passage: Passage) -> MappedText:
    """Return the text of a passage without its markup, references, and the term that it explains."""
    whole = join_lines(passage.lines)
    shown = source.markup.shown(whole if passage.is_paragraph else without_label(whole))
    return shown.without([match.span() for match in REFERENCE.finditer(shown.text)]).stripped()


def _spans(
    source: Source, passage: Passage, find: Callable[[str, int, int], Iterator[tuple[int, int]]]
) -> Iterator[tuple[int, int]]:
    """Yield what ``find`` finds in a passage, as character offsets in the file."""
    ends = [(line.starts[0], line.ends[-1]) for line in passage.lines if line.text]
    if ends:
        yield from find(source.text, ends[0][0], ends[-1][1])


def _spans_in(part: MappedText, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the spans that lie in a sentence, as offsets in its text."""
    inside = []
    for i in range(max(bisect_right(spans, (part.starts[0],)) - 1, 0), len(spans)):
        start, end = spans[i]
        if start >= part.ends[-1]:
            break
        first, last = bisect_left(part.starts, start), bisect_left(part.starts, end)
        if first < last:
            inside.append((first, last))
    return tuple(inside)


def _ignored(source: Source, part: MappedText, lines: Mapping[int, frozenset[str]]) -> frozenset[str]:
    """Return the codes that are ignored on any line of a sentence."""
    if not lines:
        return frozenset()
    region = source.lines.region(*part.span(0, len(part.text)))
    return frozenset().union(*(lines.get(line, ()) for line in range(region.line, region.end_line + 1)))


def split(paragraphs: Sequence[MappedText], nlp: str) -> list[list[MappedText]]:
    """Split each paragraph into sentences; a paragraph that cannot be scored is kept whole."""
    from naturalness.text.parsing import read_docs, short_memory

    texts = [paragraph.text for paragraph in paragraphs]
    with short_memory(nlp=nlp):
        bounds = [_bounds(doc) for doc in read_docs(texts, nlp=nlp, parsed=False)]
    cut = (
        [paragraph.cut(*span).stripped() for span in spans or [(0, len(paragraph.text))]]
        for paragraph, spans in zip(paragraphs, bounds, strict=True)
    )
    return [[part for part in parts if part.text] for parts in cut]


def _bounds(doc: Doc) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a paragraph; none if it cannot be scored."""
    from naturalness.text.parsing import original_span, unusable

    # What has no blank before it is the second half of a name such as "fs.Stats".
    text = doc.text  # spaCy rebuilds it on each access
    starts = [s.start_char for s in doc.sents if not s.start_char or text[s.start_char - 1].isspace()]
    pairs = [] if unusable(doc) else pairwise([*starts, len(text)])
    return [original_span(doc, *pair) for pair in pairs]
