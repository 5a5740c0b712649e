"""How good the teacher is: `python -m training.english.accuracy WORK/teacher.pt TREEBANKS`.

Percent of the words of the development sets, with the treebank's own words and sentences: tags,
heads (UAS), heads with relation (LAS, without subtypes).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from transformers import AutoTokenizer

from training.english.silver import load_teacher
from training.english.teacher import ENCODER, Teacher, annotate
from training.treebanks import Sentence, load_split


def accuracy(model: Teacher, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Shares of right tags, heads and labelled heads, in percent."""
    tokenizer = AutoTokenizer.from_pretrained(str(ENCODER))
    ordered = sorted(sentences, key=lambda s: len(s.words))
    hits = {"tags": 0, "uas": 0, "las": 0}
    n_words = 0
    for start in range(0, len(ordered), 32):
        batch = ordered[start : start + 32]
        guesses = annotate(model, tokenizer, [(s.words, s.spaces) for s in batch])
        for gold, (guess, _) in zip(batch, guesses, strict=True):
            for i in range(len(gold.words)):
                right_head = gold.heads[i] == guess.heads[i]
                same = gold.deps[i].split(":")[0] == guess.deps[i].split(":")[0]
                hits["tags"] += gold.xpos[i] == guess.xpos[i]
                hits["uas"] += right_head
                hits["las"] += right_head and same
            n_words += len(gold.words)
    return {name: round(100 * count / n_words, 2) for name, count in hits.items()}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("treebanks", type=Path)
    args = parser.parse_args()
    model = load_teacher(args.teacher)
    for name, sentences in load_split(args.treebanks, "dev", free_only=True).items():
        print(name, accuracy(model, sentences))


if __name__ == "__main__":
    main()
