"""Link Grammar's C library through ctypes: find it, declare its functions, and parse sentences.

No Python binding is needed, only the C library (5.8 or newer) and its English dictionary, which are opened once per
process. The path of the dictionary is absolute, because the library would otherwise prefer a dictionary in the current
folder. The library aborts the process on unexpected input, such as an empty text; `plain` removes all characters known
to cause this. The number of allowed null links is increased one by one until the sentence has a linkage.
"""

from __future__ import annotations

import ctypes
import math
import os
import re
import threading
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import POINTER, c_bool, c_char_p, c_float, c_int, c_size_t, c_void_p
from ctypes.util import find_library
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from naturalness.errors import NaturalnessError
from naturalness.files.toml import read_beside
from naturalness.models.parsers.base import SentenceWords, sentences_of
from naturalness.text.view import Doc, spaces_of, stored_beside

CAP = 1_000_000_000
"""Upper limit for the reported number of linkages, since the library's own count saturates at 2,147,483,647."""


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """Link Grammar's measurements of one sentence of a Doc.

    They refer to linkages with the smallest possible null count, whether or not any of these linkages is valid:
    validity is judged on a sample, and the null count must not depend on the sample. If there is a problem, the
    counts are 0 and the costs and lengths are NaN; none of them is meaningful.
    """

    start: int
    stop: int
    """Index in the Doc's view just after the sentence's last token, which may be punctuation."""
    nulls: int = 0
    """The null count: the number of words, punctuation marks and walls that have to be left out of a linkage; 0 if all
    can be linked. It may exceed the number of tokens."""
    linkages: int = 0
    """Number of linkages with this null count before post-processing, at most `CAP`."""
    valid: int = 0
    """Number of sampled linkages that satisfy the post-processing rules."""
    violating: int = 0
    """Number of sampled linkages that violate the post-processing rules."""
    disjunct_cost: float = math.nan
    """Disjunct cost of the best linkage (a valid one, if there is any); higher for unusual uses of words."""
    link_cost: float = math.nan
    """Sum of (length - 1) over the links of the best linkage."""
    link_length_mean: float = math.nan
    link_length_max: float = math.nan
    """Length of the best linkage's longest link (`link_length_mean` is the mean length); a link between neighbours has
    length 1. NaN if all links lead to the walls, which stand for the start and end of the sentence."""
    problem: str = ""
    """Why the sentence could not be measured; empty if it was."""

    @property
    def tokens(self) -> int:
        """Number of the sentence's tokens, including punctuation."""
        return self.stop - self.start

    @property
    def complete(self) -> bool:
        """Whether a valid linkage joins all words."""
        return not self.problem and self.nulls == 0 and self.valid > 0


class Unlinked(Exception):
    """An error for a sentence that could not be measured; the message says why."""


LIBRARY_VARIABLE = "NATURALNESS_LINK_LIBRARY"
"""The environment variable for the path of the library, if it is not a system library."""
DICTIONARY_VARIABLE = "NATURALNESS_LINK_DICTIONARY"
"""The environment variable for the folder of the English dictionary, if it is not the library's default."""
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
"""The highest severity number that means an error; higher numbers are warnings and debugging messages."""

OPTIONS = (
    "verbosity",
    "linkage_limit",
    "short_length",
    "spell_guess",
    "min_null_count",
    "max_null_count",
    "max_parse_time",
)
"""The parse options that are set for each attempt to parse a sentence."""
TYPES = {
    "text": c_char_p,
    "number": c_int,
    "handle": c_void_p,
    "flag": c_bool,
    "cost": c_float,
    "size": c_size_t,
    "none": None,
}


class Message(ctypes.Structure):
    """The C structure ``lg_errinfo`` of the library."""

    _fields_ = (("severity", c_int), ("label", c_char_p), ("text", c_char_p))


