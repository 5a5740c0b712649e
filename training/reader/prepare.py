"""What a training reads, in small files: rated texts and damage in word pieces.

The files hold no sentence as text: ids of pieces, what each piece is, ratings, and a hash of each rated text.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from naturalness.files.resources import locate
from naturalness.models.language.ngram import open_kenlm
from naturalness.models.pieces import END, PADDING, START, Pieces
from naturalness.text.parsing import short_memory, tokenise
from naturalness.text.view import view
from training.default_model.sets import SETS, key_of, read_named
from training.detector.batches import BOTH_DAMAGED, encoded
from training.detector.drafts import Draft, Sentence, Word
from training.detector.mixture import Source, damage, soundness
from training.detector.trees import read_trees, write_trees
from training.reader.batches import ABOUT, DAMAGE, NO_WORD, TEXTS
from training.reader.sets import FOLDS, LARGEST, read_edits

LINES = 250_000
"""Lines of the corpora that are parsed; sentences of 4 to 36 words stay."""
PAIRS = 800_000
"""Of a better and a worse version of a sentence."""
PLACES = 128
"""Pieces of a text that are read, with the marks of start and end."""


class Rows:
    """Rows of pieces, and what each piece is, one behind the other."""

    def __init__(self) -> None:
        self.ids: list[np.ndarray] = []
        self.targets: list[np.ndarray] = []

    def __len__(self) -> int:
        return len(self.ids)

    def append(self, ids: Sequence[int], targets: Sequence[int]) -> None:
        """Add one."""
        self.ids.append(np.array(ids, np.uint16))
        self.targets.append(np.array(targets, np.uint8))

    def arrays(self) -> dict[str, np.ndarray]:
        """Return them as columns."""
        return {
            "ids": np.concatenate(self.ids),
            "targets": np.concatenate(self.targets),
            "offsets": np.cumsum([0, *map(len, self.ids)], dtype=np.uint32),
        }


def read_texts(texts: Sequence[str], pieces: Pieces) -> Iterator[tuple[list[int], list[int]]]:
    """Yield pieces of each text, read as one row, and 0 for those that begin a word."""
    for at in range(0, len(texts), 512):
        with short_memory():
            rows = [list(view(doc).lower) for doc in tokenise(texts[at : at + 512])]
        for words in rows:
            ids, targets = [pieces.rows[START]], [NO_WORD]
            for word in words:
                cut = pieces.of_word(word)
                ids += cut
                targets += [0, *[NO_WORD] * (len(cut) - 1)]
            yield [*ids[: PLACES - 1], pieces.rows[END]], [*targets[: PLACES - 1], NO_WORD]


def prepare_texts(ratings: Path, pieces: Pieces, folder: Path) -> None:
    """Write rated texts, each once, with the sets that they are in; and pairs by post-editing."""
    place: dict[str, int] = {}
    arrays: dict[str, np.ndarray] = {}
    rng = random.Random(0)
    for name, rated in SETS.items():
        known = read_named(ratings, name)
        of_text: dict[str, list[float]] = {}
        for text, rating in zip(known.texts, known.ratings, strict=True):
            of_text.setdefault(text, []).append(float(rating))
        texts = list(of_text)
        taught = set(texts if len(texts) <= LARGEST else rng.sample(texts, LARGEST))
        arrays[f"rows|{name}"] = np.array([place.setdefault(text, len(place)) for text in texts], np.uint32)
        arrays[f"ratings|{name}"] = np.array([np.mean(of_text[text]) for text in texts], np.float32)
        arrays[f"taught|{name}"] = np.array([rated.share > 0 and text in taught for text in texts])
    edits = read_edits(ratings)[: 2 * LARGEST]
    arrays["edits"] = np.array([[place.setdefault(text, len(place)) for text in two] for two in edits], np.uint32)
    rows = Rows()
    for ids, targets in read_texts(list(place), pieces):
        rows.append(ids, targets)
    arrays["keys"] = np.array([key_of(text) for text in place], np.uint64)
    np.savez_compressed(folder / TEXTS, **rows.arrays(), **arrays)


def prepare_damage(sentences: Sequence[Sentence], pieces: Pieces, folder: Path, n_pairs: int) -> None:
    """Write pairs under damage: row 2 i is the better one, row 2 i + 1 the worse one of the same sentence."""
    source = Source.of(sentences, model=open_kenlm(locate("words") / "order-5.binary", trusted=True))
    rng, rows, sound = random.Random(0), Rows(), list[float]()
    times, rest = divmod(n_pairs, len(sentences))
    for i, sentence in enumerate(sentences):
        for _ in range(times + (i < rest)):
            for draft in pair_of(sentence, rng, source):
                rows.append(*encoded_row(draft.words, pieces))
                sound.append(soundness(draft))
    np.savez_compressed(folder / DAMAGE, **rows.arrays(), soundness=np.array(sound, np.float16))


def pair_of(sentence: Sentence, rng: random.Random, source: Source) -> tuple[Draft, Draft]:
    """Return a better and a worse draft of a sentence."""
    better = Draft.of(sentence)
    if rng.random() < BOTH_DAMAGED:
        damage(better, 1, rng, source)
    return better, damage(better.copy(), rng.choice((1, 1, 1, 2, 2, 3, 4)), rng, source)


def encoded_row(words: Sequence[Word], pieces: Pieces) -> tuple[list[int], list[int]]:
    """Return pieces and kinds of the words of a draft."""
    ids, labels = encoded(words, pieces)
    ids, labels = ids[: PLACES - 1], labels[: PLACES - 1]
    if ids[-1] != pieces.rows[END]:
        ids, labels = [*ids, pieces.rows[END]], [*labels, -1]
    return ids, [label if label >= 0 else NO_WORD for label in labels]


def write_about(vocabulary: Sequence[str], folder: Path) -> None:
    """Write sets and folds."""
    about = {
        "padding": list(vocabulary).index(PADDING),
        "sets": {name: asdict(rated) for name, rated in SETS.items()},
        "folds": FOLDS,
    }
    (folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def prepare(
    ratings: Path, corpora: Path, folder: Path, vocabulary: Sequence[str], trees: Path, lines: int, n_pairs: int
) -> None:
    """Write all files that are not there yet; ``trees``: where the corpora's parsed sentences are, or come."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces = Pieces.of(vocabulary)
    write_about(vocabulary, folder)
    if not (folder / TEXTS).exists():
        prepare_texts(ratings, pieces, folder)
    if not trees.exists():
        write_trees(corpora, trees, lines)
    if not (folder / DAMAGE).exists():
        prepare_damage(list(read_trees(trees)), pieces, folder, n_pairs)
