"""Rebuild the shipped language models: `python -m training.language CORPORA --work DIR`.

Text is tokenised (10 minutes on two cores) and tagged (20 minutes) once and kept in the work
folder. It needs KenLM's `build_binary` on the PATH, to store probabilities in a byte; see
training/README.md.
"""

from __future__ import annotations

from training.arguments import command_parser
from training.language import pieces, tags, words
from training.language.corpora import tokens


def main() -> None:
    """Command line."""
    args = command_parser(__doc__, "corpora", work=True).parse_args()
    folder = tokens(args.corpora, args.work)
    words.build(folder, args.work)
    pieces.build(folder, args.work)
    tags.build(args.corpora, args.work)


if __name__ == "__main__":
    main()
