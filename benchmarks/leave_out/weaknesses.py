"""Measure the model's weaknesses: length, register, typing, kinds of text, and faults that it hardly notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.leave_out.beside import Margins
from benchmarks.leave_out.own_sentences import GOOD, PAIRS
from naturalness.arrays import FloatArray
from naturalness.statistics.correlation import spearman
from training.default_model.measure import Material
from training.default_model.sets import SIX

BANDS = ((1, 5), (6, 10), (11, 20), (21, 40), (41, 10**6))
MIN_ROWS = 30
"""The fewest texts of a set for which it counts in a band."""


def band_name(band: tuple[int, int]) -> str:
    """Return the name of a band of lengths, such as ``6-10 words``."""
    low, high = band
    return f"{low}-{high} words" if high < 10**6 else f"{low} words and more"


def words_of(texts: Sequence[str]) -> FloatArray:
    """Return the number of space-separated words of each text."""
    return np.array([len(text.split()) for text in texts], dtype=np.float64)


def by_length(material: Material, margins: Margins) -> dict[str, dict[str, float]]:
    """Return Spearman within each band of length: the mean over sets, weighted by their texts."""
    out = {}
    for low, high in BANDS:
        rows = []
        for name in SIX:
            words = words_of(material.rated[name].texts)
            within = (words >= low) & (words <= high)
            if within.sum() >= MIN_ROWS:
                value = spearman(margins[name][within], material.rated[name].ratings[within])
                rows.append((int(within.sum()), value))
        if rows:
            sizes, values = np.array(rows).T
            mean = float((sizes * values).sum() / sizes.sum())
            out[band_name((low, high))] = {"texts": int(sizes.sum()), "sets": len(rows), "spearman": round(mean, 3)}
    return out


def natural(registers: Sequence[str], sentences: Sequence[str], scores: FloatArray) -> dict[str, dict[str, Any]]:
    """Return count, mean and share under .5 of scores by register and by length."""
    words = words_of(sentences)
    named = np.array(registers)
    members = {name: named == name for name in sorted(set(registers))}
    for band in BANDS:
        members[band_name(band)] = (words >= band[0]) & (words <= band[1])
    return {name: _figures_of(scores[rows]) for name, rows in members.items() if rows.any()}


def _figures_of(scores: FloatArray) -> dict[str, Any]:
    return {
        "texts": len(scores),
        "mean score": round(float(scores.mean()), 3),
        "under .5": round(float((scores < 0.5).mean()), 3),
    }


def on_sentences(score_of: Mapping[str, float]) -> dict[str, dict[str, Any]]:
    """Return scores of our own sentences by kind, and how often the sound sentence of a pair scores higher."""
    kinds = {name: _figures_of(np.array([score_of[text] for text in texts])) for name, texts in GOOD.items()}
    faults = {}
    for name, pairs in PAIRS.items():
        sound, faulty = (np.array([score_of[pair[i]] for pair in pairs]) for i in (0, 1))
        faults[name] = {
            "pairs": len(pairs),
            "sound one higher": int((sound > faulty).sum()),
            "mean of the sound": round(float(sound.mean()), 3),
            "mean of the faulty": round(float(faulty.mean()), 3),
        }
    return {"kinds": kinds, "faults": faults}
