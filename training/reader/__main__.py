"""Train readers: `python -m training.reader RATINGS CORPORA MPNET --work DIR [--device cuda]`.

MPNET is the unpacked folder all-mpnet-base-v2. Prepares what is not there yet in ``DIR/prepared``
(`training.reader.prepare`), then trains (`training.reader.learn`, which can also run elsewhere, from the prepared
files).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from training.reader.learn import add_options, learn_all
from training.reader.prepare import LINES, PAIRS, PEOPLE, prepare
from training.reader.sets import LARGEST


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ratings", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("mpnet", type=Path)
    parser.add_argument("--vocabulary", type=Path, help="a list of pieces in JSON, instead of the shipped detector's")
    parser.add_argument("--prepare-only", action="store_true")
    parser.add_argument("--lines", type=int, default=LINES, help=f"of the corpora that are parsed ({LINES:,})")
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"under damage ({PAIRS:,})")
    parser.add_argument("--people", type=int, default=PEOPLE, help=f"under the damage of people ({PEOPLE:,})")
    add_options(parser)
    args = parser.parse_args()
    folder = args.work / "prepared"
    prepare(
        args.ratings,
        args.corpora,
        args.mpnet,
        folder,
        vocabulary=vocabulary_of(args.vocabulary),
        trees=args.work / "trees.jsonl",
        lines=args.lines,
        n_pairs=args.pairs,
        n_people=args.people,
        largest=LARGEST,
    )
    if not args.prepare_only:
        learn_all(folder, args)


def vocabulary_of(path: Path | None) -> list[str]:
    """Return the pieces of a reader: those of the detector that ships, or of a file."""
    if path is None:
        from naturalness.models.detector import detector

        return list(detector().network.pieces.rows)
    vocabulary: list[str] = json.loads(path.read_text(encoding="utf-8"))
    return vocabulary


if __name__ == "__main__":
    main()
