"""Rebuild the shipped English pipeline.

`python -m training.english TREEBANKS CORPORA --work DIR`

Steps, each of which writes its result to the work folder and is skipped if the result exists: vectors (5 minutes of one
core), silver (45, of which the teacher takes 20), student (75). Finally, the asset is written.
"""

from __future__ import annotations

from training.arguments import command_parser
from training.treebanks import load_split, paragraphs


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "treebanks", "corpora", work=True).parse_args()
    splits = load_split(args.treebanks, "train", free_only=True)
    sentences = splits["ewt"] + splits["gum"]

    vectors, silver, student = (args.work / name for name in ("vectors.floret", "silver.jsonl", "student"))
    if not vectors.exists():
        from training.english.vectors import train_vectors

        train_vectors(args.corpora, args.work)
    from training.english.silver import label_runs, read_silver, sample_runs

    if not silver.exists():
        from training.english.teacher import train_teacher

        label_runs(train_teacher(sentences), sample_runs(args.corpora), silver)
    if not (student / "meta.json").exists():
        from training.english.student import build, train_student

        gold = paragraphs(splits["ewt"]) + paragraphs(splits["gum"])
        train_student(build(vectors), gold, list(read_silver(silver)), student)
    from training.english.package import assemble, write_forms

    assemble(student, sentences)
    write_forms(sentences)


if __name__ == "__main__":
    main()
