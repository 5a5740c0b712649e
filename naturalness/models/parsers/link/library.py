"""liblink-grammar through ctypes: where it lies, what is called of it, and one sentence through it.

It needs no binding, only the C library (5.8 or newer) and its English dictionary, opened once per process. Its
path is given in full: left to itself the library would prefer a dictionary that lies in the current folder. The library
ends the process where it meets what it did not expect, an empty text among others; `plain` keeps from it whatever is
known to bring it there. Nulls are added until a sentence can be linked.
"""

from __future__ import annotations

import ctypes
import os
import re
import threading
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, c_bool, c_char_p, c_float, c_int, c_size_t, c_void_p
from ctypes.util import find_library
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from naturalness.errors import NaturalnessError

CAP = 1_000_000_000
"""Most linkages that are told apart: the library's own count ends at 2,147,483,647."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a sentence is parsed."""

    linkages: int = 50
    """Of more than these, so many are drawn and judged by the post-processing rules."""
    short_length: int = 4
    """Words that most links span at most; those that the dictionary calls unlimited span any."""
    seconds: int = 5
    """Of processor time per sentence."""
    tokens: int = 70
    """A sentence of more is not parsed: time and memory grow with the cube of its length, and time
    again with each word that has to be left out."""

    @property
    def signature(self) -> str:
        """In a form to write beside numbers."""
        return f"linkages:{self.linkages}|short:{self.short_length}|seconds:{self.seconds}|tokens:{self.tokens}"


@dataclass(frozen=True, slots=True)
class Figures:
    """What the library tells of a sentence."""

    nulls: int
    linkages: int
    valid: int
    violating: int
    disjunct_cost: float
    link_cost: float
    links: tuple[int, ...]
    """Lengths of the links of the best linkage, those to walls left out."""


class Unlinked(Exception):
    """The library has no figures for a sentence; the message says why, for the text's reason."""


LIBRARY_VARIABLE = "NATURALNESS_LINK_LIBRARY"
"""Path of the library, where it is not among the system's."""
DICTIONARY_VARIABLE = "NATURALNESS_LINK_DICTIONARY"
"""Folder of the English dictionary, where it is not the one that the library was built for."""
NAMES = (
    "liblink-grammar.so.5",
    "liblink-grammar.5.dylib",
    "/opt/homebrew/lib/liblink-grammar.5.dylib",
    "/usr/local/lib/liblink-grammar.5.dylib",
)
OLDEST = (5, 8, 0)
LANGUAGE, DICTIONARY = "en", "4.0.dict"
INSTALL = (
    "apt-get install link-grammar link-grammar-dictionaries-en (Debian, Ubuntu), or brew install link-grammar (macOS)"
)
WORST = 2
"""Severity up to which a message is an error; above are warnings and news for developers."""

_text, _number, _handle = c_char_p, c_int, c_void_p
_setter = (None, (_handle, _number))
FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "lg_error_set_handler": (_handle, (_handle, _handle)),
    "linkgrammar_get_configuration": (_text, ()),
    "linkgrammar_get_dict_version": (_text, (_handle,)),
    "dictionary_create_lang": (_handle, (_text,)),
    "parse_options_create": (_handle, ()),
    "parse_options_delete": (_number, (_handle,)),
    "parse_options_set_verbosity": _setter,
    "parse_options_set_linkage_limit": _setter,
    "parse_options_set_short_length": _setter,
    "parse_options_set_spell_guess": _setter,
    "parse_options_set_min_null_count": _setter,
    "parse_options_set_max_null_count": _setter,
    "parse_options_set_max_parse_time": _setter,
    "parse_options_resources_exhausted": (c_bool, (_handle,)),
    "sentence_create": (_handle, (_text, _handle)),
    "sentence_delete": (None, (_handle,)),
    "sentence_split": (_number, (_handle, _handle)),
    "sentence_parse": (_number, (_handle, _handle)),
    "sentence_length": (_number, (_handle,)),
    "sentence_num_linkages_found": (_number, (_handle,)),
    "sentence_num_valid_linkages": (_number, (_handle,)),
    "sentence_num_linkages_post_processed": (_number, (_handle,)),
    "sentence_disjunct_cost": (c_float, (_handle, c_size_t)),
    "sentence_link_cost": (_number, (_handle, c_size_t)),
    "linkage_create": (_handle, (c_size_t, _handle, _handle)),
    "linkage_delete": (None, (_handle,)),
    "linkage_get_num_words": (c_size_t, (_handle,)),
    "linkage_get_num_links": (c_size_t, (_handle,)),
    "linkage_get_word": (_text, (_handle, c_size_t)),
    "linkage_get_link_lword": (c_size_t, (_handle, c_size_t)),
    "linkage_get_link_rword": (c_size_t, (_handle, c_size_t)),
}
"""What is called: result and arguments of each."""


class Message(ctypes.Structure):
    """The library's ``lg_errinfo``."""

    _fields_ = (("severity", c_int), ("label", c_char_p), ("text", c_char_p))


