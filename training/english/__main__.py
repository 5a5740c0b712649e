"""Rebuild the shipped English pipeline.

`python -m training.english --treebanks DIR --corpora DIR --work DIR`

Steps, each of which leaves its result in the work folder and is skipped where that is there:
vectors (4 minutes on two cores), teacher (20), silver (15), student (75 on one core), package.
Floret with two threads and a time limit are not repeatable to the last bit.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.arguments import command_parser
from training.treebanks import Sentence, load_split, paragraphs

SILVER_SENTENCES = 150_000
SHARDS = 10


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, work=True)
    parser.add_argument("--treebanks", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    args = parser.parse_args()
    splits = load_split(args.treebanks, "train", free_only=True)
    sentences = splits["ewt"] + splits["gum"]
    gold = paragraphs(splits["ewt"]) + paragraphs(splits["gum"])

    vectors = args.work / "vectors.floret"
    if not vectors.exists():
        from training.english.vectors import train_vectors

        train_vectors(args.corpora, args.work)
    silver = label(sentences, args)
    checkpoint = args.work / "student"
    if not (checkpoint / "meta.json").exists():
        from training.english.student import build, train_student

        train_student(build(vectors), gold, silver, checkpoint)
    package(sentences, checkpoint, args.treebanks)


def label(sentences: list[Sentence], args: argparse.Namespace) -> list[list[Sentence]]:
    """Train the teacher and let it label corpus sentences, as far as that is not done."""
    from training.english import silver

    shards = [args.work / f"silver-{k}.jsonl" for k in range(SHARDS)]
    weights = args.work / "teacher.pt"
    if not all(shard.exists() for shard in shards):
        if not weights.exists():
            from training.english.teacher import train_teacher

            silver.save_teacher(train_teacher(sentences), weights)
        model = silver.load_teacher(weights)
        runs = silver.sample_runs(args.corpora, SILVER_SENTENCES, seed=0)
        for k, shard in enumerate(shards):
            if not shard.exists():
                silver.label_runs(model, runs[k::SHARDS], shard)
    return list(silver.read_silver(shards))


def package(sentences: list[Sentence], checkpoint: Path, treebanks: Path) -> None:
    """Write the asset, then its figures into the manifest."""
    from training.english.package import assemble, write_forms
    from training.manifest import ASSETS, record
    from training.parser_accuracy import measure

    assemble(checkpoint, sentences, ASSETS / "pipeline")
    write_forms(sentences)
    record("pipeline", {})  # measuring opens the pipeline by its manifest entry
    figures = measure(treebanks)
    record("pipeline", {f"{name} test": scores for name, scores in figures.items()})
    print(figures)


if __name__ == "__main__":
    main()
