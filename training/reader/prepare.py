"""What a training reads, in small files: rated texts and damage in word pieces, and the weights to begin with.

The files hold no sentence as text: ids of pieces, what each piece is, ratings, and a hash of each rated text.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch

from naturalness.files.resources import locate
from naturalness.models.detector import FAST_ASSET, KINDS
from naturalness.models.language.ngram import open_kenlm
from naturalness.models.pieces import END, PADDING, START, Pieces
from naturalness.text.parsing import short_memory, tokenise
from naturalness.text.view import view
from training.default_model.sets import SETS, key_of, read_named
from training.detector.batches import BOTH_DAMAGED, encoded
from training.detector.drafts import Draft, Sentence, Word
from training.detector.imported import body_of
from training.detector.mixture import Source, damage, soundness
from training.detector.naming import BY_PEOPLE
from training.detector.trees import read_trees, write_trees
from training.mpnet import weights_of
from training.reader import packed
from training.reader.sets import EDITS, FOLDS, LARGEST, read_edits

LINES = 250_000
"""Lines of the corpora that are parsed; sentences of 4 to 36 words stay."""
PAIRS = 800_000
"""Of a better and a worse version of a sentence."""
PEOPLE = 60_000
"""Pairs more, under the damage that people do: the layer of kinds learns on from them."""
HELD_OUT = 3_000
"""Sentences that only measure, one pair each."""
PLACES = 128
"""Pieces of a text that are read, with the marks of start and end."""
NO_WORD = 255
"""What a piece is that begins no word."""
TEXTS, DAMAGE, ABOUT = "texts.npz.xz", "damage.npz.xz", "about.json"


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


def prepare_texts(ratings: Path, pieces: Pieces, folder: Path, largest: int = LARGEST) -> None:
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
        taught = set(texts if len(texts) <= largest else rng.sample(texts, largest))
        arrays[f"rows|{name}"] = np.array([place.setdefault(text, len(place)) for text in texts], np.uint32)
        arrays[f"ratings|{name}"] = np.array([np.mean(of_text[text]) for text in texts], np.float32)
        arrays[f"taught|{name}"] = np.array([rated.share > 0 and text in taught for text in texts])
    edits = read_edits(ratings)[: 2 * largest]
    arrays["edits"] = np.array([[place.setdefault(text, len(place)) for text in two] for two in edits], np.uint32)
    rows = Rows()
    for ids, targets in read_texts(list(place), pieces):
        rows.append(ids, targets)
    arrays["keys"] = np.array([key_of(text) for text in place], np.uint64)
    packed.write(folder / TEXTS, {**rows.arrays(), **arrays}, packed.REPEATS)


def prepare_damage(sentences: Sequence[Sentence], pieces: Pieces, folder: Path, *, n_pairs: int, n_people: int) -> None:
    """Write pairs under damage: row 2 i is the better one, row 2 i + 1 the worse one of the same sentence.

    Pairs of the mixture come first, then those under the damage of people, then those of held-out sentences.
    """
    kenlm = open_kenlm(locate("words") / "order-5.binary", trusted=True)
    n_held_out = min(HELD_OUT, len(sentences) // 10)
    taught, held_out = sentences[n_held_out:], sentences[:n_held_out]
    everything = Source.of(taught, model=kenlm)
    people = replace(everything, mixture=BY_PEOPLE)
    rng = random.Random(0)
    rows, sound = Rows(), list[float]()

    def draw(source: Source, sentence: Sentence) -> None:
        for draft in pair_of(sentence, rng, source):
            rows.append(*encoded_row(draft.words, pieces))
            sound.append(soundness(draft))

    for source, wanted in ((everything, n_pairs), (people, n_people)):
        times, rest = divmod(wanted, len(taught))
        for i, sentence in enumerate(taught):
            for _ in range(times + (i < rest)):
                draw(source, sentence)
    for sentence in held_out:
        draw(everything, sentence)
    counts = np.array([n_pairs, n_people, n_held_out], np.uint32)
    sound_of = np.array(sound, np.float16)
    packed.write(folder / DAMAGE, {**rows.arrays(), "soundness": sound_of, "counts": counts}, packed.REPEATS)


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


def narrow_state(vocabulary: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the narrow detector that ships, on MiniLM's vectors of the pieces of the wide ones."""
    from training.encoder import minilm_vectors

    body = body_of(locate(FAST_ASSET))
    state = {f"body.{name}": x.numpy() for name, x in body.state_dict().items()}
    state = {name: x for name, x in state.items() if not name.endswith(".step") and ".hint." not in name}
    with torch.no_grad():
        state[packed.TABLE] = minilm_vectors(vocabulary).numpy()
    return state


def prepare_weights(mpnet: Path, vocabulary: Sequence[str], folder: Path) -> None:
    """Write the weights to begin with: the table of pieces and the like, each layer, the narrow reader."""
    files: dict[str, dict[str, np.ndarray]] = {}
    for name, values in weights_of(mpnet, vocabulary).items():
        layer = int(name.split(".")[1]) if name.startswith("layers.") else None
        files.setdefault("begin" if layer is None else f"layer-{layer:02}", {})[f"body.{name}"] = values
    files["narrow"] = narrow_state(vocabulary)
    for name, state in files.items():
        packed.write(folder / f"{name}.npz.xz", packed.in_seven_bits(state), packed.LITERALS)


def write_about(vocabulary: Sequence[str], folder: Path) -> None:
    """Write names, sets and folds."""
    about = {
        "padding": list(vocabulary).index(PADDING),
        "pieces": len(vocabulary),
        "kinds": KINDS,
        "sets": {name: asdict(rated) for name, rated in SETS.items()},
        "folds": FOLDS,
        "edits": EDITS,
    }
    (folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def prepare(
    ratings: Path,
    corpora: Path,
    mpnet: Path,
    folder: Path,
    *,
    vocabulary: Sequence[str],
    trees: Path,
    lines: int = LINES,
    n_pairs: int = PAIRS,
    n_people: int = PEOPLE,
    largest: int = LARGEST,
) -> None:
    """Write all files that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces = Pieces.of(vocabulary)
    write_about(vocabulary, folder)
    if not (folder / TEXTS).exists():
        prepare_texts(ratings, pieces, folder, largest)
    if not (folder / "narrow.npz.xz").exists():
        prepare_weights(mpnet, vocabulary, folder)
    if not trees.exists():
        write_trees(corpora, trees, lines)
    if not (folder / DAMAGE).exists():
        sentences = list(read_trees(trees))
        prepare_damage(sentences, pieces, folder, n_pairs=n_pairs, n_people=n_people)