class Listener:
    """Takes what the library would print otherwise."""

    def __init__(self, calls: Any) -> None:
        self._calls = calls
        self._heard: list[tuple[int, str]] = []
        self._lock = threading.Lock()
        kind = ctypes.CFUNCTYPE(None, POINTER(Message), c_void_p)
        self._handler = kind(self._hear)  # must live as long as the library may call it

    def _hear(self, message: Any, _: Any) -> None:
        text = (message.contents.text or b"").decode("utf-8", "replace")
        self._heard.append((message.contents.severity, " ".join(text.split())))

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Let no other thread call the library meanwhile."""
        with self._lock:
            self._heard.clear()
            # Each thread has a handler of its own within the library.
            self._calls.lg_error_set_handler(self._handler, None)
            yield

    def errors(self) -> str:
        """Return what went wrong, in the library's words; empty if it named nothing."""
        return " ".join(text for severity, text in self._heard if severity <= WORST)[:200]


@dataclass(frozen=True, slots=True)
class Library:
    """The library with its English dictionary open."""

    version: str
    """Of the library, and of the dictionary."""
    calls: Any = field(repr=False)
    dictionary: int = field(repr=False)
    listener: Listener = field(repr=False)


def opened() -> Library:
    """Return the library, opened once per process; a `NaturalnessError` says what is missing."""
    paths = os.environ.get(LIBRARY_VARIABLE, ""), os.environ.get(DICTIONARY_VARIABLE, "")
    with _opening:
        return _open(*paths)


_opening = threading.Lock()


@cache
def _open(library: str, folder: str) -> Library:
    calls, version = _declared(*_loaded(library))
    path = (Path(folder) if folder else default_folder(calls)).absolute()
    if not (path / DICTIONARY).is_file():
        raise NaturalnessError(
            f"no English dictionary of Link Grammar in {path}, which lacks {DICTIONARY}; run: "
            f"{INSTALL}, or set {DICTIONARY_VARIABLE} to its folder"
        )
    listener = Listener(calls)
    with listener.listening():
        dictionary = calls.dictionary_create_lang(os.fsencode(path))
        if not dictionary:
            raise NaturalnessError(
                f"Link Grammar cannot open the dictionary in {path} ({listener.errors()}); run: {INSTALL}"
            )
        dictionary_version = calls.linkgrammar_get_dict_version(dictionary)
    edition = (dictionary_version or b"unknown").decode("ascii", "replace")
    return Library(f"link-grammar:{version}|dictionary:{edition}", calls, dictionary, listener)


def _loaded(library: str) -> tuple[Any, str]:
    """Return the C library and its name."""
    for name in _candidates(library):
        try:
            return ctypes.CDLL(name), name
        except OSError as error:
            reason = str(error)
    if library:
        raise NaturalnessError(
            f"{LIBRARY_VARIABLE} is {library!r}, which cannot be loaded ({reason:.200}); expected "
            "the path of liblink-grammar"
        )
    raise NaturalnessError(
        f"Link Grammar needs the C library liblink-grammar, which is not here; run: {INSTALL}, or "
        f"set {LIBRARY_VARIABLE} to its path"
    )


def _candidates(library: str) -> Iterator[str]:
    """Yield the library that the user names, alone; else names that it may have."""
    yield from (library,) if library else NAMES
    # It asks other programs, so only where nothing else was found.
    if not library and (system_library := find_library("link-grammar")):
        yield system_library


def _declared(calls: Any, name: str) -> tuple[Any, str]:
    """Declare results and arguments of the library's functions; return it and its version."""
    try:
        calls.linkgrammar_get_version.restype = c_char_p
        version = checked_version(calls.linkgrammar_get_version().decode("ascii", "replace"))
        for function, (result, arguments) in FUNCTIONS.items():
            getattr(calls, function).restype = result
            getattr(calls, function).argtypes = arguments
    except AttributeError as error:
        raise NaturalnessError(f"{name} is not a usable Link Grammar library ({error}); run: {INSTALL}") from None
    return calls, version


def checked_version(version: str) -> str:
    """Return the number in what the library says of its version, unless it is too old."""
    numbers = re.search(r"(\d+)\.(\d+)\.(\d+)", version)
    if not numbers or tuple(map(int, numbers.groups())) < OLDEST:
        raise NaturalnessError(
            f"found {version!r}, expected Link Grammar {'.'.join(map(str, OLDEST))} or newer; run: {INSTALL}"
        )
    return numbers[0]


def default_folder(calls: Any) -> Path:
    """Return the folder of the English dictionary that the library was built for."""
    configuration = calls.linkgrammar_get_configuration().decode("utf-8", "replace")
    built = re.search(r"DICTIONARY_DIR=(\S+)", configuration)
    return Path(built[1] if built else "/usr/share/link-grammar") / LANGUAGE


WALLS = (b"LEFT-WALL", b"RIGHT-WALL")
UNPRINTED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
"""Categories of characters that the library must not see, but for the space."""


def link(library: Library, text: str, settings: Settings) -> Figures:
    """Return the figures of one sentence; `Unlinked` says why there are none."""
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
    """Return the text with spaces for all that is not printed."""
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
    raise Unlinked("a sentence for which Link Grammar finds no linkage, whatever words are left out")


def _unread(library: Library) -> str:
    errors = library.listener.errors()
    return f"a sentence that Link Grammar cannot read{errors and f' ({errors})'}"


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
        linkages=calls.sentence_num_linkages_found(sentence),
        valid=valid,
        violating=calls.sentence_num_linkages_post_processed(sentence) - valid,
        disjunct_cost=calls.sentence_disjunct_cost(sentence, 0),
        link_cost=calls.sentence_link_cost(sentence, 0),
        links=_links(library, sentence, options),
    )


def _links(library: Library, sentence: int, options: int) -> tuple[int, ...]:
    """Return the lengths of the links between words of the best linkage."""
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
