"""Accuracy and speed of a pipeline on the UD English test sets, from raw text.

`python -m benchmarks.parser TREEBANKS [--nlp en]`. The measures are those of
`benchmarks.parser_accuracy`.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.parser_accuracy import MEASURES, measure
from benchmarks.report import markdown_table, write
from naturalness.text.parsing import DEFAULT_PIPELINE
from training.arguments import command_parser


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "treebanks")
    parser.add_argument("--nlp", default=DEFAULT_PIPELINE)
    parser.add_argument("--split", default="test", choices=("dev", "test"))
    options = parser.parse_args()
    figures = measure(options.treebanks, options.nlp, options.split)
    command = f"python -m benchmarks.parser TREEBANKS --nlp {options.nlp} --split {options.split}"
    header = ["treebank", *MEASURES, "words_per_second"]
    rows = [[name, *(scores[m] for m in header[1:])] for name, scores in figures.items()]
    name = "parser" if options.nlp == DEFAULT_PIPELINE else f"parser-{Path(options.nlp).name}"
    title = f"Parser accuracy (F1, %) on the UD English {options.split} sets, from raw text"
    write(
        name,
        title,
        markdown_table(header, rows),
        {"figures": figures},
        command=command,
        nlp=options.nlp,
        split=options.split,
    )


if __name__ == "__main__":
    main()
