"""Rated sentences of our own: sound ones, and copies with swapped, doubled or dropped words."""

from __future__ import annotations

import random
from pathlib import Path

SUBJECTS = (
    "The old gardener",
    "My younger sister",
    "A tall man in a grey coat",
    "The new teacher",
    "Our neighbour",
    "The captain of the ship",
)
VERBS = ("carried", "painted", "found", "sold", "repaired", "described")
OBJECTS = (
    "the wooden chair",
    "a letter from her brother",
    "three small boats",
    "the broken clock",
    "an empty house near the river",
    "his favourite song",
)
ENDS = ("before breakfast.", "in the garden.", "on a rainy afternoon.", "without any help.")


def sentences(n: int, seed: int = 0) -> list[tuple[str, int, str]]:
    """Return text, rating from 1 to 5 (higher is better) and source of each row; a source has two texts."""
    rng = random.Random(seed)
    rows = []
    for number in range((n + 1) // 2):
        parts = [rng.choice(part) for part in (SUBJECTS, VERBS, OBJECTS, ENDS)]
        plain = " ".join(parts)
        rows.append((plain, rng.choice((4, 5, 5)), f"s{number}"))
        words = plain.split()
        for _ in range(rng.randint(1, 3)):
            position = rng.randrange(len(words) - 1)
            match rng.randrange(3):
                case 0:
                    words.insert(position, words[position])
                case 1:
                    words[position], words[position + 1] = words[position + 1], words[position]
                case _:
                    words[position] = words[position] + words[position][-1] * 2
        rows.append((" ".join(words), rng.choice((1, 2, 2, 3)), f"s{number}"))
    return rows[:n]


def write_table(path: Path, n: int = 80, seed: int = 0) -> Path:
    """Write a CSV with id, text, rating, individual ratings, a label and a source."""
    lines = ["id,text,rating,ratings,source,verdict"]
    for i, (text, rating, source) in enumerate(sentences(n, seed)):
        single = f"[{rating}, {rating}]"
        verdict = "good" if rating >= 4 else "bad"
        lines.append(f'{i},{text},{rating},"{single}",{source},{verdict}')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
