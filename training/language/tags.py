"""Build the models of Penn tags; the shipped pipeline tags corpus sentences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from training.language.corpora import REGISTERS, chosen, sentences
from training.language.folder import build, perplexity
from training.manifest import record

if TYPE_CHECKING:
    from spacy.tokens import Doc

ONE_IN = 8
"""Sentences of which one is tagged: fifty tags need less text than sixty thousand words."""
SHARES = {"podcasts": 0.5, "techdocs": 0.5}
"""Share of sentences used: half of the talk and text about software."""
BATCH = 20_000
SIZES = {2: 10_000, 3: 100_000, 4: 200_000, 5: 400_000}
"""n-grams kept by order; those of order 2 and 3 are all."""
BITS = (8, 8)
"""Whole pointers take 0.2 MB more, and are a quarter faster."""


def tagged_docs(corpora: Path, part: str = "", one_in: int = 1) -> Iterator[Doc]:
    """Yield a sample of corpus sentences of all registers, tagged by the shipped pipeline."""
    from naturalness.text.parsing import load_pipeline, parse_stream, short_memory

    nlp = load_pipeline()
    unused = [name for name in nlp.pipe_names if name not in ("tok2vec", "tagger")]
    with nlp.select_pipes(disable=unused):
        for register in REGISTERS:
            lines = chosen(sentences(corpora, register, part), SHARES.get(register, 1.0) / one_in, register)
            while batch := list(islice(lines, BATCH)):
                with short_memory():
                    yield from parse_stream(batch, batch_size=256)


def tagged(corpora: Path, work: Path, part: str = "") -> Path:
    """Return a file of tag lines over all registers, written unless it exists."""
    path = work / f"tags{part}.txt"
    if path.exists():
        return path
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("w", encoding="utf-8") as file:
        for doc in tagged_docs(corpora, part, 1 if part else ONE_IN):
            tags = [token.tag_ for token in doc if not token.is_space]
            if tags:
                file.write(" ".join(tags) + "\n")
    unfinished.rename(path)
    return path


def build_tags(corpora: Path, work: Path) -> None:
    """Write the asset: models of order 2 to 5, unpruned up to 3."""
    source, held_out = tagged(corpora, work), tagged(corpora, work, ".dev")
    files, known = build("tags", lambda: _split(source), work, sizes=SIZES, bits=BITS)
    figures = {f"order {order}": perplexity(file, known, _split(held_out)) for order, file in files.items()}
    record("tags", {"perplexity": figures})


def _split(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as file:
        yield from (line.split() for line in file)
