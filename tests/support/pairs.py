"""Sentence pairs of our own, the better one first, each an example of a phenomenon."""

from __future__ import annotations

import csv
from pathlib import Path

AGREEMENT, ORDER, REPETITION, SPELLING = "agreement", "order", "repetition", "spelling"
PAIRS = (
    (AGREEMENT, "The baker sells warm bread.", "The baker sell warm bread."),
    (AGREEMENT, "My cousins live near the coast.", "My cousins lives near the coast."),
    (AGREEMENT, "Every window was open.", "Every window were open."),
    (AGREEMENT, "These shoes are too small.", "These shoes is too small."),
    (AGREEMENT, "Our teacher has two dogs.", "Our teacher have two dogs."),
    (AGREEMENT, "The children were asleep by nine.", "The children was asleep by nine."),
    (ORDER, "She quickly closed the heavy gate.", "She closed quickly heavy the gate."),
    (ORDER, "We had lunch under an old tree.", "We lunch had under an tree old."),
    (ORDER, "The farmer milked his cows at dawn.", "The farmer at cows milked his dawn."),
    (ORDER, "He never drinks coffee after dinner.", "He drinks never after coffee dinner."),
    (ORDER, "A grey cat slept on the roof.", "A cat grey on slept the roof."),
    (ORDER, "They painted the kitchen last week.", "They the kitchen painted week last."),
    (REPETITION, "The train left on time.", "The train train left on on time."),
    (REPETITION, "I found a coin in my pocket.", "I found found a coin in my my pocket."),
    (REPETITION, "Her garden is full of roses.", "Her garden is is full of full of roses."),
    (REPETITION, "It rained for most of the day.", "It rained for for most of the the day."),
    (REPETITION, "The shop opens at eight.", "The shop opens opens at eight eight."),
    (REPETITION, "He lost his key again.", "He lost lost his key his key again."),
    (SPELLING, "The doctor washed her hands.", "The docter wasshed her hands."),
    (SPELLING, "Please answer the second question.", "Pleese anser the secund question."),
    (SPELLING, "The weather was beautiful today.", "The wether was beutiful today."),
    (SPELLING, "My brother plays the guitar.", "My bruther plays the gitar."),
    (SPELLING, "We bought a new table for the office.", "We bougt a new tabel for the ofice."),
    (SPELLING, "The library is closed on Sunday.", "The libary is closd on Sunday."),
)


def write_pairs(path: Path, rows: tuple[tuple[str, str, str], ...] = PAIRS) -> Path:
    """Write a CSV with good, bad and phenomenon."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["good", "bad", "phenomenon"])
        writer.writerows([good, bad, what] for what, good, bad in rows)
    return path
