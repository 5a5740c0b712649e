"""Turn texts into spaCy Docs, in batches. Pipelines are opened only here.

A Doc is made from the normalised text and keeps the map back to the original; spans that are shown to people are given
in original offsets (`original_span`).
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from naturalness.errors import PipelineError, first_line
from naturalness.files.resources import file_checksum, load_manifest, locate, short_checksum
from naturalness.text.boundaries import sentence_starts
from naturalness.text.normalisation import INVALID_BYTE, NOT_UTF8, NormalisedText, normalise

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

DEFAULT_PIPELINE = "en"
ENGLISH = "en"
PIPELINE = "pipeline"
"""The name of the shipped pipeline's asset."""
SOURCE = "naturalness.source"
META = "meta.json"
"""The file by which spaCy recognises a pipeline."""
COMPONENTS = ("tok2vec", "tagger", "morphologizer", "parser", "lemmatizer")
"""Names of the components of the shipped pipeline."""
NEEDED = {
    "a dependency parse": {"parser"},
    "part-of-speech tags": {"tagger", "morphologizer", "attribute_ruler"},
    "lemmas": {"lemmatizer", "trainable_lemmatizer"},
}
"""Names of the components, one of which must provide each annotation."""
TOKENISER = "naturalness.Tokeniser.v1"
MAX_CHARACTERS = 50_000
SYMBOL_RUN = re.compile(r"[^\w\s]{500}")
"""Symbol runs so long that the tokeniser could take minutes: its time grows with the square of the length."""
LONG_WORD = re.compile(r"\S{1000}\S+")
PIECE = 500
"""Length of the pieces into which longer words are cut, since the tokeniser's time grows with the square of a word's
length."""
MAX_STRINGS = 40_000
"""Maximum number of strings (words, their shapes, prefixes and suffixes) that spaCy may keep between batches."""
MAX_REMEMBERED = 20_000
"""Maximum number of lemmas that the lemmatiser may keep between batches."""
_whole: dict[str, Language] = {}
"""Pipelines that have been opened with all their components, keyed by name."""
_lock = RLock()
"""Held while a pipeline works and throughout a `short_memory` block, at whose end the words added in it are freed."""


def _begin_anew() -> None:
    """Make a new lock in a forked child process, since the thread that may hold the old lock does not exist there."""
    global _lock
    _lock = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def working() -> AbstractContextManager[bool]:
    """Return the lock of this process that is held while a pipeline works; one thread may take it several times."""
    return _lock


def load_pipeline(spec: str = DEFAULT_PIPELINE) -> Language:
    """Open a spaCy pipeline, once per process: ``"en"`` is the shipped one, anything else an installed package.

    Its labels may be Universal Dependencies or spaCy's own English ones; it needs part-of-speech tags, lemmas and a
    dependency parse.
    """
    return _open(spec)


def load_tokeniser(spec: str = DEFAULT_PIPELINE) -> Language:
    """Open a tokeniser: for ``"en"``, the shipped pipeline without its components, which take memory and time to open.

    The tokeniser shares its vocabulary with the complete pipeline. Any other pipeline is opened with all components.
    """
    return _tokeniser() if spec == DEFAULT_PIPELINE else _open(spec)


@lru_cache(maxsize=1)
def _tokeniser() -> Language:
    import spacy

    # Loading is safe, because `locate` compares the files with their checksums.
    config = {"nlp.tokenizer": {"@tokenizers": _register_tokeniser()}}
    nlp = spacy.load(locate(PIPELINE), config=config, exclude=COMPONENTS)
    widen(nlp)
    return nlp