class Listener:
    """A receiver of the messages that the library would otherwise print."""

    def __init__(self, calls: Any) -> None:
        self._calls = calls
        self._heard: list[tuple[int, str]] = []
        self._lock = threading.Lock()
        kind = ctypes.CFUNCTYPE(None, POINTER(Message), c_void_p)
        self._handler = kind(self._hear)  # keep a reference, because the library may call it later

    def _hear(self, message: Any, _: Any) -> None:
        text = (message.contents.text or b"").decode("utf-8", "replace")
        self._heard.append((message.contents.severity, " ".join(text.split())))

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Lock the library for this thread, and collect its messages until the context ends."""
        with self._lock:
            self._heard.clear()
            # The library keeps one handler per thread.
            self._calls.lg_error_set_handler(self._handler, None)
            yield

    def errors(self) -> str:
        """Return the library's error messages, or an empty string."""
        return " ".join(text for severity, text in self._heard if severity <= WORST)[:200]


@dataclass(frozen=True, slots=True)
class Library:
    """The library with its English dictionary open."""

    version: str
    """The versions of the library and the dictionary."""
    calls: Any = field(repr=False)
    dictionary: int = field(repr=False)
    listener: Listener = field(repr=False)


_opening = threading.Lock()


def opened() -> Library:
    """Return the library, opened once per process; raise `NaturalnessError` if something is missing."""
    paths = os.environ.get(LIBRARY_VARIABLE, ""), os.environ.get(DICTIONARY_VARIABLE, "")
    with _opening:
        return _open(*paths)


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
    """Yield the path that the user has set or, if there is none, possible names of the library."""
    yield from (library,) if library else NAMES
    # find_library comes last, because it runs other programs.
    if not library and (system_library := find_library("link-grammar")):
        yield system_library


def _declared(calls: Any, name: str) -> tuple[Any, str]:
    """Declare the result and argument types of the library's functions, and return the library and its version."""
    try:
        calls.linkgrammar_get_version.restype = c_char_p
        version = checked_version(calls.linkgrammar_get_version().decode("ascii", "replace"))
        functions = read_beside(__file__)
        for function, kinds in functions.items():
            result, *arguments = (TYPES[kind] for kind in kinds.split())
            getattr(calls, function).restype = result
            getattr(calls, function).argtypes = arguments
    except AttributeError as error:
        raise NaturalnessError(f"{name} is not a usable Link Grammar library ({error}); run: {INSTALL}") from None
    return calls, version


def checked_version(version: str) -> str:
    """Return the version number in the library's version string; raise `NaturalnessError` if it is too old."""
    numbers = re.search(r"(\d+)\.(\d+)\.(\d+)", version)
    if not numbers or tuple(map(int, numbers.groups())) < OLDEST:
        raise NaturalnessError(
            f"found {version!r}, expected Link Grammar {'.'.join(map(str, OLDEST))} or newer; run: {INSTALL}"
        )
    return numbers[0]


def default_folder(calls: Any) -> Path:
    """Return the folder in which the library looks for the English dictionary by default."""
    configuration = calls.linkgrammar_get_configuration().decode("utf-8", "replace")
    built = re.search(r"DICTIONARY_DIR=(\S+)", configuration)
    return Path(built[1] if built else "/usr/share/link-grammar") / LANGUAGE


LINKAGES = 50
"""Maximum number of linkages that are checked against the post-processing rules; if there are more, a sample is
checked."""
SHORT_LENGTH = 4
"""Maximum length of a link in words, except for link types that the dictionary declares unlimited."""
SECONDS = 5
"""Maximum CPU time per sentence, in seconds."""
MAX_TOKENS = 70
"""Maximum number of tokens of a sentence: time and memory grow with the cube of the length, and each word that has to
be left out takes further time."""
WALLS = (b"LEFT-WALL", b"RIGHT-WALL")
UNPRINTED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
"""The Unicode categories of characters that are replaced by spaces before a text is passed to the library."""


def link_docs(docs: Sequence[Doc]) -> list[list[LinkedSentence]]:
    """Return the measurements of each Doc's sentences that contain a word.

    Measurements do not depend on the other Docs in the batch. Runs can differ only because of the time limit: a
    sentence that takes nearly `SECONDS` may exceed the limit on a slower machine.
    """
    library = opened()
    return [
        [_linked_sentence(library, sentence, spaces) for sentence in sentences_of(doc)]
        for doc, spaces in zip(docs, map(spaces_of, docs), strict=True)
    ]


