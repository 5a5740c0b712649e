"""Rebuild the model of spoken words: `python -m training.registers CORPORA TREEBANKS`.

A logistic regression on the frequent words of a sentence (seed 0). Speech comes from GUM's conversations, vlogs,
podcasts and court sessions and from the corpus of podcasts; writing from the other corpora except dialogues. The titles
and notes for which `training.default_model` measures people's scores are read here too.
"""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import random
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from naturalness.english.registers import ASSET, FINAL_MARK, NOTES, PLAIN, SPEECH, TITLES, form_of, tokens_of
from training.arguments import command_parser
from training.language.corpora import REGISTERS
from training.manifest import ASSETS, record

SPOKEN_GENRES = ("conversation", "vlog", "podcast", "court")
SPOKEN_CORPORA, LEFT_OUT = {"podcasts"}, {"dialogues"}
"""Dialogues are typed to a machine, so they are neither."""
WORDS, MIN_WORDS, PENALTY = 600, 4, 0.1
SPOKEN_SENTENCES, WRITTEN_SENTENCES = 3000, 1200
"""Of each corpus."""
MOST_TITLE_WORDS, MOST_NOTE_WORDS = 15, 40
BROKEN_OFF = re.compile(r"[a-z]-( |$)|[\[(]")
NO_PROSE = re.compile(r"[@\[\]<>_*=#|]|//|http|www|\d{3}")
COMMENT = re.compile(r"^# (meta::genre|newdoc id|s_type|speaker|text) = (.*)$", re.MULTILINE)


def written_sets(treebanks: Path, splits: Iterable[str]) -> dict[str, list[str]]:
    """Return titles and spoken sentences of GUM, and sentences of EWT without a final mark."""
    documents = _free_documents(treebanks / "gum-docs.tsv")
    titles, speech, notes = [], [], []
    for split in splits:
        titles += [
            row["title"]
            for row in documents.values()
            if row["split"] == split and len(row["title"].split()) >= MIN_WORDS and not NO_PROSE.search(row["title"])
        ]
        for comments in _sentences(treebanks / f"en_gum-ud-{split}.conllu.gz"):
            text, words = comments["text"], len(comments["text"].split())
            if comments["newdoc id"] not in documents or words < MIN_WORDS or BROKEN_OFF.search(text):
                continue
            if comments["meta::genre"] in SPOKEN_GENRES:
                if "speaker" in comments and form_of(text) == PLAIN:
                    speech.append(text)
            elif words <= MOST_TITLE_WORDS and form_of(text) == TITLES and not NO_PROSE.search(text):
                titles.append(text)
        for comments in _sentences(treebanks / f"en_ewt-ud-{split}.conllu.gz"):
            text = comments["text"]
            unmarked = not FINAL_MARK.search(text) and not NO_PROSE.search(text)
            if unmarked and MIN_WORDS <= len(text.split()) <= MOST_NOTE_WORDS:
                notes.append(text)
    return {name: list(dict.fromkeys(texts)) for name, texts in ((TITLES, titles), (NOTES, notes), (SPEECH, speech))}


def _free_documents(table: Path) -> dict[str, dict[str, str]]:
    """Return GUM's documents without a non-commercial term, by name."""
    with table.open(encoding="utf-8", newline="") as file:
        return {row["doc"]: row for row in csv.DictReader(file, delimiter="\t") if row["nc"] != "yes"}


def _sentences(path: Path) -> Iterator[dict[str, str]]:
    """Yield the comments of each sentence of a treebank, with genre and name of its document."""
    document: dict[str, str] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            comments = dict(COMMENT.findall(block))
            if "newdoc id" in comments:
                document = {name: comments[name] for name in ("newdoc id", "meta::genre") if name in comments}
            if "text" in comments:
                yield document | comments


def corpus_sentences(path: Path, most: int) -> list[str]:
    """Return a sample of the sentences of four words or more among the first 60,000."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [line.strip() for line in islice(file, 60_000) if len(line.split()) >= MIN_WORDS]
    random.Random(0).shuffle(lines)
    return lines[:most]


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "corpora", "treebanks").parse_args()
    spoken, written = written_sets(args.treebanks, ("train",))[SPEECH], []
    for name in sorted(set(REGISTERS) - LEFT_OUT):
        path = args.corpora / f"{name}.txt.xz"
        if name in SPOKEN_CORPORA:
            spoken += corpus_sentences(path, SPOKEN_SENTENCES)
        else:
            written += corpus_sentences(path, WRITTEN_SENTENCES)
    tokens = [tokens_of(text) for text in (*spoken, *written)]
    counts = Counter(token for some in tokens for token in set(some))
    words = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:WORDS]]
    table = CountVectorizer(analyzer=list, vocabulary=words, binary=True).fit_transform(tokens).toarray()
    labels = np.repeat([1, 0], [len(spoken), len(written)])
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model = LogisticRegression(C=PENALTY, l1_ratio=1, solver="liblinear", random_state=0).fit(table, labels)
    weights = [float(f"{weight:.6g}") for weight in model.coef_[0]]
    content = {
        "intercept": float(f"{model.intercept_[0]:.6g}"),
        "words": {word: weight for word, weight in zip(words, weights, strict=True) if weight},
    }
    (ASSETS / f"{ASSET}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    record(ASSET, {"words": len(content["words"])})


if __name__ == "__main__":
    main()
