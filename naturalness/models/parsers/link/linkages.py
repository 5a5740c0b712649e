"""One sentence through the library: nulls are added until it can be linked.

The library ends the process where it meets what it did not expect, an empty text among others;
`plain` keeps from it what is known to bring it there.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from naturalness.models.parsers.link.base import Figures, Settings, Unlinked
from naturalness.models.parsers.link.library import Library

WALLS = (b"LEFT-WALL", b"RIGHT-WALL")
UNPRINTED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
"""Categories of characters that the library must not see, but for the space."""


def link(library: Library, text: str, settings: Settings) -> Figures:
    """The figures of one sentence; `Unlinked` says why there are none."""
    written = plain(text)
    if not written:
        raise Unlinked("a sentence of which Link Grammar can read nothing")
    calls = library.calls
    with library.listener.listening():
        sentence = calls.sentence_create(written.encode(), library.dictionary)
        try:
            return _linked(library, sentence, settings)
        finally:
            calls.sentence_delete(sentence)


def plain(text: str) -> str:
    """The text with spaces for all that is not printed."""
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in UNPRINTED else c for c in text)
    return " ".join(text.split())


def _linked(library: Library, sentence: int, settings: Settings) -> Figures:
    calls, started, nulls, words = library.calls, time.thread_time(), 0, 0
    late = f"a sentence that Link Grammar needs more than {settings.seconds} seconds for"
    while nulls <= words:
        left = settings.seconds - (time.thread_time() - started)
        if left <= 0:
            raise Unlinked(late)
        # The library changes options while it parses: each turn has its own.
        with _options(library, settings, nulls, ceil(left)) as options:
            if not nulls and calls.sentence_split(sentence, options) < 0:
                raise Unlinked(_unread(library))
            words = calls.sentence_length(sentence)
            done = calls.sentence_parse(sentence, options)
            if calls.parse_options_resources_exhausted(options):
                raise Unlinked(late)
            if done < 0:
                raise Unlinked(_unread(library))
            if calls.sentence_num_linkages_post_processed(sentence) > 0:
                return _figures(library, sentence, options, nulls)
        nulls += 1
    raise Unlinked("a sentence for which Link Grammar finds no linkage, whatever is left out")


def _unread(library: Library) -> str:
    told = library.listener.errors()
    return f"a sentence that Link Grammar cannot read{told and f' ({told})'}"


@contextmanager
def _options(library: Library, settings: Settings, nulls: int, seconds: int) -> Iterator[int]:
    calls = library.calls
    options = calls.parse_options_create()
    try:
        calls.parse_options_set_verbosity(options, 0)
        calls.parse_options_set_linkage_limit(options, settings.linkages)
        calls.parse_options_set_short_length(options, settings.short_length)
        # Guesses at spelling depend on which hunspell dictionaries are installed.
        calls.parse_options_set_spell_guess(options, 0)
        calls.parse_options_set_min_null_count(options, nulls)
        calls.parse_options_set_max_null_count(options, nulls)
        calls.parse_options_set_max_parse_time(options, seconds)
        yield options
    finally:
        calls.parse_options_delete(options)


def _figures(library: Library, sentence: int, options: int, nulls: int) -> Figures:
    calls = library.calls
    valid = calls.sentence_num_valid_linkages(sentence)
    return Figures(
        nulls=nulls,
        found=calls.sentence_num_linkages_found(sentence),
        valid=valid,
        violating=calls.sentence_num_linkages_post_processed(sentence) - valid,
        disjunct_cost=calls.sentence_disjunct_cost(sentence, 0),
        link_cost=calls.sentence_link_cost(sentence, 0),
        links=_links(library, sentence, options),
    )


def _links(library: Library, sentence: int, options: int) -> tuple[int, ...]:
    """Lengths of the links between words of the best linkage."""
    calls = library.calls
    linkage = calls.linkage_create(0, sentence, options)
    if not linkage:
        return ()
    try:
        ends = (0, calls.linkage_get_num_words(linkage) - 1)
        walls = {i for i in ends if calls.linkage_get_word(linkage, i) in WALLS}
        pairs = [
            (calls.linkage_get_link_lword(linkage, i), calls.linkage_get_link_rword(linkage, i))
            for i in range(calls.linkage_get_num_links(linkage))
        ]
        return tuple(right - left for left, right in pairs if walls.isdisjoint((left, right)))
    finally:
        calls.linkage_delete(linkage)
