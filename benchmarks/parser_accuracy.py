"""Accuracy and speed of a pipeline on the UD English treebanks, from raw text.

The measures are those of the CoNLL 2018 shared task: F1 over words aligned by their characters,
relations without subtype; a lemma or tag counts where the word's boundaries are right, an arc where
those of its head are right too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from naturalness.text.parsing import DEFAULT_PIPELINE, load_pipeline, original_span, parse, source_of
from training.treebanks import Sentence, paragraphs, read_conllu

MEASURES = ("words", "sentences", "xpos", "upos", "lemmas", "uas", "las")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Annotated:
    """A word, located by its characters (without white space), with its annotation."""

    span: Span
    xpos: str
    upos: str
    lemma: str
    head: Span | None
    relation: str


def gold_words(sentences: Sequence[Sentence]) -> tuple[list[Annotated], list[Span]]:
    """Return the words and sentence spans of the treebank."""
    words: list[Annotated] = []
    bounds: list[Span] = []
    offset = 0
    for s in sentences:
        spans = []
        for word in s.words:
            size = len("".join(word.split()))
            spans.append((offset, offset + size))
            offset += size
        for i, span in enumerate(spans):
            head = None if s.heads[i] == i else spans[s.heads[i]]
            relation = "root" if head is None else s.deps[i].split(":")[0]
            words.append(Annotated(span, s.xpos[i], s.upos[i], s.lemmas[i], head, relation))
        bounds.append((spans[0][0], spans[-1][1]))
    return words, bounds


def predicted_words(doc: Doc) -> tuple[list[Annotated], list[Span]]:
    """Return the words and sentence spans of a parse, in characters of the original text."""
    text = source_of(doc).original
    cursor = [0]
    for character in text:
        cursor.append(cursor[-1] + (not character.isspace()))
    spans = {}
    for token in doc:
        start, end = original_span(doc, token.idx, token.idx + len(token))
        spans[token.i] = cursor[start], cursor[end]
    words = [
        Annotated(
            spans[t.i],
            t.tag_,
            t.pos_,
            t.lemma_,
            None if t.head == t else spans[t.head.i],
            "root" if t.head == t else t.dep_.split(":")[0],
        )
        for t in doc
    ]
    return words, [(spans[s.start][0], spans[s.end - 1][1]) for s in doc.sents]


def count_matches(
    gold: tuple[list[Annotated], list[Span]], system: tuple[list[Annotated], list[Span]]
) -> dict[str, int]:
    """Return how many words and sentences agree, by measure."""
    by_span = {word.span: word for word in gold[0]}
    hits = dict.fromkeys(MEASURES, 0)
    hits["sentences"] = len(set(gold[1]) & set(system[1]))
    for word in system[0]:
        true = by_span.get(word.span)
        if true is None:
            continue
        hits["words"] += 1
        hits["xpos"] += true.xpos == word.xpos
        hits["upos"] += true.upos == word.upos
        hits["lemmas"] += true.lemma in ("_", word.lemma)
        hits["uas"] += true.head == word.head
        hits["las"] += true.head == word.head and true.relation == word.relation
    return hits


def evaluate(sentences: Sequence[Sentence], nlp: str) -> dict[str, float]:
    """Return F1 of each measure, 0..100, higher is better; texts are the treebank's paragraphs."""
    groups = paragraphs(list(sentences))
    texts = [" ".join(s.text() for s in group) for group in groups]
    totals = dict.fromkeys(MEASURES, 0)
    n_gold = n_system = gold_sentences = system_sentences = 0
    for group, doc in zip(groups, parse(texts, nlp=nlp), strict=True):
        gold, system = gold_words(group), predicted_words(doc)
        for name, hits in count_matches(gold, system).items():
            totals[name] += hits
        n_gold, n_system = n_gold + len(gold[0]), n_system + len(system[0])
        gold_sentences += len(gold[1])
        system_sentences += len(system[1])
    return {
        name: 200 * hits / (gold_sentences + system_sentences if name == "sentences" else n_gold + n_system)
        for name, hits in totals.items()
    }


def words_per_second(sentences: Sequence[Sentence], nlp: str, repeats: int = 3) -> float:
    """Return the treebank words parsed per second on one core, normalisation and all components included."""
    texts = [" ".join(s.text() for s in group) for group in paragraphs(list(sentences))]
    n_words = sum(len(s.words) for s in sentences)
    load_pipeline(nlp)
    best = 0.0
    for _ in range(repeats):
        started = time.perf_counter()
        parse(texts, nlp=nlp)
        best = max(best, n_words / (time.perf_counter() - started))
    return best


def measure(treebanks: Path, nlp: str = DEFAULT_PIPELINE, split: str = "test") -> dict[str, Any]:
    """Return all figures of a pipeline by treebank."""
    figures: dict[str, Any] = {}
    for name in ("ewt", "gum"):
        sentences = list(read_conllu(treebanks / f"en_{name}-ud-{split}.conllu.gz"))
        scores = {k: round(v, 2) for k, v in evaluate(sentences, nlp).items()}
        figures[name] = scores | {"words_per_second": round(words_per_second(sentences, nlp))}
    return figures
