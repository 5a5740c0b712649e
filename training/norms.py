"""Freeze the norms of ROUGE-LM: `python -m training.norms RATED`.

RATED is a table with `text` and `references` (a JSON list), tab-separated, gzipped or not. Rows in
which WPSLOR or ROUGE-L is undefined are left out.
"""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from naturalness.metrics.rouge import NORMS, RougeLmNorms, norm_of, parts_of
from naturalness.models.language import shipped
from naturalness.models.language.base import LanguageModel
from naturalness.text.parsing import parse
from training.arguments import command_parser
from training.default_model.sets import read_rows


def build(path: Path, model: LanguageModel) -> RougeLmNorms:
    """Return means and deviations of both parts over the rows of a table."""
    rows = read_rows(path)
    references = [json.loads(row["references"] or "[]") for row in rows]
    fluency, overlap = parts_of(parse([row["text"] for row in rows]), references)
    defined = ~np.isnan(fluency)
    return RougeLmNorms(
        set=path.name,
        date=datetime.date.today().isoformat(),
        command="python -m training.norms RATED",
        n=int(defined.sum()),
        lm=model.signature,
        wpslor=norm_of(fluency[defined]),
        rouge_l=norm_of(overlap[defined]),
    )


def write(norms: RougeLmNorms, path: Path = NORMS) -> None:
    """Write the file that `rouge-lm` reads."""
    path.write_text(json.dumps(asdict(norms), indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "rated").parse_args()
    norms = build(args.rated, shipped.pieces())
    write(norms)
    print(json.dumps(asdict(norms), indent=1))


if __name__ == "__main__":
    main()
