"""Corpus sentences with tags and arcs of the shipped pipeline, from which damage is generated."""

from __future__ import annotations

import gc
import json
from pathlib import Path

from naturalness.files.resources import locate
from naturalness.models.language.ngram import open_kenlm
from naturalness.text.parsing import load_pipeline
from training.detector.drafts import MAX_WORDS, MIN_WORDS, PLAIN, Word
from training.detector.mixture import Source
from training.english.silver import sample_runs


def write_trees(corpora: Path, out: Path, n: int) -> None:
    """Parse ``n`` sentences of all registers into a file, a sentence per line."""
    nlp = load_pipeline()
    lines = [line for run in sample_runs(corpora, n) for line in run]
    part = out.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        for doc in nlp.pipe(lines, batch_size=256):
            for sentence in doc.sents:
                if MIN_WORDS <= len(sentence) <= MAX_WORDS:
                    rows = [
                        (token.text.translate(PLAIN).lower(), token.tag_, token.dep_, token.head.i - sentence.start)
                        for token in sentence
                    ]
                    if all(text.strip() for text, *_ in rows):
                        file.write(json.dumps(rows) + "\n")
    part.rename(out)


def source_of(corpora: Path, work: Path, n: int) -> Source:
    """Return the material of damage in ``n`` corpus sentences, parsed unless they are in the work folder."""
    path = work / "trees.jsonl"
    if not path.exists():
        write_trees(corpora, path, n)
    with path.open(encoding="utf-8") as file:
        parsed = [tuple(Word(t, x, d, h, i) for i, (t, x, d, h) in enumerate(json.loads(line))) for line in file]
    gc.freeze()  # two million words that stay: not to be looked through again and again
    return Source.of(parsed, model=open_kenlm(locate("words") / "order-5.binary", trusted=True))
