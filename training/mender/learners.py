"""Count learners' words and their corrections by editors: `python -m training.mender.learners EDITS`.

EDITS holds edited sentences of ErAConD (MIT) and TETRA (CC BY 4.0), of which the development parts are counted. Only
single words and marks that occur in two edits or more enter `learners.tsv`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from training.arguments import command_parser
from training.mender.edits import changes, read_edits, tokens

TABLE = Path(__file__).with_name("learners.tsv")
LEAST = 2
"""The smallest number of edits of a row."""


def counted(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each edit of one token to one token or none, as (written, edited)."""
    for source in ("eracond", "tetra"):
        for row in read_edits(folder, source):
            if row.real or source == "tetra":
                written = tokens(row.text.lower())
                for start, end, new in changes(written, tokens(row.references[0].lower())):
                    if end - start <= 1 and len(new) <= 1:
                        yield " ".join(written[start:end]), " ".join(new)


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "edits").parse_args()
    counts = Counter(counted(args.edits))
    rows = [(*pair, n) for pair, n in sorted(counts.items(), key=lambda row: (-row[1], row[0])) if n >= LEAST]
    lines = ["written\tedited\tcount", *("\t".join(map(str, row)) for row in rows)]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
