"""The shipped pipeline: built, and trained on gold and teacher-labelled sentences together."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.initialize import convert_vectors
from spacy.util import load_config, load_model_from_config
from thinc.api import Adam, fix_random_seed
from tqdm import tqdm

from training.english.tokenizer import configure
from training.treebanks import Sentence

QUOTES = str.maketrans("‘’“”", "''\"\"")
VECTOR_WIDTH = 80
"""Main directions of the vectors."""
COLUMNS = frozenset({"spaces", "lemmas", "upos", "xpos", "feats", "heads", "deps"})
WORDS = 8_800_000
"""Words that the network learns from, in all passes."""
GOLD_SHARE = 0.4


def build(vectors: Path) -> Language:
    """Return an untrained pipeline: shared encoder, tagger, morphologiser and parser.

    It reads floret's sub-word vectors of lower-case words, reduced to their main directions.
    """
    nlp = load_model_from_config(load_config(Path(__file__).with_name("student.cfg")), auto_fill=True)
    configure(nlp)
    convert_vectors(nlp, vectors, truncate=0, prune=0, mode="floret", attr="LOWER")
    table = nlp.vocab.vectors.data
    table = np.ascontiguousarray(table @ np.linalg.svd(table.T @ table)[0][:, :VECTOR_WIDTH])
    nlp.vocab.vectors.data = table / (np.sqrt(np.mean(table**2)) * 4)
    return nlp


def make_doc(nlp: Language, sentences: Sequence[Sentence]) -> Doc:
    """Return an annotated Doc of one or more sentences."""
    starts = np.cumsum([0, *(len(sentence.words) for sentence in sentences)])
    columns = {
        name: [value for sentence in sentences for value in getattr(sentence, column)]
        for name, column in {"tags": "xpos", "pos": "upos", "morphs": "feats", "deps": "deps"}.items()
    }
    return Doc(
        nlp.vocab,
        words=[w.translate(QUOTES) for sentence in sentences for w in sentence.words],
        spaces=[space for sentence in sentences for space in (*sentence.spaces[:-1], True)],
        heads=[int(start) + head for start, s in zip(starts, sentences, strict=False) for head in s.heads],
        sent_starts=[i == 0 for sentence in sentences for i in range(len(sentence.words))],
        **columns,
    )


def blur(sentence: Sentence, rng: random.Random) -> Sentence:
    """Return the sentence, at random in lower case, in capitals, or without its final full stop."""
    words, draw = sentence.words, rng.random()
    if draw < 0.12:
        words = [w.lower() for w in words]
    elif draw < 0.14:
        words = [w.upper() for w in words]
    elif draw < 0.17:
        words = [words[0].lower(), *words[1:]]
    n = len(words)
    ends = n > 3 and words[-1] in ".!?" and all(h != n - 1 for h in sentence.heads)
    if ends and rng.random() < 0.1:
        n -= 1
    return replace(
        sentence, words=words[:n], **{name: values[:n] for name, values in vars(sentence).items() if name in COLUMNS}
    )


def texts_of(groups: Sequence[Sequence[Sentence]], rng: random.Random) -> list[list[Sentence]]:
    """Cut paragraphs into texts of one to five sentences, half of them single sentences."""
    texts = []
    for group in groups:
        start = 0
        while start < len(group):
            size = 1 if rng.random() < 0.5 else rng.randint(2, 5)
            texts.append(list(group[start : start + size]))
            start += size
    return texts


def stream(
    gold: Sequence[Sequence[Sentence]], silver: Sequence[Sequence[Sentence]], rng: random.Random
) -> Iterator[list[Sentence]]:
    """Yield texts endlessly; each pass over a source has a new order and new cuts."""

    def endless(groups: Sequence[Sequence[Sentence]]) -> Iterator[list[Sentence]]:
        while True:
            texts = texts_of(groups, rng)
            rng.shuffle(texts)
            yield from texts

    sources = endless(gold), endless(silver)
    while True:
        yield next(sources[0] if rng.random() < GOLD_SHARE else sources[1])


def train_student(
    nlp: Language, gold: Sequence[Sequence[Sentence]], silver: Sequence[Sequence[Sentence]], folder: Path
) -> None:
    """Train on `WORDS` with a falling learning rate; write the mean of the weights over all steps."""
    fix_random_seed(0)
    rng = random.Random(0)
    source = stream(gold, silver, rng)
    sample = [s for group in (*gold, *silver[:2000]) for s in group]

    def labels() -> Iterator[Example]:
        for sentence in sample:
            doc = make_doc(nlp, [sentence])
            yield Example(bare(nlp, doc), doc)

    optimizer: Adam = nlp.initialize(labels)
    optimizer.L2, optimizer.L2_is_weight_decay = 0.01, True
    optimizer.grad_clip = 1.0
    optimizer.averages = {}
    seen = step = 0
    progress = tqdm(total=WORDS, unit="words", unit_scale=True, mininterval=20)
    while seen < WORDS:
        done = seen / WORDS
        warm = min(1.0, (step + 1) / 200)
        optimizer.learn_rate = 0.0015 * warm * max(0.02, 1 - done)
        batch, size = [], 0
        while size < 800 + 1400 * done:
            doc = make_doc(nlp, [blur(s, rng) for s in next(source)])
            batch.append(Example(bare(nlp, doc), doc))
            size += len(doc)
        nlp.update(batch, sgd=optimizer, drop=0.1)
        seen += size
        step += 1
        progress.update(size)
    with nlp.use_params(optimizer.averages):
        nlp.to_disk(folder)


def bare(nlp: Language, doc: Doc) -> Doc:
    """Return the same tokens without annotation."""
    return Doc(nlp.vocab, words=[t.text for t in doc], spaces=[bool(t.whitespace_) for t in doc])