def _linked_sentence(library: Library, sentence: SentenceWords, spaces: Sequence[bool]) -> LinkedSentence:
    start, stop, words = sentence
    if len(words) > MAX_TOKENS:
        problem = f"a sentence of {len(words)} tokens; Link Grammar gets at most {MAX_TOKENS}"
        return LinkedSentence(start, stop, problem=problem)
    text = "".join(f"{word}{' ' * space}" for word, space in zip(words, spaces[start:stop], strict=True))
    try:
        return LinkedSentence(start, stop, **link(library, text))
    except Unlinked as reason:
        return LinkedSentence(start, stop, problem=str(reason))


def link(library: Library, text: str) -> dict[str, Any]:
    """Return the measurements of a sentence as fields of `LinkedSentence`; raise `Unlinked` if there are none."""
    written = plain(text)
    if not written:
        raise Unlinked("a sentence of which Link Grammar can read nothing")
    calls = library.calls
    with library.listener.listening():
        sentence = calls.sentence_create(written.encode(), library.dictionary)
        try:
            return _linked(library, sentence)
        finally:
            calls.sentence_delete(sentence)


def plain(text: str) -> str:
    """Return the text with unprintable characters replaced by spaces, and white space normalised."""
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in UNPRINTED else c for c in text)
    return " ".join(text.split())


def _linked(library: Library, sentence: int) -> dict[str, Any]:
    calls, started, nulls, words = library.calls, time.thread_time(), 0, 0
    late = f"a sentence that Link Grammar needs more than {SECONDS} seconds for"
    while nulls <= words:
        left = SECONDS - (time.thread_time() - started)
        if left <= 0:
            raise Unlinked(late)
        # The library modifies the options while it parses, so each attempt gets new ones.
        with _options(library, nulls, ceil(left)) as options:
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
def _options(library: Library, nulls: int, seconds: int) -> Iterator[int]:
    calls = library.calls
    options = calls.parse_options_create()
    try:
        # spell_guess is 0, because spelling guesses depend on the hunspell dictionaries that are installed.
        values = (0, LINKAGES, SHORT_LENGTH, 0, nulls, nulls, seconds)
        for name, value in zip(OPTIONS, values, strict=True):
            getattr(calls, f"parse_options_set_{name}")(options, value)
        yield options
    finally:
        calls.parse_options_delete(options)


def _figures(library: Library, sentence: int, options: int, nulls: int) -> dict[str, Any]:
    calls = library.calls
    valid = calls.sentence_num_valid_linkages(sentence)
    figures = {
        "nulls": nulls,
        "linkages": min(calls.sentence_num_linkages_found(sentence), CAP),
        "valid": valid,
        "violating": calls.sentence_num_linkages_post_processed(sentence) - valid,
        "disjunct_cost": calls.sentence_disjunct_cost(sentence, 0),
        "link_cost": float(calls.sentence_link_cost(sentence, 0)),
    }
    if lengths := _links(library, sentence, options):
        figures |= {"link_length_mean": sum(lengths) / len(lengths), "link_length_max": float(max(lengths))}
    return figures


def _links(library: Library, sentence: int, options: int) -> tuple[int, ...]:
    """Return the lengths of the links between words in the best linkage; links to walls are left out."""
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


def parsed(docs: Sequence[Doc]) -> list[list[LinkedSentence]]:
    """Return the measurements of each Doc's sentences; sentences without a word are left out."""
    return stored_beside(docs, f"naturalness.links.{version()}", link_docs)


def version() -> str:
    """Return the versions of the library and its dictionary, as saved models record them."""
    return opened().version


def available() -> str:
    """Return the reason why Link Grammar cannot be used here; empty if it can."""
    try:
        version()
    except NaturalnessError as error:
        return str(error)
    return ""