@lru_cache(maxsize=4)
def _open(spec: str) -> Language:
    import spacy

    if spec == DEFAULT_PIPELINE:
        opened = _tokeniser()
        config = {"nlp.tokenizer": {"@tokenizers": _register_tokeniser()}}
        # Words that are added to the vocabulary during a `short_memory` block are forgotten when the block ends.
        shared = not opened.vocab.in_memory_zone
        nlp = spacy.load(
            locate(PIPELINE),
            vocab=opened.vocab if shared else True,
            config=config,
            exclude=["vocab", "tokenizer"] if shared else [],
        )
        if shared:
            nlp.tokenizer = opened.tokenizer
        widen(nlp)
    else:
        nlp = _open_package(spec)
    _check(nlp, spec)
    _whole[spec] = nlp
    return nlp


def widen(nlp: Language) -> None:
    """Convert tables and weights from 16-bit floats, as in the shipped files, to 32-bit floats for `BlockOps`."""
    import numpy as np

    from naturalness.text.products import BlockOps

    ops = BlockOps()
    nlp.vocab.vectors.data = nlp.vocab.vectors.data.astype(np.float32)
    for _, component in nlp.pipeline:
        model = getattr(component, "model", None)
        for node in model.walk() if model is not None and not isinstance(model, bool) else ():
            node.ops = ops
            for name in node.param_names:
                if node.has_param(name) and node.get_param(name).dtype == np.float16:
                    node.set_param(name, node.get_param(name).astype(np.float32))


def _open_package(spec: str) -> Language:
    """Open an installed pipeline package. This runs its code, which is accepted since the user installed it."""
    from spacy.util import load_model_from_package

    _description(spec)
    try:
        return load_model_from_package(spec, exclude=["ner", "textcat", "senter"])
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise _cannot_open(spec, first_line(error)) from error


def _cannot_open(spec: str, reason: str) -> PipelineError:
    return PipelineError(
        f"cannot open spaCy pipeline {spec!r} ({reason}); give the name of an installed pipeline package, or 'en' for "
        "the shipped one. `spacy package` makes a package from the folder of a pipeline"
    )


def _register_tokeniser() -> str:
    """Register an empty tokeniser, which is then filled from the shipped file, and return its name.

    Otherwise, spaCy would first build its own English tokeniser and then discard it, which takes a third of the
    loading time.
    """
    import spacy
    from spacy.tokenizer import Tokenizer

    def make() -> Callable[[Language], Tokenizer]:
        return lambda nlp: Tokenizer(nlp.vocab)

    spacy.registry.tokenizers(TOKENISER, func=make)
    return TOKENISER


def _description(spec: str) -> Path:
    """Return the path of the meta.json beside the code of a pipeline's package; raise `PipelineError` if there is none.

    The package is located but not imported: the name may come from a model's manifest, which must not run code.
    """
    try:
        module = importlib.util.find_spec(spec) if spec.isidentifier() else None
    except (ImportError, ValueError):
        module = None
    path = Path(module.origin).with_name(META) if module and module.origin else None
    if path is None or not path.is_file():
        raise _cannot_open(spec, "no such package is installed")
    return path


def pipeline_language(spec: str) -> str:
    """Return the code of a pipeline's language, such as ``"en"`` or ``"fr"``."""
    return ENGLISH if spec == DEFAULT_PIPELINE else str(load_pipeline(spec).lang)


def is_english(language: str) -> bool:
    """Return whether a language code is English; an empty code counts as English."""
    return language in (ENGLISH, "")


def are_english(docs: Iterable[Doc]) -> bool:
    """Return whether all Docs were read by an English pipeline."""
    return all(is_english(doc.lang_) for doc in docs)


def pipeline_checksum(spec: str = DEFAULT_PIPELINE) -> str:
    """Return a short checksum of a pipeline's files, without opening the pipeline."""
    if spec == DEFAULT_PIPELINE:
        return load_manifest()[PIPELINE].checksum
    path = _description(spec)
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        folder = path.parent / f"{about['lang']}_{about['name']}-{about['version']}"
        files = sorted(file for file in folder.rglob("*") if file.is_file())
    except (ValueError, KeyError, TypeError) as error:
        raise _cannot_open(spec, f"{path} is damaged") from error
    return short_checksum(f"{file.relative_to(folder).as_posix()}:{file_checksum(file)};" for file in files)


