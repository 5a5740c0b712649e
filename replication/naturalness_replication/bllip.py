"""The BLLIP reranking parser (Charniak & Johnson 2005) as a constituency parser.

The package `bllipparser` does not include models. A model is a "unified" directory with the subdirectories `parser/`
and `reranker/`; a process can open only one.

Probabilities are not relative to all trees: `logprobs` is the log-softmax of the reranker's scores of the 50 best trees
from the first stage, so these trees' probabilities sum to 1 however unlikely the sentence is. Trees that differ only in
tags are merged and their probabilities added, because tags are taken from the Doc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.errors import CorpusError, ModelError
from naturalness.features.constituency import ConstituencyFeatures
from naturalness.features.requirements import asset, named_model
from naturalness.files.resources import file_checksum, short_checksum
from naturalness.files.storage import exists
from naturalness.models.parsers.base import (
    MAX_TOKENS,
    N_BEST,
    ParsedSentence,
    ScoredTree,
    SentenceWords,
    sentences_of,
    too_long,
)
from naturalness.models.parsers.tree import Node, Span, read_brackets, spans
from naturalness.text.view import Doc

PREFIX = "bllip:"
NEEDED = ("parser/terms.txt", "parser/headInfo.txt", "parser/pSgT.txt", "reranker/features", "reranker/weights")
"""The files of a unified model; bllipparser ends the process if one is missing. The last two may be compressed."""
PACKED = (".gz", ".bz2")
TOP = "S1"
"""The label that every tree has above its root."""


@dataclass(frozen=True, slots=True)
class BllipParser:
    """A parser that returns trees of `bllipparser`; the reranker's probabilities are relative to the 50 best trees."""

    name: str
    signature: str
    model: Any = field(repr=False)

    def nbest(self, docs: Sequence[Doc], k: int = N_BEST, *, keep: int | None = None) -> list[list[ParsedSentence]]:
        """Return the sentences of each Doc, each with the k best of the at most 50 trees that BLLIP finds.

        Log-probabilities are normalised over all of these trees, so they do not depend on k.
        """
        most = min(k, k if keep is None else keep)
        return [[self._parsed(sentence, k, most) for sentence in sentences_of(doc)] for doc in docs]

    def _parsed(self, sentence: SentenceWords, k: int, keep: int) -> ParsedSentence:
        start, stop, words = sentence
        problem = too_long(len(words)) if len(words) > MAX_TOKENS else ""
        trees: list[ScoredTree] = []
        if not problem:
            try:
                trees = ranked(self.model.parse(words), len(words))
                problem = "" if trees else "a sentence for which BLLIP finds no tree"
            except (ValueError, CorpusError) as error:
                problem = f"a sentence that BLLIP cannot read ({error!s:.200})"
        logprobs = tuple(tree.logprob for tree in trees[:k])
        return ParsedSentence(start, stop, tuple(trees[:keep]), logprobs, problem)


def ranked(parses: Sequence[Any], n_words: int) -> list[ScoredTree]:
    """Return the distinct trees of BLLIP's parses, best first, with the log-softmax of the reranker's scores."""
    summed: dict[tuple[Span, ...], float] = {}
    for parse in parses:
        tree_spans = spans_of(str(parse.ptb_parse), n_words)
        score = float(parse.reranker_score)
        summed[tree_spans] = float(np.logaddexp(summed[tree_spans], score)) if tree_spans in summed else score
    total = np.logaddexp.reduce(list(summed.values())) if summed else 0.0
    trees = [ScoredTree(tree_spans, float(score - total)) for tree_spans, score in summed.items()]
    return sorted(trees, key=lambda tree: -tree.logprob)


def spans_of(written: str, n_words: int) -> tuple[Span, ...]:
    """Return the spans of a tree in bracket notation, leaving out the label `TOP`."""
    root, words, _ = read_brackets(written)
    if len(words) != n_words:
        raise CorpusError(f"a tree of {len(words)} words; expected {n_words}")
    inner = root.children[0]
    if root.label == TOP and len(root.children) == 1 and isinstance(inner, Node):
        root = inner
    return tuple(spans(root))


def path_of(name: str) -> Path:
    """Return the directory of a model; raise `ModelError` if files are missing."""
    folder = Path(name)
    missing = [file for file in NEEDED if not (exists(folder) and _is_there(folder / file))]
    if missing:
        raise ModelError(
            f"no BLLIP model at {name!r}, which lacks {', '.join(missing)}; expected a directory "
            "as `python -m bllipparser.ModelFetcher -i MODEL` installs it"
        )
    return folder


def _is_there(path: Path) -> bool:
    names = (path,) if path.suffix else tuple(path.with_suffix(end) for end in PACKED)
    return any(map(Path.is_file, names))


@cache
def open_bllip(directory: str) -> BllipParser:
    """Return a parser that uses the model in a unified directory, opened once per process."""
    path = path_of(directory).resolve()
    try:
        from bllipparser import RerankingParser
    except ImportError as error:
        raise ModelError(
            f"BLLIP needs the package bllipparser ({error!s:.200}); run: pip install bllipparser"
        ) from None
    try:
        model = RerankingParser.from_unified_model_dir(str(path), parsing_options={"nbest": N_BEST})
    except (RuntimeError, ValueError, OSError) as error:
        raise ModelError(
            f"{path} cannot be opened as a BLLIP model ({error!s:.200}); bllipparser takes one "
            "model per process, and a path in ASCII"
        ) from None
    signature = f"{path.name}:{model_checksum(directory)}|bllipparser:{version('bllipparser')}"
    return BllipParser(path.name, signature, model)


def model_checksum(directory: str) -> str:
    """Return a short checksum of the files of a model."""
    path = path_of(directory)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return short_checksum(f"{file.relative_to(path).as_posix()}:{file_checksum(file)};" for file in files)


def bllip_features(directory: str) -> ConstituencyFeatures:
    """Return the constituency group with BLLIP's trees; its name is ``bllip:DIRECTORY``."""
    needs = (named_model(PREFIX, directory, model_checksum, english=True), asset("pcfg"), asset("words"))
    return ConstituencyFeatures(f"{PREFIX}{directory}", partial(open_bllip, directory), needs)
