"""The training texts of a shipped model, hashed anew; nothing that it learned changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from naturalness.files.archive import pack, unpack
from naturalness.judging.folder import ARRAYS, FORMAT_VERSION, SEEN, SEEN_SPELLED, seen_in
from naturalness.judging.hashes import known_texts
from training.default_model.card import names_of, reads_ratings, replace_file, sources_of
from training.default_model.products import Product
from training.default_model.sets import read_named, teaching_readers


def hash_anew(product: Product, ratings: Path) -> int:
    """Hash the texts that the shipped model learned from, and return how many there are.

    They must be the very texts of which it holds hashes.
    """
    # A rating head learned from more sets than the linear model that reads it.
    names = teaching_readers() if reads_ratings(product) else names_of(sources_of(product))
    texts = [text for name in names for text in read_named(ratings, name).texts]
    arrays = unpack((product.folder / ARRAYS).read_bytes())
    before = seen_in(arrays)
    if not np.array_equal(before.hashes, known_texts(texts, spelled=before.spelled).hashes):
        raise SystemExit(f"{ratings} holds other texts than those that taught {product.asset!r}")
    learned = {name: a for name, a in arrays.items() if name not in (SEEN, SEEN_SPELLED)}
    seen = known_texts(texts)
    replace_file(product, ARRAYS, pack({**learned, SEEN: seen.hashes}), format_version=FORMAT_VERSION)
    return len(seen)