def _check(nlp: Language, spec: str) -> None:
    """Raise if a pipeline lacks a parser, tags or lemmas."""
    if missing := [what for what, components in NEEDED.items() if components.isdisjoint(nlp.pipe_names)]:
        raise PipelineError(f"pipeline {spec!r} lacks {' and '.join(missing)}; it has {', '.join(nlp.pipe_names)}")


def parse(texts: Iterable[str], *, nlp: str = DEFAULT_PIPELINE, batch_size: int = 64) -> list[Doc]:
    """Parse texts into Docs, in order; a text that cannot be used still becomes a Doc (see `unusable`)."""
    _refuse_single(texts)
    originals = list(texts)
    # spaCy is a tenth faster if batches contain texts of similar length; the order does not change any parse.
    order = sorted(range(len(originals)), key=lambda i: len(str(originals[i])))
    docs = parse_stream((originals[i] for i in order), nlp=nlp, batch_size=batch_size)
    by_index = dict(zip(order, docs, strict=True))
    return [by_index[i] for i in range(len(originals))]


def parse_stream(texts: Iterable[str], *, nlp: str = DEFAULT_PIPELINE, batch_size: int = 64) -> Iterator[Doc]:
    """Yield the same Docs as `parse`, one at a time."""
    _refuse_single(texts)
    pipeline = load_pipeline(nlp)
    docs = pipeline.pipe(map(partial(_tokenise, pipeline), texts), batch_size=batch_size)
    while True:
        # The lock is not held between Docs, because the caller may never request the last one.
        with _lock:
            doc = next(docs, None)
        if doc is None:
            return
        yield doc


def _refuse_single(texts: Iterable[str]) -> None:
    if isinstance(texts, str):
        raise TypeError("parse takes a list of texts, not a single string; use [text]")


@contextmanager
def short_memory(*, nlp: str = DEFAULT_PIPELINE) -> Iterator[None]:
    """Provide a context that, when it ends, forgets the words of Docs made inside it; do not use these Docs afterwards.

    Otherwise a process that reads millions of texts would keep every word. The first `MAX_STRINGS` words are kept,
    since they include the frequent ones, which would take time to add again for each batch. Other threads cannot parse
    while the block runs, so a generator must not yield inside it. In nested blocks, words are forgotten when the
    outermost block ends.
    """
    pipeline = _whole.get(nlp) or load_tokeniser(nlp)
    with _lock:
        full = len(pipeline.vocab.strings) >= MAX_STRINGS and not pipeline.vocab.in_memory_zone
        with pipeline.memory_zone() if full else nullcontext():
            yield
        for _, component in _whole.get(nlp, pipeline).pipeline:
            remembered = getattr(component, "cache", None)
            if isinstance(remembered, dict) and len(remembered) > MAX_REMEMBERED:
                remembered.clear()


def tokenise(texts: Iterable[str], *, nlp: str = DEFAULT_PIPELINE) -> Iterator[Doc]:
    """Yield unparsed Docs, with the same tokens (and, in English, the same sentences) as the Docs of `parse`."""
    return map(partial(_tokenise, load_tokeniser(nlp)), texts)


def read_docs(texts: Sequence[str], *, nlp: str = DEFAULT_PIPELINE, parsed: bool, batch_size: int = 64) -> list[Doc]:
    """Return the Docs of texts; parse them if ``parsed``, or if ``nlp`` is not English.

    Sentence boundaries can be found by rule only in English; other languages need a parse.
    """
    if parsed or not is_english(pipeline_language(nlp)):
        return parse(texts, nlp=nlp, batch_size=batch_size)
    return list(tokenise(texts, nlp=nlp))


