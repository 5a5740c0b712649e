"""Sentences by rule beside those of the parser: `python -m benchmarks.boundaries TREEBANKS`.

Paragraphs of the treebanks' test parts, as they were written; F1 of whole sentences, aligned by their characters. The
parser finds boundaries of its own where it is given none (`text/boundaries.py` gives it those of the rules).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.report import context, markdown_table, write
from naturalness.text.normalisation import normalise
from naturalness.text.parsing import SOURCE, load_pipeline, tokenise
from training.parser_accuracy import Span, gold_words, predicted_words
from training.treebanks import paragraphs, read_conllu

if TYPE_CHECKING:
    from spacy.tokens import Doc

TREEBANKS = {"EWT": "en_ewt-ud-test.conllu.gz", "GUM": "en_gum-ud-test.conllu.gz"}


def f1(gold: Iterable[set[Span]], docs: Iterable[Doc]) -> float:
    """F1 of sentences that are in both, 0..100."""
    hits = n = 0
    for true, doc in zip(gold, docs, strict=True):
        found = set(predicted_words(doc)[1]) if len(doc) else set()
        hits += len(true & found)
        n += len(true) + len(found)
    return 200 * hits / n


def parsed_freely(texts: list[str]) -> Iterable[Doc]:
    """Docs of which the parser has parted the sentences."""
    nlp = load_pipeline()
    sources = [normalise(text) for text in texts]
    for source, doc in zip(sources, nlp.pipe(source.text for source in sources), strict=True):
        doc.user_data[SOURCE] = source
        yield doc


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", type=Path)
    args = parser.parse_args()
    figures = {}
    for name, file in TREEBANKS.items():
        groups = paragraphs(list(read_conllu(args.treebanks / file)))
        texts = [" ".join(sentence.text() for sentence in group) for group in groups]
        gold = [set(gold_words(group)[1]) for group in groups]
        figures[name] = {
            "paragraphs": len(texts),
            "sentences": sum(map(len, gold)),
            "by rule": round(f1(gold, tokenise(texts)), 1),
            "by the parser": round(f1(gold, parsed_freely(texts)), 1),
        }
    rows = [[name, *row.values()] for name, row in figures.items()]
    body = markdown_table(["treebank", "paragraphs", "sentences", "F1 by rule", "F1 by the parser"], rows)
    about = context(command="python -m benchmarks.boundaries TREEBANKS")
    write("boundaries", "Sentence boundaries by rule and by the parser", body, {"context": about, **figures})


if __name__ == "__main__":
    main()
