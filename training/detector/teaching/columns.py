"""Parsed sentences as columns of small numbers: half a million fit into one file and into one process."""

from __future__ import annotations

import lzma
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from training.detector.drafts import Sentence, Word

NAMES = ("texts", "tags", "deps", "words", "word_tags", "word_deps", "heads", "ends")


@dataclass(frozen=True)
class Columns(Sequence[Sentence]):
    """Sentences, made anew each time that one is asked for."""

    texts: list[str]
    """Each word once, the most frequent ones first."""
    tags: list[str]
    deps: list[str]
    words: NDArray[np.uint32]
    """Of each token, its row in ``texts``; ``word_tags`` and ``word_deps`` likewise."""
    word_tags: NDArray[np.uint8]
    word_deps: NDArray[np.uint8]
    heads: NDArray[np.uint8]
    ends: NDArray[np.uint32]
    """Of each sentence, the token behind its last one."""

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Columns:
        """Put them into columns."""
        sentences = list(sentences)
        tokens = list(chain.from_iterable(sentences))
        lists = [
            [name for name, _ in Counter(names).most_common()]
            for names in ([w.text for w in tokens], [w.tag for w in tokens], [w.dep for w in tokens])
        ]
        rows = [{name: row for row, name in enumerate(names)} for names in lists]
        return cls(
            *lists,
            np.array([rows[0][w.text] for w in tokens], np.uint32),
            np.array([rows[1][w.tag] for w in tokens], np.uint8),
            np.array([rows[2][w.dep] for w in tokens], np.uint8),
            np.array([w.head for w in tokens], np.uint8),
            np.cumsum([len(s) for s in sentences], dtype=np.uint32),
        )

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sentence]: ...
    def __getitem__(self, index: int | slice) -> Sentence | list[Sentence]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        tokens = slice(int(self.ends[index - 1]) if index else 0, int(self.ends[index]))
        columns = (self.words, self.word_tags, self.word_deps, self.heads)
        rows = zip(*(column[tokens].tolist() for column in columns), strict=True)
        texts, tags, deps = self.texts, self.tags, self.deps
        return tuple(Word(texts[w], tags[t], deps[d], h, i) for i, (w, t, d, h) in enumerate(rows))

    def write(self, path: Path) -> None:
        """Write them, the bytes of each column together, which takes half the room."""
        with lzma.open(path, "wb") as file:
            columns = {name: getattr(self, name) for name in NAMES}
            words = columns.pop("words")
            planes = [(words >> 8 * byte & 0xFF).astype(np.uint8) for byte in range(3)]
            np.savez(file, planes=np.stack(planes), **{k: np.asarray(v) for k, v in columns.items()})

    @classmethod
    def read(cls, path: Path) -> Columns:
        """What `write` wrote."""
        import io

        with lzma.open(path) as file, np.load(io.BytesIO(file.read())) as columns:
            low, middle, high = columns["planes"].astype(np.uint32)
            words = low | middle << 8 | high << 16
            values = [words if name == "words" else columns[name] for name in NAMES]
        return cls(*([str(x) for x in names] for names in values[:3]), *values[3:])