def _tokenise(nlp: Language, text: str) -> Doc:
    """Return a Doc of the normalised text, in which paragraphs begin sentences; it is empty for an unusable text."""
    if not isinstance(text, str):
        raise TypeError(f"a text must be a string, not {type(text).__name__}: {text!r:.60}")
    refused = len(text) > MAX_CHARACTERS or SYMBOL_RUN.search(text)
    source = NormalisedText(text, "") if refused else normalise(text)
    if SYMBOL_RUN.search(source.text):  # normalisation may have removed spaces between symbols
        source = NormalisedText(text, "")
    with _lock:
        doc = _make_doc(nlp, source.text)
    doc.user_data[SOURCE] = source
    if len(doc) and (is_english(nlp.lang) or source.breaks):
        _part_sentences(doc, source.breaks, by_rule=is_english(nlp.lang))
    return doc


def _make_doc(nlp: Language, text: str) -> Doc:
    """Return a Doc of tokens; very long words are cut into pieces."""
    if not LONG_WORD.search(text):
        return nlp.make_doc(text)
    cuts = [cut for word in LONG_WORD.finditer(text) for cut in range(word.start() + PIECE, word.end(), PIECE)]
    from spacy.tokens import Doc

    parts = [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]
    doc = Doc.from_docs(list(map(nlp.make_doc, parts)), ensure_whitespace=False)
    assert doc is not None  # the list of parts is never empty
    starts = doc.to_array("SENT_START")
    starts[1:] = 0  # pieces after the first do not begin sentences
    doc.from_array("SENT_START", starts)
    return doc


def _part_sentences(doc: Doc, offsets: Sequence[int], *, by_rule: bool) -> None:
    """Set sentence starts at these character offsets and, in English, by rule; there, a parser adds no others."""
    import numpy as np

    starts = np.full(len(doc), -1) if by_rule else doc.to_array("SENT_START").astype(np.int64)
    if by_rule:
        starts[sentence_starts([token.text for token in doc], [bool(token.whitespace_) for token in doc])] = 1
    characters = [token.idx for token in doc]
    starts[[bisect_right(characters, offset) - 1 for offset in offsets]] = 1
    doc.from_array("SENT_START", starts.astype(np.uint64))


def as_docs(items: Sequence[str] | Sequence[Doc], *, nlp: str = DEFAULT_PIPELINE) -> list[Doc]:
    """Return a Doc for each text; items that are Docs already are returned unchanged."""
    if all(hasattr(item, "ents") for item in items):
        return list(items)
    return parse(items, nlp=nlp)


def source_of(doc: Doc) -> NormalisedText:
    """Return the text of a Doc as typed and as normalised; both are the same for a Doc parsed elsewhere."""
    source = doc.user_data.get(SOURCE)
    if not isinstance(source, NormalisedText):
        source = doc.user_data[SOURCE] = NormalisedText(doc.text, doc.text)
    return source


@contextmanager
def restored_user_data(docs: Sequence[Doc]) -> Iterator[None]:
    """Provide a context that, when it ends, removes what was stored in Docs parsed elsewhere since it began.

    spaCy could not serialise these Docs.
    """
    before = [(doc, {*doc.user_data}) for doc in docs if SOURCE not in doc.user_data]
    try:
        yield
    finally:
        for doc, keys in before:
            for key in doc.user_data.keys() - keys:
                del doc.user_data[key]


def original_span(doc: Doc, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of ``doc.text[start:end]`` in the original text."""
    return source_of(doc).original_span(start, end)


def unusable(doc: Doc) -> str:
    """Return the reason why a text cannot be judged; empty if it can be judged."""
    source = source_of(doc)
    original = source.original
    if not original.strip():
        return "empty text"
    if len(original) > MAX_CHARACTERS:
        return f"longer than {MAX_CHARACTERS} characters"
    if INVALID_BYTE.search(original):
        return NOT_UTF8
    read = source.text or normalise(original).text
    if SYMBOL_RUN.search(original) or SYMBOL_RUN.search(read):
        return "a run of 500 symbols or more"
    if not any(token.is_alpha or any(map(str.isalpha, token.text)) for token in doc):
        return "numbers and signs alone" if any(map(str.isalnum, original)) else "no words"
    return ""
