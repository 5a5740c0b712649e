"""The word lists of damage, from `words.toml`."""

from __future__ import annotations

from training.tables import read_table

WORDS = read_table(__file__, "words.toml")
